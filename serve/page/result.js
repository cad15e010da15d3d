/* The result of a run: everything that the report shows, with all rows searchable, marks, and downloads. */
import { downloadable, get, remove, request, send } from "./api.js";
import { giveBack, keepMarks, keepTold, makeMarks, showMoved } from "./marks.js";
import { announce, safeCopy, showState } from "./ui.js";

const { accountBody, accountTitle, asTable, byId, copyText, count, foundText, make, makeDialog, makeThreshold, number, own, plural, rowLine,
  sortable } = odim;
const page = 25;

/* ---- the answer ---- */

const showAnswer = (result) => {
  byId("result-name").textContent = result.name;
  byId("fact-rows").textContent = count(result.rows);
  const meaning = [make("span", {}, "A row is called an ", make("strong", { textContent: "outlier" }), ` if its score is above ${number(result.threshold)}`)];
  if (result.unusual < result.threshold)
    meaning.push(", and ", make("strong", { textContent: "unusual" }),
      ` if it is above ${Number(result.unusual.toPrecision(3))} but not above the threshold: worth a look, but not clearly wrong`);
  byId("meaning").replaceChildren(...meaning, ". A typical row scores about 0.");
  const blamed = result.columns.filter((column) => column.blame > 0).sort((a, b) => b.blame - a.blame).slice(0, 3);
  byId("advice").replaceChildren(...(blamed.length ? ["Most common main reasons: ", ...blamed.flatMap((column, i) =>
    [...(i ? [", "] : []), make("b", {}, own(column.name)), ` (${plural(column.blame, "row", "rows")})`]), "."] : []));
  byId("fact-reason-box").hidden = !blamed.length;
  if (blamed.length) byId("fact-reason").append(own(blamed[0].name));
  byId("fact-auc-box").hidden = !result.labels;
  if (result.labels) byId("fact-auc").textContent = result.labels.auc.toFixed(4);
};

/* The plots and the sections behind the list come from the report, as it stands. */
const showReport = async (result, threshold, context) => {
  let answer;
  try {
    answer = await request(`/v1/jobs/${result.job}/report`, { signal: context.signal });
  } catch (error) {
    if (context.signal.aborted) return;
    byId("score-figure").replaceChildren(make("p", { className: "hint", textContent: `The plots cannot be shown: ${error.message}` }));
    return;
  }
  /* Without its head, whose style this page does not allow. */
  const text = await answer.text();
  const report = new DOMParser().parseFromString(text.slice(text.indexOf("<main>"), text.lastIndexOf("</main>")), "text/html");
  if (context.signal.aborted) return;
  byId("score-figure").replaceChildren(...[...report.getElementById("score-figure").childNodes].map(safeCopy));
  threshold.attach(byId("score-figure"));
  const sections = ["columns", "labels", "learning", "quality"].map((id) => report.getElementById(id)).filter(Boolean);
  const parameters = report.querySelector("#run");
  parameters?.querySelector(".command")?.remove();
  byId("report-parts").replaceChildren(...sections.map(safeCopy), ...(parameters ? [safeCopy(parameters)] : []));
  threshold.show();
  showContents();
};

const showContents = () => {
  const names = [["moved", "Learned"], ["scores", "Scores"], ["list", "Rows"], ["take", "Downloads"], ["columns", "Columns"], ["labels", "Labels"],
    ["learning", "Training"], ["quality", "Data"], ["run", "Run"]];
  const links = names.filter(([id]) => byId(id) && !byId(id).hidden).map(([id, text]) => make("li", {}, make("a", { href: `#${id}`, textContent: text })));
  byId("contents").querySelector("ul").replaceChildren(...links);
  byId("contents").hidden = false;
};

/* ---- the list ---- */

const normal = (row) => ({ ...row, p: row.probability });

