"""Films what was imagined beside what was recorded.

`recorded` has the video with its tracks, `imagined_scene` has imagined motion as a renderer draws it (whoever calls brings
the renderer), `clip` puts both side by side, with names, paths, collisions and a caption."""
