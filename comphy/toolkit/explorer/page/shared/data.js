// What the page asks of the server. A refusal becomes an Error with the server's words.

import { takeEarly } from "./early.js";

export async function load(path, signal) {
  return (await request(path, { signal })).json();
}

export async function post(path, question) {
  return (await request(path, { method: "POST", body: JSON.stringify(question) })).json();
}

// Calls `take` with the records of a file of JSON lines as they come.
export async function stream(path, take, signal) {
  return lines(await request(path, { signal }), take);
}

export async function postStream(path, question, take, signal) {
  return lines(await request(path, { method: "POST", body: JSON.stringify(question), signal }), take);
}

async function lines(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    const whole = (rest + value).split("\n");
    rest = whole.pop();
    take(whole.filter(Boolean).map((line) => JSON.parse(line)));
  }
}

async function request(path, options) {
  let response;
  try {
    response = (await takeEarly(path)) ?? (await fetch(path, options));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Start it again: comphy explore");
  }
  if (!response.ok) throw new Error((await response.json().catch(() => ({}))).error ?? `Error ${response.status}`);
  return response;
}
