// The file of a set's video as an element that begins to load at once, whether or not it is on the page yet; null where
// the video has no file.
export function openFilm(source, index, video) {
  if (!video.file) return null;
  const film = document.createElement("video");
  return Object.assign(film, { muted: true, playsInline: true, preload: "auto", src: `media/${source}/${index}/${video.name}.mp4` });
}
