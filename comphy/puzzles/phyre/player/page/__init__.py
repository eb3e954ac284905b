"""The files of the page, as the browser gets them."""
