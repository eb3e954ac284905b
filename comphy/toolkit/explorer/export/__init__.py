"""The explorer as files: a site of some sets that opens from disk and from any web server.

`choosing` reads which sets, `recording` asks reasoners about them, `bundle` makes one script of the page's modules, `site`
writes it all."""
