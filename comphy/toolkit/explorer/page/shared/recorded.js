// What an exported page reads instead of asking a server: the server's answers, written beside it as scripts, which are all
// that a browser reads from disk. The functions are those of data.js.

import { el } from "./dom.js";

const NEEDS_SERVER = "This page was exported: it has no server to ask. Open the dataset with comphy explore.";
const records = new Map();
const reading = new Map();
globalThis.comphyRecord = (path, record) => records.set(path, record);

export async function load(path, signal) {
  const [name, query] = path.split("?");
  const record = name.endsWith("/search") ? await search(name.replace(/search$/, "questions"), new URLSearchParams(query)) : await read(name);
  signal?.throwIfAborted();
  return record;
}

export async function stream(path, take, signal) {
  take(await load(path, signal));
}

export async function post() {
  throw new Error(NEEDS_SERVER);
}

// The simulator's part of an answer is in what was recorded of any model.
export async function postStream(path, { question, by }, take, signal) {
  const asked = (await load(path, signal)).filter((one) => one.question === question);
  const own = asked.find((one) => one.by === by);
  const found = own?.lines ?? asked[0]?.lines.filter((line) => !line.reply);
  if (!found) throw new Error(NEEDS_SERVER);
  take(found);
}

function read(path) {
  if (!reading.has(path)) reading.set(path, new Promise((resolve, reject) => {
    const missing = () => reject(new Error("This is not among what was exported."));
    const script = el("script", { src: `data/${path}.js`, onerror: missing, onload: () => (records.has(path) ? resolve(records.get(path)) : missing()) });
    document.head.append(script);
  }));
  return reading.get(path);
}

// As the server searches.
async function search(path, query) {
  const [words, family, stability] = ["words", "family", "stability"].map((name) => query.get(name) ?? "");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (await read(path)).sets.filter((one) => wanted.every((word) => one.words.includes(word)) && (!family || one.families.includes(family)) && (!stability || one[stability]));
  return { sets: found.map(({ index }) => index) };
}
