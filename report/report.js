/* The script of the report: it shows the data of the element #data with the functions of common.js. */
"use strict";
(() => {
  const { byId, count, plural, make, copyText, makeThreshold, reasonText, reasonList, pictureCell, rowLine, sortable, foundText,
    asTable, accountTitle, accountBody, makeDialog } = odim;
  const data = JSON.parse(byId("data").textContent);
  const page = 25;
  const order = { key: "score", down: true };
  const hasId = data.id !== undefined;
  let shown = page;

  const isPictures = data.list.some((row) => row.pictures);
  /* In the data a reason is [column, share, value, expected, usual, whether that is a range]. */
  for (const row of data.list) {
    row.reasons = row.reasons?.map(([col, share, value, expected, usual, ranged]) =>
      ({ column: data.columns[col], share, value, expected, usual, ranged, part: isPictures }));
    const parts = [String(row.row), row.id ?? "", ...(row.reasons ?? []).map(reasonText), ...(row.values ?? [])];
    row.text = parts.join("\n").toLowerCase();
  }

  /* ---- the list ---- */

  const compare = (a, b) => {
    const x = a[order.key], y = b[order.key];
    const by = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y;
    return (order.down ? -by : by) || b.score - a.score;
  };

  const chosen = () => {
    const wanted = byId("search").value.trim().toLowerCase();
    const which = byId("which").value;
    /* A search goes through every row on the page. */
    const isWanted = (row) => (wanted ? row.text.includes(wanted)
      : which === "all" || threshold.isAbove(row) || (which === "notable" && threshold.isUnusual(row)));
    return data.list.filter(isWanted).sort(compare);
  };

  /* For a large table the page has only the highest scores. */
  const held = data.list.length < data.rows
    ? ` This page contains ${count(data.list.length)} of ${count(data.rows)} rows: those with the highest scores.`
    : ` This page contains all ${plural(data.rows, "row", "rows")}.`;
  const notListed = (searched) => {
    const missing = threshold.above() - data.list.filter(threshold.isAbove).length;
    return searched || missing <= 0 ? "" : ` ${plural(missing, "outlier is", "outliers are")} not on this page.`;
  };

  const lineOf = (row) => rowLine(row, threshold.verdictOf(row), hasId, showAccount,
    ...(isPictures ? [pictureCell(row)] : []),
    ...(row.reasons ? [make("td", { className: "why", role: "cell" }, reasonList(row.reasons))] : []));
  const showRows = () => {
    const rows = chosen(), searched = byId("search").value.trim() !== "";
    const part = shown < rows.length ? `, of which ${count(shown)} are shown` : "";
    document.querySelector("#rows tbody").replaceChildren(...rows.slice(0, shown).map(lineOf));
    byId("more").hidden = shown >= rows.length;
    byId("which").disabled = searched;
    byId("listed").textContent = foundText(rows.length, searched, byId("which").value, part) + notListed(searched) + held;
  };
  const showAgain = () => {
    shown = page;
    showRows();
  };

  byId("search").addEventListener("input", showAgain);
  byId("which").addEventListener("change", showAgain);
  byId("more").addEventListener("click", () => {
    const before = shown;
    shown += page;
    showRows();
    document.querySelectorAll("#rows tbody .open")[before]?.focus();
  });
  sortable(document.querySelector("#rows thead"), order, showRows);

  byId("copy").addEventListener("click", async () => {
    const rows = chosen(), id = (value) => (hasId ? [value] : []);
    const done = await copyText(asTable([["row", ...id(data.id), "score", "p_outlier", "reasons"], ...rows.map((row) =>
      [row.row, ...id(row.id), row.score, row.p, (row.reasons ?? []).map(reasonText).join("; ")])]));
    byId("listed").textContent = done ? `${plural(rows.length, "row", "rows")} copied.` : "The browser did not allow copying.";
  });

  /* ---- the details of a row ---- */

  const open = makeDialog(byId("account"));
  /* In the order of the table; if there are very many columns, the data has only the most important ones. */
  const inOrder = data.shown.map((col, i) => [col, i]).sort((a, b) => a[0] - b[0]);
  const showAccount = (row, button) => {
    const cells = row.values?.length ? inOrder.map(([col, i]) => [data.columns[col], row.values[i]]) : [];
    open(accountTitle(row), accountBody(row, threshold, cells, data.cols), () => button);
  };

  const threshold = makeThreshold(data, showAgain);
  threshold.attach(byId("score-figure"));
  byId("which").value = data.flagged + data.noted > 0 ? "notable" : "all";
  threshold.set(null);
})();
