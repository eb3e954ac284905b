"""What a video shows: vocabulary, objects, camera, events. Pure data, no engine."""
