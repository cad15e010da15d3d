/* The page of `odim serve`: which state is shown, the first state (choose a file), and what happens if the server is gone.
 *
 * Files that the server must embed and serve, all under the names that they have here:
 *     /               serve/page/index.html    text/html; charset=utf-8
 *     /page.css       serve/page/page.css      text/css; charset=utf-8
 *     /page.js /api.js /ui.js /understood.js /watch.js /result.js /marks.js
 *                     serve/page/              text/javascript; charset=utf-8 (modules: the type matters)
 *     /common.js      report/common.js         text/javascript; charset=utf-8
 *     /report.css     report/report.css        text/css; charset=utf-8
 *     /plot.css       plot/plot.css            text/css; charset=utf-8
 *     /example.csv    demo/machine.csv         text/csv; charset=utf-8
 * The address names the state: /?table=ID and /?job=ID, which are the page too. */
import { Failure, Gone, get, onToken, remove, request, upload } from "./api.js";
import { clock, duration, announce, showProblem, showState, size } from "./ui.js";
import { showTable } from "./understood.js";
import { showEnded, showWatch } from "./watch.js";
import { giveBack } from "./marks.js";
import { showResult } from "./result.js";

const { byId, make, own, plural } = odim;

/* ---- states ---- */

/* What the current state has under way; the next state ends it. */
let current = new AbortController();

const go = (query, replace = false) => {
  history[replace ? "replaceState" : "pushState"](null, "", query || "/");
  return show();
};

const showLost = (what) => {
  showEnded("Not here any more", "", null, `The server does not hold this ${what}. It forgets everything when it stops, and the oldest runs when ` +
    "its memory is full.");
};

const showJob = async (id, context) => {
  const status = await get(`/v1/jobs/${id}`, context.signal);
  if (context.signal.aborted) return;
  if (status.state === "done") await showResult(status, context);
  else if (status.state === "failed" || status.state === "cancelled") showEndedJob(status);
  else await showWatch(status, context);
};
const showEndedJob = (status) => {
  /* A run that was to learn leads back to the one before, where the marks are still to be seen. */
  if (status.parent) giveBack(status.job, status.parent);
  const link = (href, textContent) => [make("a", { className: "button main", href, textContent })];
  const back = status.parent ? link(`/?job=${status.parent}`, "Back to the run before")
    : status.table ? link(`/?table=${status.table}`, "Back to the columns") : [];
  if (status.state === "cancelled") showEnded("Stopped", status.name, null, "You stopped this run before it was done, so it has no result.", ...back);
  else showEnded("This run failed", status.name, status.error, "", ...back);
};

const show = async () => {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const query = new URLSearchParams(location.search);
  const context = { signal, go, fail: (error) => fail(error, signal), again: show };
  shown = location.search;
  const slow = setTimeout(() => signal.aborted || showState("loading"), 300);
  signal.addEventListener("abort", () => clearTimeout(slow));
  try {
    if (query.has("job")) await showJob(query.get("job"), { ...context, arrived: () => clearTimeout(slow) });
    else if (query.has("table")) await showTable(query.get("table"), { ...context, arrived: () => clearTimeout(slow) });
    else {
      clearTimeout(slow);
      await showStart(context);
    }
  } catch (error) {
    clearTimeout(slow);
    if (error instanceof Failure && error.status === 404 && !signal.aborted) showLost(query.has("job") ? "run" : "table");
    else fail(error, signal);
  } finally {
    clearTimeout(slow);
  }
};

let shown = null;
addEventListener("popstate", () => location.search !== shown && show());
/* Links to other states need no new page. */
document.addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || link.download || link.origin !== location.origin || link.pathname !== "/" || link.hash || event.defaultPrevented) return;
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.search);
});

/* ---- when something goes wrong ---- */

const fail = (error, signal) => {
  if (error.name === "AbortError" || signal?.aborted) return;
  if (error instanceof Gone) whenGone();
  else if (byId("problem")) showProblem(error.problem ?? { title: "This page has a fault", detail: error.message });
  else showEnded("This did not work", "", error.problem ?? { title: "This page has a fault", detail: error.message }, "");
  if (!(error instanceof Failure || error instanceof Gone)) console.error(error);
};

/* Asks until the server answers again, then shows the state anew. */
let isGone = false;
const whenGone = async () => {
  if (isGone) return;
  isGone = true;
  const again = make("button", { type: "button", textContent: "Try now" });
  let hurry = () => {};
  again.addEventListener("click", () => hurry());
  byId("gone").replaceChildren(make("p", {}, make("b", { textContent: "The server does not answer." }),
    ` It may have been stopped: start it again with `, make("code", { textContent: "odim serve" }), ". This page goes on as soon as it is back. "), again);
  byId("gone").hidden = false;
  for (;;) {
    await new Promise((resolve) => {
      hurry = resolve;
      setTimeout(resolve, 2000);
    });
    try {
      await request("/healthz");
      break;
    } catch (error) {
      if (!(error instanceof Gone)) break;
    }
  }
  isGone = false;
  byId("gone").hidden = true;
  announce("The server is back.");
  show();
};

