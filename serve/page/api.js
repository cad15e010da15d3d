/* The server's interface as functions: requests with the token, problems, uploads, events and downloads. */

/* A request that failed. `problem` is what the server said, if it said something. */
export class Failure extends Error {
  constructor(problem) {
    super(problem.detail || problem.title);
    this.problem = problem;
    this.status = problem.status ?? 0;
  }
}
/* Thrown where the server does not answer at all. */
export class Gone extends Error {}

let token = sessionStorage.getItem("odim-token") ?? "";
let askForToken = null;
/* `ask(wrong)` shows the question and resolves with the text that was entered. */
export const onToken = (ask) => (askForToken = ask);
export const hasToken = () => token !== "";
const newToken = async (used) => {
  if (used !== token) return; /* another request has asked meanwhile */
  token = await askForToken(used !== "");
  sessionStorage.setItem("odim-token", token);
};
const headersOf = (more) => (token ? { ...more, Authorization: `Bearer ${token}` } : { ...more });

const problemOf = (status, text, retry) => {
  let problem = {};
  try {
    problem = JSON.parse(text);
  } catch {
    /* An answer that is not from odim. */
  }
  const after = Number(retry) ? ` Try again in ${retry} s.` : "";
  return { status, title: problem.title || `The server answers ${status}`, detail: (problem.detail || "") + after, row: problem.row,
    column: problem.column };
};

/* The answer to a request that succeeded. Asks for the token if the server wants one. */
export const request = async (path, { method = "GET", headers, body, signal } = {}) => {
  for (;;) {
    const used = token;
    let answer;
    try {
      answer = await fetch(path, { method, headers: headersOf(headers), body, signal, cache: "no-store" });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Gone();
    }
    if (answer.ok) return answer;
    if (answer.status !== 401) throw new Failure(problemOf(answer.status, await answer.text(), answer.headers.get("Retry-After")));
    await newToken(used);
  }
};
export const get = async (path, signal) => (await request(path, { signal })).json();
export const send = async (path, body, method = "POST") =>
  (await request(path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })).json();
export const remove = (path) => request(path, { method: "DELETE" });

/* Sends a file. `progress(share)` is called on the way, with 1 when the server begins to read it; `stop` is a signal. */
export const upload = async (file, name, progress, stop) => {
  for (;;) {
    const used = token;
    const answer = await new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest();
      sending.open("POST", `/v1/tables?name=${encodeURIComponent(name)}`);
      sending.setRequestHeader("Content-Type", "application/octet-stream");
      for (const [key, value] of Object.entries(headersOf())) sending.setRequestHeader(key, value);
      sending.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
      sending.addEventListener("load", () => resolve(sending));
      sending.addEventListener("error", () => reject(new Gone()));
      sending.addEventListener("abort", () => reject(new DOMException("cancelled", "AbortError")));
      stop.addEventListener("abort", () => sending.abort());
      sending.send(file);
    });
    if (answer.status < 300) return JSON.parse(answer.responseText);
    if (answer.status !== 401) throw new Failure(problemOf(answer.status, answer.responseText, answer.getResponseHeader("Retry-After")));
    await newToken(used);
  }
};

/* Calls `event(name, data)` for each event of a job until the last one. An EventSource cannot send the token. */
export const events = async (job, event, signal) => {
  const answer = await request(`/v1/jobs/${job}/events`, { headers: { Accept: "text/event-stream" }, signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Gone();
    }
    if (part.done) return;
    const blocks = (rest + part.value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const name = lines.find((line) => line.startsWith("event:"))?.slice(6).trim();
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
      if (name && data.trim()) event(name, JSON.parse(data));
      else if (name) event(name, null);
    }
  }
};

/* Makes a link to a file work with a token too: a browser does not send one with a link. */
export const downloadable = (link, failed) => {
  link.addEventListener("click", async (event) => {
    if (!token) return;
    event.preventDefault();
    try {
      const answer = await request(link.href);
      const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? link.download;
      const address = URL.createObjectURL(await answer.blob());
      const saving = Object.assign(document.createElement("a"), { href: address, download: name });
      saving.click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    } catch (error) {
      failed(error);
    }
  });
  return link;
};
