"""The files of the page, as the browser gets them: `shared` parts, and a module for each of the `views`."""
