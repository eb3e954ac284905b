"""How the explorer is served, whatever it shows. Read `pages` (the files), then `endpoints` (functions that answer
requests), `guards` (who may ask), `server`, and `loading` (what is served while the rest is being loaded)."""
