// Video files of sets.

// The address of a video's file, null where it has none.
export function mediaOf(source, index, video) {
  return video.file ? `media/${source}/${index}/${video.name}.mp4` : null;
}

// A video that begins to load at once, whether or not it is on the page yet.
export function filmOf(src) {
  const film = document.createElement("video");
  Object.assign(film, { muted: true, playsInline: true, preload: "auto", src });
  return film;
}