const makeList = (result, context, parts) => {
  const order = { key: "score", down: true };
  let offset = 0, total = 0, asking = new AbortController(), timer = 0, rows = [];
  const hasId = result.columns.some((column) => column.role === "id") || result.has_id;
  const isColumn = () => !["score", "row", "id"].includes(order.key);
  const searched = () => byId("search").value.trim() !== "";

  const query = (from, limit) => {
    const asked = new URLSearchParams({ offset: from, limit, sort: order.key, order: order.down ? "desc" : "asc" });
    if (searched()) asked.set("search", byId("search").value.trim());
    else asked.set("which", byId("which").value);
    if (!parts.threshold.isOwn()) asked.set("threshold", parts.threshold.value());
    return `/v1/jobs/${result.job}/rows?${asked}`;
  };

  const showHead = () => {
    const head = (key, text, sorts = true) => {
      const cell = make("th", { scope: "col" });
      cell.setAttribute("role", "columnheader");
      if (sorts) {
        const button = make("button", { type: "button" }, typeof text === "string" ? text : text);
        button.dataset.key = key;
        cell.setAttribute("aria-sort", key !== order.key ? "none" : order.down ? "descending" : "ascending");
        cell.append(button);
      } else cell.append(text);
      return cell;
    };
    const id = result.columns.find((column) => column.role === "id");
    const line = make("tr", {}, head("row", "row"), ...(hasId ? [head("id", own(id?.name ?? "id"))] : []), head("score", "score"),
      head("p", "probability", false), head("verdict", "verdict", false), ...(result.labels ? [head("label", "label", false)] : []),
      ...(isColumn() ? [head(order.key, own(order.key))] : []), head("reason", "main reason", false), head("mark", "what you know", false));
    line.setAttribute("role", "row");
    const focused = document.activeElement?.dataset?.key;
    document.querySelector("#rows thead").replaceChildren(line);
    sortable(line, order, () => load(0));
    byId("sort").value = `${order.key}`;
    if (focused) [...line.querySelectorAll("button")].find((button) => button.dataset.key === focused)?.focus();
  };

  const lineOf = (row) => {
    const more = [];
    if (isColumn()) {
      const box = make("td", { role: "cell" }, own(row.values?.[result.columns.findIndex((column) => column.name === order.key)] ?? "missing"));
      box.dataset.label = order.key;
      more.push(box);
    }
    more.push(make("td", { className: "why", role: "cell" }, ...(row.reason ? [own(row.reason)] : [])),
      make("td", { className: "marking", role: "cell" }, parts.marks.buttons(row.row)));
    return rowLine(row, parts.threshold.verdictOf(row), hasId, parts.open, ...more);
  };

  const show = () => {
    document.querySelector("#rows tbody").replaceChildren(...rows.map(lineOf));
    const which = byId("which").value === "marked" ? "all" : byId("which").value;
    byId("which").disabled = searched();
    byId("listed").textContent = total || searched() || byId("which").value !== "marked" ? foundText(total, searched(), which)
      : "The run has not learned from any marks yet.";
    byId("pages").hidden = total <= page;
    byId("page-of").textContent = `${count(offset + 1)} to ${count(offset + rows.length)} of ${count(total)}`;
    byId("first-page").disabled = byId("before-page").disabled = offset === 0;
    byId("next-page").disabled = byId("last-page").disabled = offset + rows.length >= total;
  };

  /* A number that is searched for may occur in many cells: the row of that number comes first. */
  const namedRow = (signal) => {
    const nr = /^[\d,]+$/.test(byId("search").value.trim()) ? Number(byId("search").value.trim().replaceAll(",", "")) : 0;
    return nr >= 1 && nr <= result.rows + (result.skipped ?? 0) ? get(`/v1/jobs/${result.job}/rows/${nr}`, signal).catch(() => null) : null;
  };
  const load = async (from) => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    byId("rows").setAttribute("aria-busy", "true");
    try {
      const [answer, named] = await Promise.all([get(query(from, page), signal), from ? null : namedRow(signal)]);
      if (signal.aborted || context.signal.aborted) return;
      const others = answer.rows.filter((row) => row.row !== named?.row);
      rows = [...(named ? [named] : []), ...others].slice(0, page).map(normal);
      [offset, total] = [from, answer.total];
      showHead();
      show();
    } catch (error) {
      if (error.name === "AbortError" || context.signal.aborted) return;
      if (error.problem) byId("listed").textContent = `The rows cannot be shown: ${error.message}`;
      else context.fail(error);
    } finally {
      if (!signal.aborted) byId("rows")?.removeAttribute("aria-busy");
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => context.signal.aborted || load(0), 150);
  };

  byId("sort").replaceChildren(...[["score", "score"], ["row", "row number"], ...(hasId ? [["id", "name of the row"]] : [])].map(([value, text]) =>
    make("option", { value, textContent: text })), make("optgroup", { label: "Columns" }, ...result.columns.filter((column) => column.role !== "id")
    .map((column) => make("option", { value: column.name, textContent: column.name }))));
  byId("sort").addEventListener("change", () => {
    order.key = byId("sort").value;
    order.down = order.key === "score";
    load(0);
  });
  byId("search").addEventListener("input", soon);
  byId("which").addEventListener("change", () => load(0));
  const turn = (id, to) => byId(id).addEventListener("click", async () => {
    await load(to());
    byId("list-h").scrollIntoView({ block: "start" });
    if (byId(id).disabled) byId(id === "next-page" || id === "last-page" ? "before-page" : "next-page").focus();
  });
  turn("first-page", () => 0);
  turn("before-page", () => Math.max(0, offset - page));
  turn("next-page", () => offset + page);
  turn("last-page", () => Math.floor((total - 1) / page) * page);
  byId("copy").addEventListener("click", async () => {
    try {
      const answer = await get(query(0, 1000), context.signal), id = (value) => (hasId ? [value] : []);
      const done = await copyText(asTable([["row", ...id("id"), "score", "p_outlier", "reason", ...result.columns.map((column) => column.name)],
        ...answer.rows.map((row) => [row.row, ...id(row.id), row.score, row.probability, row.reason ?? "", ...(row.values ?? [])])]));
      byId("listed").textContent = !done ? "The browser did not allow copying." : `${plural(answer.rows.length, "row", "rows")} copied.` +
        (answer.total > answer.rows.length ? ` Download the scores to have all ${count(answer.total)}.` : "");
    } catch (error) {
      context.fail(error);
    }
  });
  /* Rows of which the number is known keep their line when a mark changes. */
  const marked = (row) => document.querySelectorAll(`.marks[data-row="${row}"]`).forEach((box) => box.show());
  return { load, soon, marked };
};

