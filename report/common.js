/* Functions that the report and the page of `odim serve` share: texts, threshold, list, details of a row. All data goes
 * into a page as text only. The report contains this file as its first script; the page loads it before its own. */
"use strict";
const odim = (() => {
  const byId = (id) => document.getElementById(id);

  /* ---- texts ---- */

  const count = (n) => n.toLocaleString("en");
  const plural = (n, one, many) => count(n) + " " + (n === 1 ? one : many);
  const number = (v) => (v === null ? "" : String(Number(v.toPrecision(5))));
  const percent = (share) => (100 * share < 9.95 ? Number((100 * share).toPrecision(2)) : Math.round(100 * share)) + "\u202f%";

  const make = (tag, options, ...children) => {
    const element = Object.assign(document.createElement(tag), options);
    element.append(...children);
    return element;
  };
  /* Text from a file, isolated, so that right-to-left letters do not reorder what is around it. */
  const own = (text) => make("bdi", { textContent: text });

  const copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  /* ---- the threshold ---- */

  /* The slider, the counts and the headline. `data` has rows, low, high, above (rows above each step of the slider),
   * flagged, noted (outliers and unusual rows at the own threshold), threshold, thresholdName and unusual; with labels
   * also hits, flaggedHits and outliers. `changed` is called after every move. */
  const makeThreshold = (data, changed) => {
    const steps = data.above.length - 1;
    const span = data.high - data.low || 1;
    let step = null, value = data.threshold, plot = null;

    const above = () => (step === null ? data.flagged : data.above[step]);
    const isAbove = (row) => row.score > value;
    const isUnusual = (row) => !isAbove(row) && row.score > data.unusual;
    const verdictOf = (row) => (isAbove(row) ? "outlier" : isUnusual(row) ? "unusual" : "ordinary");
    /* Rows above the level of unusual rows that are not outliers. */
    const unusual = () => Math.max(0, data.flagged + data.noted - above()) * (data.unusual < value);
    const stepOf = (v) => Math.min(steps, Math.max(0, Math.round(((v - data.low) / span) * steps)));

    /* The mark of the threshold moves with its group. */
    const showMark = () => {
      if (!plot) return;
      const { mark, text, pixelOf } = plot;
      const right = pixelOf(value) + 110 < plot.left + plot.width;
      text.setAttribute("text-anchor", right ? "start" : "end");
      text.setAttribute("x", pixelOf(data.threshold) + (right ? 5 : -5));
      mark.setAttribute("transform", `translate(${pixelOf(value) - pixelOf(data.threshold)} 0)`);
      text.textContent = step === null ? plot.ownText : `threshold ${number(value)}`;
    };
    const showPrecision = (n) => {
      const precision = byId("precision");
      if (!precision || !data.hits) return;
      const known = step === null ? data.flaggedHits : data.hits[step];
      precision.textContent = n
        ? `At the threshold: ${count(known)} of ${plural(n, "row", "rows")} above are labeled outliers (precision ` +
          `${(known / n).toFixed(3)}), of ${count(data.outliers)} in all (recall ${(known / data.outliers).toFixed(3)}).`
        : "No row is above the threshold.";
    };
    const show = () => {
      const n = above(), more = unusual();
      showMark();
      byId("counts").replaceChildren(make("b", { textContent: plural(n, "row", "rows") }),
        ` (${percent(n / data.rows)}) ${n === 1 ? "has a score" : "have scores"} above ${number(value)}` +
        (step === null ? `, ${data.thresholdName}.` : `; ${data.thresholdName} is ${number(data.threshold)}.`));
      byId("headline-count").textContent = n ? count(n) : "No";
      byId("headline-rest").textContent = (n === 1 ? "outlier" : "outliers") +
        (more ? (n ? " and " : ", ") + plural(more, "unusual row", "unusual rows") : "") + " among " +
        (more ? count(data.rows) : plural(data.rows, "row", "rows"));
      byId("fact-outliers").textContent = `${count(n)} (${percent(n / data.rows)})`;
      byId("fact-unusual").textContent = `${count(more)} (${percent(more / data.rows)})`;
      byId("fact-threshold").textContent = number(value);
      byId("slider").setAttribute("aria-valuetext", `${number(value)}: ${plural(n, "row", "rows")} above`);
      showPrecision(n);
    };

    /* If the plot is wider than the screen. */
    const keepInView = () => {
      if (!plot) return;
      const { box, svg, pixelOf } = plot, scale = svg.clientWidth / svg.viewBox.baseVal.width;
      if (box.scrollWidth > box.clientWidth) box.scrollLeft = scale * pixelOf(value) - box.clientWidth / 2;
    };
    const set = (to, pointing = false) => {
      step = to;
      value = step === null ? data.threshold : data.low + (span * step) / steps;
      byId("slider").value = step === null ? stepOf(data.threshold) : step;
      if (!pointing) keepInView();
      show();
      changed();
    };

    /* The plot of the scores, in which a click or a pull moves the threshold too. */
    const attach = (box) => {
      const svg = box.querySelector("svg"), frame = svg.querySelector(".frame");
      const mark = svg.querySelector("#threshold-mark"), text = mark.querySelector("text");
      const left = Number(frame.getAttribute("x")), width = Number(frame.getAttribute("width"));
      const pixelOf = (v) => left + (width * (Math.min(data.high, Math.max(data.low, v)) - data.low)) / span;
      plot = { box, svg, mark, text, left, width, pixelOf, ownText: text.textContent };
      const stepAt = (event) => {
        const area = svg.getBoundingClientRect();
        const x = ((event.clientX - area.left) / area.width) * svg.viewBox.baseVal.width;
        return Math.min(steps, Math.max(0, Math.round(((x - left) / width) * steps)));
      };
      svg.addEventListener("pointerdown", (event) => {
        svg.setPointerCapture(event.pointerId);
        set(stepAt(event), true);
      });
      svg.addEventListener("pointermove", (event) => {
        if (event.buttons & 1) set(stepAt(event), true);
      });
      showMark();
      keepInView();
    };

    byId("slider").addEventListener("input", (event) => set(Number(event.target.value)));
    byId("reset").addEventListener("click", () => set(null));
    return { set, show, attach, above, isAbove, isUnusual, verdictOf, value: () => value, isOwn: () => step === null };
  };

  /* ---- the list ---- */

  /* A reason has column, share, value, expected, usual, and whether that is a range (ranged). With `part` the column is a
   * part of a picture, and `usual` says how it differs. */
  const reasonText = ({ column, value, expected, usual, ranged, part }) => (part ? `${column} ${usual}` : `${column} ${value}` +
    (expected ? `, expected ${expected}` : "") + (usual ? ` (${ranged ? "usual " : ""}${usual})` : ""));

  const bar = (share) => {
    const fill = make("div", { className: "fill" });
    fill.style.width = `${Math.max(2, 100 * share)}%`;
    return make("div", { className: "track", title: percent(share) }, fill);
  };

  const valueWords = ({ value, expected, usual, ranged }) => [own(value), ...(expected ? [", expected ", own(expected)] : []),
    ...(usual ? [ranged ? " (usual " : " (", own(usual), ")"] : [])];
  const reasonItem = (reason) =>
    make("li", {}, bar(reason.share), make("span", {}, make("b", {}, own(reason.column)), " ",
      ...(reason.part ? [reason.usual] : valueWords(reason))));
  const reasonList = (reasons) => make("ul", { className: "reasons" }, ...reasons.slice(0, 3).map(reasonItem));

  /* Pictures of a row: itself, where it stands out, what was expected. */
  const pictureNames = ["the picture", "what stands out", "what was expected"];
  const picture = (row, i) => make("img", { src: row.pictures[i], alt: `${row.id ?? `row ${row.row}`}: ${pictureNames[i]}`,
    className: i ? "grid" : "" });
  const pictureCell = (row) =>
    make("td", { className: "pictures", role: "cell" }, ...(row.pictures ? [picture(row, 0), picture(row, 1)] : []));

  /* A line of the list. `more` are further cells; `open` is called with the row and its button. */
  const rowLine = (row, verdict, hasId, open, ...more) => {
    const line = make("tr", { className: verdict === "outlier" ? "" : "below", role: "row" });
    const put = (className, text, label) => {
      const box = make("td", { className, textContent: text, role: "cell" });
      if (label) box.dataset.label = label;
      line.append(box);
    };
    const button = make("button", { type: "button", className: "open", textContent: count(row.row) });
    button.setAttribute("aria-label", `Details of row ${count(row.row)}`);
    button.setAttribute("aria-haspopup", "dialog");
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      open(row, button);
    });
    line.append(make("th", { scope: "row", className: "number", role: "rowheader" }, button));
    if (hasId) line.append(make("td", { className: "id", role: "cell" }, own(row.id)));
    put("number", number(row.score), "score");
    put("number", row.p.toFixed(3), "probability");
    put(`verdict ${verdict}`, verdict);
    if (row.label !== undefined) put("", row.label, "label");
    line.append(...more);
    /* Anywhere on the line, but not at the end of selecting text. */
    line.addEventListener("click", () => {
      if (!String(getSelection())) open(row, button);
    });
    return line;
  };

  /* The buttons in the head of the list. `order` has key and down, and `changed` is called after every change. */
  const sortable = (head, order, changed) => {
    const buttons = [...head.querySelectorAll("button")];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        const key = button.dataset.key;
        order.down = order.key === key ? !order.down : key !== "row" && key !== "id";
        order.key = key;
        for (const other of buttons)
          other.parentElement.setAttribute("aria-sort", other !== button ? "none" : order.down ? "descending" : "ascending");
        changed();
      });
    }
  };

  const kinds = { outliers: ["outlier", "outliers"], notable: ["outlier or unusual row", "outliers and unusual rows"],
    all: ["row", "rows"] };
  /* The number of rows that a search, or else a kind of rows, has found. */
  const foundText = (rows, searched, which, part = "") => (rows
    ? `${searched ? plural(rows, "matching row", "matching rows") : plural(rows, ...kinds[which])}${part}.`
    : searched ? "No row matches." : `No ${kinds[which][1]}.`);

  const cell = (text) => String(text ?? "").replace(/[\t\r\n]+/g, " ");
  const asTable = (lines) => lines.map((line) => line.map(cell).join("\t")).join("\n") + "\n";

  /* ---- the details of a row ---- */

  const table = (caption, heads, lines) => {
    const body = make("tbody");
    for (const line of lines) {
      const tr = make("tr");
      line.forEach((value, i) => {
        const box = make(i ? "td" : "th");
        if (i) box.dataset.label = heads[i];
        if (!i) box.scope = "row";
        box.append(value);
        tr.append(box);
      });
      body.append(tr);
    }
    const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col", textContent: text })));
    return make("table", { className: heads.length > 2 ? "stack" : "" }, make("caption", { textContent: caption }), make("thead", {}, head), body);
  };

  const accountTitle = (row) => [`Row ${count(row.row)}`, ...(row.id ? [", ", own(row.id)] : [])];
  /* `cells` are pairs of column and text, in the order of the table; `cols` is the number of all columns. */
  const accountBody = (row, threshold, cells, cols) => {
    const means = { outlier: "an outlier", unusual: "unusual, but not an outlier", ordinary: "not unusual" }[threshold.verdictOf(row)];
    const body = [make("p", {}, make("b", { textContent: `Score ${number(row.score)}: ${means}.` }),
      ` Rows above ${number(threshold.value())} are outliers. Probability of being an outlier: ${row.p.toFixed(3)}.` +
      (row.label === undefined ? "" : ` Labeled ${row.label ? "an outlier" : "an inlier"}.`))];
    if (row.pictures)
      body.push(make("div", { className: "pictures large" }, ...pictureNames.map((name, i) =>
        make("figure", {}, picture(row, i), make("figcaption", { textContent: name })))));
    const heads = row.reasons?.[0]?.part ? ["part", "brightness", "expected", "difference", "share"]
      : ["column", "value", "expected", "usual", "share"];
    if (row.reasons?.length)
      body.push(table("Reasons, with their share of what is unusual about the row", heads, row.reasons.map((reason) =>
          [own(reason.column), ...[reason.value, reason.expected, reason.usual].map((text) => (text ? own(text) : "\u2013")),
            make("div", { className: "share" }, bar(reason.share), percent(reason.share))])));
    else if (row.reasons) body.push(make("p", { textContent: "No column is unusual." }));
    if (cells?.length) {
      const part = cells.length < cols ? `, the ${count(cells.length)} most important of ${count(cols)} columns` : "";
      body.push(table(`Values of the row${part}`, ["column", "value"],
        cells.map(([column, text]) => [own(column), text === "" ? "missing" : own(text)])));
    }
    return body;
  };

  /* The dialog. The focus goes back to what `opener` finds when it closes. */
  const makeDialog = (dialog) => {
    let opener = null;
    byId("close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => opener?.()?.focus());
    return (title, body, from) => {
      byId("account-h").replaceChildren(...title);
      byId("account-body").replaceChildren(...body);
      opener = from;
      if (!dialog.open) dialog.showModal();
      dialog.scrollTop = 0;
    };
  };

  return { byId, count, plural, number, percent, make, own, copyText, makeThreshold, reasonText, reasonList, pictureCell, rowLine,
    sortable, foundText, asTable, table, accountTitle, accountBody, makeDialog };
})();
