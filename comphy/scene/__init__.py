"""What a video shows, as data that knows no engine.

Read `vocabulary` (colours, shapes, materials, masses, charges), `objects` (objects, videos, sets, changes), `camera`,
`clip` (what a renderer draws), `events`, and `silhouette` (outlines, boxes, visibility).
"""
