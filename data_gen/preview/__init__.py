"""A dataset for people. Read what is known of a set (`scene`), its words (`phrases`, `trace`, `questions`), the `terminal`,
then `pictures/`: each imports only those before it. Pages are the explorer's, in `comphy/toolkit/explorer`."""
