"""What `comphy bench` measures, a function for each part. Like `comphy.toolkit`, imported when a part is wanted."""