/* ---- the details of a row ---- */

const makeAccount = (result, context, parts) => {
  const open = makeDialog(byId("account"));
  const typeOf = (name) => result.columns.find((column) => column.name === name)?.type;
  const ranged = (reason) => reason.kind !== "missing" && !["categorical", "boolean"].includes(typeOf(reason.column));
  let wanted = 0;
  return async (row, button) => {
    const nr = typeof row === "number" ? row : row.row;
    /* The list may be drawn anew meanwhile. */
    const opener = () => (button.isConnected ? button : [...document.querySelectorAll("#rows .open")].find((other) => other.textContent === count(nr)));
    const asked = ++wanted;
    byId("account-marks").replaceChildren("This row is ", parts.marks.buttons(nr));
    open([`Row ${count(nr)}`], [make("p", { className: "hint", role: "status", textContent: "Finding the reasons\u2026" })], opener);
    try {
      const all = normal(await get(`/v1/jobs/${result.job}/rows/${nr}`, context.signal));
      if (asked !== wanted || !byId("account").open) return;
      all.reasons = all.reasons?.map((reason) => ({ ...reason, ranged: reason.ranged ?? ranged(reason) }));
      const cells = all.cells ? all.cells.map((cell) => [cell.column, cell.value ?? ""])
        : result.columns.map((column, i) => [column.name, all.values?.[i] ?? ""]);
      open(accountTitle(all), accountBody(all, parts.threshold, cells, cells.length), opener);
    } catch (error) {
      if (context.signal.aborted || asked !== wanted) return;
      if (!error.problem) byId("account").close();
      if (!error.problem) context.fail(error);
      else open([`Row ${count(nr)}`], [make("p", { className: "problem", textContent: error.message })], opener);
    }
  };
};

/* ---- learning ---- */

