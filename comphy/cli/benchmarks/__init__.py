"""What `comphy bench` measures, a function for each part. Like `comphy.cli.work`, imported when a part is wanted."""