onToken((wrong) => new Promise((resolve) => {
  const dialog = byId("token"), form = byId("token-form");
  byId("token-wrong").hidden = !wrong;
  byId("token-field").value = "";
  const answered = (event) => {
    event.preventDefault();
    form.removeEventListener("submit", answered);
    dialog.close();
    resolve(byId("token-field").value.trim());
  };
  form.addEventListener("submit", answered);
  if (!dialog.open) dialog.showModal();
}));
byId("token").addEventListener("cancel", (event) => event.preventDefault());

/* ---- the first state ---- */

const stateWords = { queued: "waiting", reading: "reading", fitting: "learning", scoring: "scoring", explaining: "finding reasons",
  failed: "failed", cancelled: "stopped" };
const runItem = (run, context) => {
  const outliers = run.outliers === undefined || run.outliers === null ? "done" : plural(run.outliers, "outlier", "outliers");
  const marks = (run.marks?.outliers ?? 0) + (run.marks?.inliers ?? 0);
  const about = [run.state === "done" ? outliers : stateWords[run.state], run.rows ? plural(run.rows, "row", "rows") : "",
    run.state === "done" ? duration(run.seconds) : "", run.parent && marks ? `learned from ${plural(marks, "mark", "marks")}` : "", clock(run.created)];
  const link = make("a", { href: `/?job=${run.job}` }, own(run.name));
  const forget = make("button", { type: "button", className: "small", textContent: "Remove" });
  forget.setAttribute("aria-label", `Remove the run of ${run.name}`);
  const item = make("li", { className: run.state }, link, make("span", { className: "hint", textContent: about.filter(Boolean).join(" \u00b7 ") }), forget);
  forget.addEventListener("click", async () => {
    try {
      await remove(`/v1/jobs/${run.job}`);
      if (!["done", "failed", "cancelled"].includes(run.state)) await remove(`/v1/jobs/${run.job}`).catch(() => {});
    } catch (error) {
      if (error.status !== 404) return context.fail(error);
    }
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    announce(`The run of ${run.name} is removed.`);
    if (next) next.querySelector("button").focus();
    else {
      byId("earlier-none").hidden = false;
      byId("file").focus();
    }
  });
  return item;
};
const showRuns = async (context) => {
  const { jobs } = await get("/v1/jobs", context.signal);
  if (context.signal.aborted) return;
  byId("runs").replaceChildren(...jobs.map((run) => runItem(run, context)));
  byId("earlier-none").hidden = jobs.length > 0;
};

const receive = async (file, name, context, options) => {
  const stopping = new AbortController();
  const end = () => stopping.abort();
  context.signal.addEventListener("abort", end);
  const progress = (share) => {
    const bar = byId("uploading-bar");
    if (!bar) return;
    if (share < 1) bar.value = share;
    else bar.removeAttribute("value");
    byId("uploading-text").textContent = share < 1 ? `Sending ${name}, ${size(file.size)}` : `Reading ${name}`;
  };
  showProblem(null);
  byId("drop").hidden = byId("example-line").hidden = true;
  byId("uploading").hidden = false;
  byId("uploading-stop").onclick = end;
  byId("uploading-stop").focus();
  progress(0);
  announce(`Sending ${name}`);
  try {
    const table = await upload(file, name, progress, stopping.signal);
    if (options) {
      await request(`/v1/tables/${table.table}/read`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ options }) });
    }
    if (!context.signal.aborted) await go(`/?table=${table.table}`);
  } catch (error) {
    if (context.signal.aborted) return;
    byId("drop").hidden = byId("example-line").hidden = false;
    byId("uploading").hidden = true;
    byId("file").value = "";
    byId("file").focus();
    if (error.name === "AbortError") announce("Cancelled.");
    else context.fail(error);
  }
};

const showStart = async (context) => {
  showState("start");
  const { signal } = context;
  const take = (file) => file && receive(file, file.name, context);
  byId("file").addEventListener("change", (event) => take(event.target.files[0]));
  /* A file may be dropped anywhere. */
  const over = (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    byId("drop").classList.add("over");
  };
  addEventListener("dragover", over, { signal });
  addEventListener("dragleave", (event) => event.relatedTarget || byId("drop").classList.remove("over"), { signal });
  addEventListener("drop", (event) => {
    event.preventDefault();
    byId("drop").classList.remove("over");
    take(event.dataTransfer.files[0]);
  }, { signal });
  addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (event.clipboardData.files.length) take(event.clipboardData.files[0]);
    else if (text.trim().includes("\n")) receive(new Blob([text]), text.includes("\t") ? "pasted.tsv" : "pasted.csv", context);
  }, { signal });
  byId("example").addEventListener("click", async () => {
    try {
      const file = await (await request("/example.csv", { signal })).blob();
      await receive(file, "machine.csv", context, { id: "time", label: "fault" });
    } catch (error) {
      context.fail(error);
    }
  });
  await showRuns(context);
};

byId("host").textContent = location.host;
get("/version").then(({ version }) => (byId("version").textContent = `odim ${version}`), () => {});
show();