const makeLearning = (status, result, context, parts) => {
  byId("learn").addEventListener("click", async () => {
    byId("learn").disabled = true;
    try {
      const job = await send(`/v1/jobs/${result.job}/learn`, parts.marks.body());
      keepTold(job.job, parts.marks.changes());
      keepMarks(result.job, new Map());
      await context.go(`/?job=${job.job}`);
    } catch (error) {
      byId("learn").disabled = false;
      byId("marks-text").textContent = error.problem ? `This did not work: ${error.message}` : "The server does not answer.";
      if (!error.problem) context.fail(error);
    }
  });
  byId("undo").addEventListener("click", async () => {
    byId("undo").disabled = true;
    try {
      await get(`/v1/jobs/${status.parent}`); /* it may have been removed */
      giveBack(result.job, status.parent);
      await context.go(`/?job=${status.parent}`, true);
      await remove(`/v1/jobs/${result.job}`);
      announce("This is the run before. Your marks are still there.");
    } catch (error) {
      if (error.problem?.status === 404) byId("undo").textContent = "The run before has been removed";
      else context.fail(error);
    }
  });
};

/* ---- downloads ---- */

const makeDownloads = (result) => {
  const base = result.name.replace(/\.[^.]+$/, "").replace(/[^A-Za-z0-9_-]+/g, "-") || "table";
  const files = [["Scores", "CSV: score, rank and probability of each row", "scores?format=csv", `${base}.scores.csv`],
    ["Scores with the table", "CSV: your columns, with the scores beside them", "scores?format=csv&table=1", `${base}.with-scores.csv`],
    ["Report", "HTML: this page as one file, to send or to archive", "report", `${base}.report.html`],
    ["Model", "to score new rows with odim score", "model", `${base}.odim`]];
  if (result.command.includes("--known-rows"))
    files.push(["Marked rows", "what you told odim, for the command below", "known", "known.txt"]);
  byId("downloads").replaceChildren(...files.map(([text, about, path, name]) => {
    const link = make("a", { href: `/v1/jobs/${result.job}/${path}`, download: name, className: "button", textContent: text });
    const note = make("span", { className: "hint", textContent: about });
    return make("li", {}, downloadable(link, (error) => (note.textContent = `This did not work: ${error.message}`)), note);
  }));
  byId("command").textContent = result.command;
  byId("copy-command").addEventListener("click", async () => {
    byId("copied").textContent = (await copyText(result.command)) ? "Copied." : "The browser did not allow copying.";
  });
  byId("keep-name").value = base;
  byId("keep").addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = byId("keep-name").value;
    try {
      await request(`/v1/models/${encodeURIComponent(name)}?job=${result.job}`, { method: "PUT" });
      byId("kept").replaceChildren("Kept. Programs score new rows with ", make("code", { textContent: `POST ${location.origin}/v1/models/${name}/score` }), ".");
    } catch (error) {
      byId("kept").textContent = `This did not work: ${error.message || "the server does not answer"}`;
    }
  });
};

/* ---- the state ---- */

export const showResult = async (status, context) => {
  const result = { job: status.job, name: status.name, ...(await get(`/v1/jobs/${status.job}/result`, context.signal)) };
  if (context.signal.aborted) return;
  context.arrived();
  showState("result", result.name);
  showAnswer(result);
  const parts = {};
  const judged = result.labels?.hits
    ? { hits: result.labels.hits, flaggedHits: result.labels.flagged_hits, outliers: result.labels.outliers } : {};
  const { low, high } = result.histogram;
  parts.threshold = makeThreshold({ rows: result.rows, low, high, above: result.above, flagged: result.outliers, noted: result.unusual_rows,
    threshold: result.threshold, thresholdName: result.threshold_name ?? "the threshold", unusual: result.unusual, ...judged }, () => parts.list.soon());
  parts.marks = makeMarks(status.job, result.marks, (row) => parts.list.marked(row));
  parts.open = makeAccount(result, context, parts);
  parts.list = makeList(result, context, parts);
  makeLearning(status, result, context, parts);
  makeDownloads(result);
  showMoved(status.parent ? result : { moved: null }, parts.open);
  parts.marks.show();
  byId("which").value = result.outliers + result.unusual_rows > 0 ? "notable" : "all";
  parts.threshold.set(null);
  showContents();
  announce(byId("main").querySelector("h1").textContent);
  await Promise.all([parts.list.load(0), showReport(result, parts.threshold, context)]);
};
