"""The files of the page that are Phy-Q's own, as the browser gets them."""
