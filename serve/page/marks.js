/* What the user knows: marks on rows ("outlier" or "fine"), the tray that shows them, and what a run has learned from them. */
import { announce } from "./ui.js";

const { byId, count, make, number, own, plural, table } = odim;

/* Marks that the run does not know yet survive a reload. */
const keyOf = (job) => `odim-marks-${job}`;
const load = (job) => {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(keyOf(job))) ?? []);
  } catch {
    return new Map();
  }
};
/* Marks for a run that begins anew, as after an undo. */
export const keepMarks = (job, changes) => {
  if (changes.size) sessionStorage.setItem(keyOf(job), JSON.stringify([...changes]));
  else sessionStorage.removeItem(keyOf(job));
};

/* `known` has the marks that the run has learned from: {outliers, inliers}. A mark is "outlier", "fine" or null. */
export const makeMarks = (job, known, changed) => {
  const learned = new Map([...(known?.outliers ?? []).map((row) => [row, "outlier"]), ...(known?.inliers ?? []).map((row) => [row, "fine"])]);
  const changes = load(job);

  const of = (row) => (changes.has(row) ? changes.get(row) : learned.get(row) ?? null);
  const set = (row, mark) => {
    if ((learned.get(row) ?? null) === mark) changes.delete(row);
    else changes.set(row, mark);
    keepMarks(job, changes);
    show();
    changed(row);
  };
  const clear = () => {
    const rows = [...changes.keys()];
    changes.clear();
    keepMarks(job, changes);
    show();
    rows.forEach(changed);
  };
  const body = () => {
    const rows = (mark) => [...changes].filter(([, is]) => is === mark).map(([row]) => row);
    return { outliers: rows("outlier"), inliers: rows("fine"), forget: rows(null) };
  };

  /* Two buttons, each of which takes its mark away again. */
  const buttons = (row) => {
    const box = make("span", { className: "marks" });
    const show = () => {
      for (const button of box.children) button.setAttribute("aria-pressed", String(of(row) === button.dataset.mark));
    };
    for (const [mark, text, means] of [["outlier", "outlier", "really an outlier"], ["fine", "fine", "fine"]]) {
      const button = make("button", { type: "button", className: `mark ${mark}`, textContent: text });
      button.dataset.mark = mark;
      button.setAttribute("aria-label", `Row ${count(row)} is ${means}`);
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        set(row, of(row) === mark ? null : mark);
      });
      box.append(button);
    }
    box.dataset.row = row;
    box.show = show;
    show();
    return box;
  };

  const chip = ([row, mark]) => {
    const off = make("button", { type: "button", className: "small", textContent: "\u00d7" });
    off.setAttribute("aria-label", `Take back the mark of row ${count(row)}`);
    off.addEventListener("click", () => {
      set(row, learned.get(row) ?? null);
      (byId("marks-list").querySelector("button") ?? byId("search"))?.focus();
    });
    return make("li", { className: mark ?? "none" }, `${count(row)} ${mark ?? "no mark"} `, off);
  };
  const show = () => {
    byId("marks-tray").hidden = changes.size === 0;
    if (!changes.size) return;
    const { outliers, inliers, forget } = body();
    const parts = [[outliers, "outlier", "outliers"], [inliers, "fine row", "fine rows"], [forget, "mark taken back", "marks taken back"]];
    byId("marks-text").textContent = "Marked: " + parts.filter(([rows]) => rows.length).map(([rows, ...words]) => plural(rows.length, ...words)).join(", ") + ".";
    byId("marks-list").replaceChildren(...[...changes].slice(0, 12).map(chip),
      ...(changes.size > 12 ? [make("li", { textContent: `and ${count(changes.size - 12)} more` })] : []));
  };
  byId("clear-marks").addEventListener("click", () => {
    clear();
    announce("All marks are taken back.");
    byId("search").focus();
  });
  return { of, set, clear, body, buttons, show, changes: () => changes, learned };
};

/* ---- what a run has learned ---- */

const movedTable = (caption, rows, all, open) => table(`${caption}${rows.length < all ? ` (the first ${count(rows.length)} of ${count(all)})` : ""}`,
  ["row", "score before", "score now"], rows.map(({ row, id, before, after }) => {
    const button = make("button", { type: "button", className: "open" }, count(row), ...(id ? [", ", own(id)] : []));
    button.addEventListener("click", () => open(row, button));
    return [button, number(before), number(after)];
  }));

/* What a run was told that its parent did not know, so that it can be brought back. */
const toldKey = (job) => `odim-told-${job}`;
export const keepTold = (job, changes) => sessionStorage.setItem(toldKey(job), JSON.stringify([...changes]));
export const giveBack = (job, parent) => {
  const told = JSON.parse(sessionStorage.getItem(toldKey(job)) ?? "[]");
  if (told.length) keepMarks(parent, new Map(told));
};

export const showMoved = (result, open) => {
  const { moved } = result;
  byId("moved").hidden = !moved;
  if (!moved) return;
  const told = [[result.marks?.outliers, "outlier", "outliers"], [result.marks?.inliers, "fine row", "fine rows"]]
    .filter(([rows]) => rows?.length).map(([rows, ...words]) => plural(rows.length, ...words)).join(" and ");
  const { now_outliers: more, no_longer: less } = moved.counts;
  const changes = [[more, "row is now an outlier", "rows are now outliers"], [less, "row is no longer an outlier", "rows are no longer outliers"]]
    .filter(([rows]) => rows).map(([rows, ...words]) => plural(rows, ...words)).join(", and ");
  byId("moved-text").textContent = `You told it about ${told || "no rows"}. ` +
    (changes ? `${changes}.` : "The same rows are outliers as before; only their scores have changed.");
  const lists = [];
  if (moved.now_outliers.length) lists.push(make("div", {}, movedTable("Outliers now", moved.now_outliers, more, open)));
  if (moved.no_longer.length) lists.push(make("div", {}, movedTable("No longer outliers", moved.no_longer, less, open)));
  byId("moved-lists").replaceChildren(...lists);
};
