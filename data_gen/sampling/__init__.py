"""What a scene may be: sampling with bounded retries and a counted reason for each rejection."""
