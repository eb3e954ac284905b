"""The files of the page that are PHYRE's own, as the browser gets them."""
