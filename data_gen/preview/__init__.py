"""A dataset for people. Read what is known of a set (`scene`), its words (`phrases`, `trace`, `questions`), the `terminal`,
then `pictures/` and `pages/`: each imports only those before it."""
