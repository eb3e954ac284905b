// Questions to the server. A refusal becomes an Error with the server's message.

export async function ask(name, question = {}) {
  let response;
  try {
    response = await fetch(`api/${name}`, { method: "POST", body: JSON.stringify(question) });
  } catch {
    throw new Error("The server does not answer. Start it again with the command that opened this page.");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
