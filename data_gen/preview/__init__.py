"""Pictures of a dataset for people: contact sheets, annotated clips, top views, and a page that shows them all."""
