/* The script of the report: the threshold, the list, the details of a row. Everything it shows comes from the element
 * #data, and goes into the page as text only. */
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const steps = data.above.length - 1;
  const page = 25;
  const state = { threshold: data.threshold, step: null, key: "score", down: true, shown: page };

  /* ---- small things ---- */

  const count = (n) => n.toLocaleString("en");
  const plural = (n, one, many) => count(n) + " " + (n === 1 ? one : many);
  const number = (v) => (v === null ? "" : String(Number(v.toPrecision(5))));
  const percent = (share) => (100 * share < 9.95 ? Number((100 * share).toPrecision(2)) : Math.round(100 * share)) + "\u202f%";

  const make = (tag, options, ...children) => {
    const element = Object.assign(document.createElement(tag), options);
    element.append(...children);
    return element;
  };

  const nameOf = (col) => data.columns[col];
  /* Text from a file, isolated, so that right-to-left letters do not reorder what is around it. */
  const own = (text) => make("bdi", { textContent: text });

  /* ---- the threshold ---- */

  const valueOf = (step) => data.low + ((data.high - data.low) * step) / steps;
  const stepOf = (value) => Math.min(steps, Math.max(0, Math.round(((value - data.low) / (data.high - data.low)) * steps)));
  const above = () => (state.step === null ? data.flagged : data.above[state.step]);
  const isAbove = (row) => row.score > state.threshold;
  const isUnusual = (row) => !isAbove(row) && row.score > data.unusual;
  const verdictOf = (row) => (isAbove(row) ? "outlier" : isUnusual(row) ? "unusual" : "ordinary");
  /* Rows above the level of unusual rows that are not outliers. */
  const unusual = () => Math.max(0, data.flagged + data.noted - above()) * (data.unusual < state.threshold);

  /* The mark of the threshold moves with its group. */
  const figure = byId("score-figure").querySelector("svg");
  const frame = figure.querySelector(".frame");
  const mark = byId("threshold-mark");
  const left = Number(frame.getAttribute("x")), width = Number(frame.getAttribute("width"));
  const markText = mark.querySelector("text");
  const ownText = markText.textContent;
  const pixelOf = (value) =>
    left + (width * (Math.min(data.high, Math.max(data.low, value)) - data.low)) / (data.high - data.low);

  const showThreshold = () => {
    const n = above();
    const right = pixelOf(state.threshold) + 110 < left + width;
    markText.setAttribute("text-anchor", right ? "start" : "end");
    markText.setAttribute("x", pixelOf(data.threshold) + (right ? 5 : -5));
    mark.setAttribute("transform", `translate(${pixelOf(state.threshold) - pixelOf(data.threshold)} 0)`);
    markText.textContent = state.step === null ? ownText : `threshold ${number(state.threshold)}`;
    const counts = byId("counts");
    counts.replaceChildren(make("b", { textContent: plural(n, "row", "rows") }),
      ` (${percent(n / data.rows)}) ${n === 1 ? "has a score" : "have scores"} above ${number(state.threshold)}` +
      (state.step === null ? `, ${data.thresholdName}.` : `; ${data.thresholdName} is ${number(data.threshold)}.`));
    const more = unusual();
    byId("headline-count").textContent = n ? count(n) : "No";
    byId("headline-rest").textContent = (n === 1 ? "outlier" : "outliers") +
      (more ? (n ? " and " : ", ") + plural(more, "unusual row", "unusual rows") : "") + " among " +
      (more ? count(data.rows) : plural(data.rows, "row", "rows"));
    byId("fact-outliers").textContent = `${count(n)} (${percent(n / data.rows)})`;
    byId("fact-unusual").textContent = `${count(more)} (${percent(more / data.rows)})`;
    byId("fact-threshold").textContent = number(state.threshold);
    byId("slider").setAttribute("aria-valuetext", `${number(state.threshold)}: ${plural(n, "row", "rows")} above`);
    const precision = byId("precision");
    if (precision) {
      const known = state.step === null ? data.flaggedHits : data.hits[state.step];
      precision.textContent = n
        ? `At the threshold: ${count(known)} of ${plural(n, "row", "rows")} above are labeled outliers (precision ` +
          `${(known / n).toFixed(3)}), of ${count(data.outliers)} in all (recall ${(known / data.outliers).toFixed(3)}).`
        : "No row is above the threshold.";
    }
  };

  /* If the plot is wider than the screen. */
  const keepInView = () => {
    const box = byId("score-figure"), scale = figure.clientWidth / figure.viewBox.baseVal.width;
    if (box.scrollWidth > box.clientWidth) box.scrollLeft = scale * pixelOf(state.threshold) - box.clientWidth / 2;
  };

  const setStep = (step, pointing = false) => {
    state.step = step;
    state.threshold = step === null ? data.threshold : valueOf(step);
    byId("slider").value = step === null ? stepOf(data.threshold) : step;
    if (!pointing) keepInView();
    state.shown = page;
    showThreshold();
    showRows();
  };

  const stepAt = (event) => {
    const box = figure.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * figure.viewBox.baseVal.width;
    return Math.min(steps, Math.max(0, Math.round(((x - left) / width) * steps)));
  };
  byId("slider").addEventListener("input", (event) => setStep(Number(event.target.value)));
  byId("reset").addEventListener("click", () => setStep(null));
  figure.addEventListener("pointerdown", (event) => {
    figure.setPointerCapture(event.pointerId);
    setStep(stepAt(event), true);
  });
  figure.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) setStep(stepAt(event), true);
  });

  /* ---- the list ---- */

  /* A reason is [column, share, value, expected, usual, whether that is a range]. */
  const isPictures = data.list.some((row) => row.pictures);
  const reasonText = ([col, , value, expected, usual, ranged]) => isPictures ? `${nameOf(col)} ${usual}` : `${nameOf(col)} ${value}` +
    (expected ? `, expected ${expected}` : "") + (usual ? ` (${ranged ? "usual " : ""}${usual})` : "");
  for (const row of data.list) {
    const parts = [String(row.row), row.id ?? "", ...(row.reasons ?? []).map(reasonText), ...(row.values ?? [])];
    row.text = parts.join("\n").toLowerCase();
  }

  const compare = (a, b) => {
    const x = a[state.key], y = b[state.key];
    const order = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y;
    return (state.down ? -order : order) || b.score - a.score;
  };

  const chosen = () => {
    const wanted = byId("search").value.trim().toLowerCase();
    const which = byId("which").value;
    /* A search goes through every row on the page. */
    const isWanted = (row) => (wanted ? row.text.includes(wanted)
      : which === "all" || isAbove(row) || (which === "notable" && isUnusual(row)));
    return data.list.filter(isWanted).sort(compare);
  };

  const bar = (share) => {
    const fill = make("div", { className: "fill" });
    fill.style.width = `${Math.max(2, 100 * share)}%`;
    return make("div", { className: "track", title: percent(share) }, fill);
  };

  const reasonItem = (reason) =>
    make("li", {}, bar(reason[1]), make("span", {}, make("b", {}, own(nameOf(reason[0]))), " ",
      ...(isPictures ? [reason[4]] : valueWords(reason))));
  const valueWords = (reason) => [own(reason[2]),
      ...(reason[3] ? [", expected ", own(reason[3])] : []),
      ...(reason[4] ? [reason[5] ? " (usual " : " (", own(reason[4]), ")"] : [])];

  /* Pictures of a row: itself, where it stands out, what was expected. */
  const pictureNames = ["the picture", "what stands out", "what was expected"];
  const picture = (row, i) => make("img", { src: row.pictures[i], alt: `${row.id ?? `row ${row.row}`}: ${pictureNames[i]}`,
    className: i ? "grid" : "" });

  const rowLine = (row) => {
    const line = make("tr", { className: isAbove(row) ? "" : "below", role: "row" });
    const put = (className, text, label) => {
      const box = make("td", { className, textContent: text, role: "cell" });
      if (label) box.dataset.label = label;
      line.append(box);
    };
    const open = make("button", { type: "button", className: "open", textContent: count(row.row) });
    open.setAttribute("aria-label", `Details of row ${count(row.row)}`);
    open.setAttribute("aria-haspopup", "dialog");
    open.addEventListener("click", (event) => {
      event.stopPropagation();
      showAccount(row, open);
    });
    line.append(make("th", { scope: "row", className: "number", role: "rowheader" }, open));
    if (data.id !== undefined) line.append(make("td", { className: "id", role: "cell" }, own(row.id)));
    put("number", number(row.score), "score");
    put("number", row.p.toFixed(3), "probability");
    put(`verdict ${verdictOf(row)}`, verdictOf(row));
    if (row.label !== undefined) put("", row.label, "label");
    if (isPictures)
      line.append(make("td", { className: "pictures", role: "cell" }, ...(row.pictures ? [picture(row, 0), picture(row, 1)] : [])));
    if (row.reasons)
      line.append(make("td", { className: "why", role: "cell" },
        make("ul", { className: "reasons" }, ...row.reasons.slice(0, 3).map(reasonItem))));
    /* Anywhere on the line, but not at the end of selecting text. */
    line.addEventListener("click", () => {
      if (!String(getSelection())) showAccount(row, open);
    });
    return line;
  };

  /* For a large table the page has only the highest scores. */
  const held = data.list.length < data.rows
    ? ` This page contains ${count(data.list.length)} of ${count(data.rows)} rows: those with the highest scores.`
    : ` This page contains all ${plural(data.rows, "row", "rows")}.`;
  const notListed = (searched) => {
    const missing = above() - data.list.filter(isAbove).length;
    return searched || missing <= 0 ? "" : ` ${plural(missing, "outlier is", "outliers are")} not on this page.`;
  };
  const kinds = { outliers: ["outlier", "outliers"], notable: ["outlier or unusual row", "outliers and unusual rows"],
    all: ["row", "rows"] };

  const showRows = () => {
    const rows = chosen(), searched = byId("search").value.trim() !== "";
    const shown = rows.slice(0, state.shown);
    document.querySelector("#rows tbody").replaceChildren(...shown.map(rowLine));
    byId("more").hidden = shown.length === rows.length;
    byId("which").disabled = searched;
    const part = shown.length < rows.length ? `, of which ${count(shown.length)} are shown` : "";
    const found = searched ? plural(rows.length, "matching row", "matching rows") : plural(rows.length, ...kinds[byId("which").value]);
    byId("listed").textContent = (rows.length ? `${found}${part}.` : searched ? "No row matches." : `No ${kinds[byId("which").value][1]}.`) +
      notListed(searched) + held;
  };

  byId("search").addEventListener("input", () => { state.shown = page; showRows(); });
  byId("which").addEventListener("change", () => { state.shown = page; showRows(); });
  byId("more").addEventListener("click", () => {
    const before = state.shown;
    state.shown += page;
    showRows();
    document.querySelectorAll("#rows tbody .open")[before]?.focus();
  });
  for (const button of document.querySelectorAll("#rows thead button")) {
    button.addEventListener("click", () => {
      const key = button.dataset.key;
      state.down = state.key === key ? !state.down : key !== "row" && key !== "id";
      state.key = key;
      for (const other of document.querySelectorAll("#rows thead button"))
        other.parentElement.setAttribute("aria-sort", other !== button ? "none" : state.down ? "descending" : "ascending");
      showRows();
    });
  }

  /* ---- copying ---- */

  const cell = (text) => String(text ?? "").replace(/[\t\r\n]+/g, " ");
  const asTable = () => {
    const head = ["row", ...(data.id !== undefined ? [data.id] : []), "score", "p_outlier", "reasons"];
    const lines = chosen().map((row) => [row.row, ...(data.id !== undefined ? [row.id] : []), row.score, row.p,
      (row.reasons ?? []).map(reasonText).join("; ")]);
    return [head, ...lines].map((line) => line.map(cell).join("\t")).join("\n") + "\n";
  };
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
  byId("copy").addEventListener("click", async () => {
    const done = await copyText(asTable());
    byId("listed").textContent = done ? `${plural(chosen().length, "row", "rows")} copied.` : "The browser did not allow copying.";
  });

  /* ---- the details of a row ---- */

  const dialog = byId("account");
  let opener = null;

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

  const showAccount = (row, button) => {
    opener = button;
    byId("account-h").replaceChildren(`Row ${count(row.row)}`, ...(row.id ? [", ", own(row.id)] : []));
    const means = { outlier: "an outlier", unusual: "unusual, but not an outlier", ordinary: "not unusual" }[verdictOf(row)];
    const body = [make("p", {}, make("b", { textContent: `Score ${number(row.score)}: ${means}.` }),
      ` Rows above ${number(state.threshold)} are outliers. Probability of being an outlier: ${row.p.toFixed(3)}.` +
      (row.label === undefined ? "" : ` Labeled ${row.label ? "an outlier" : "an inlier"}.`))];
    if (row.pictures)
      body.push(make("div", { className: "pictures large" }, ...pictureNames.map((name, i) =>
        make("figure", {}, picture(row, i), make("figcaption", { textContent: name })))));
    if (row.reasons?.length)
      body.push(table("Reasons, with their share of what is unusual about the row",
        isPictures ? ["part", "brightness", "expected", "difference", "share"] : ["column", "value", "expected", "usual", "share"], row.reasons.map(([col, share, ...rest]) =>
          [own(nameOf(col)), ...rest.slice(0, 3).map((text) => (text ? own(text) : "\u2013")),
            make("div", { className: "share" }, bar(share), percent(share))])));
    else if (row.reasons) body.push(make("p", { textContent: "No column is unusual." }));
    if (row.values?.length) {
      /* In the order of the table; if there are very many columns, only the most important ones. */
      const order = data.shown.map((col, i) => [col, i]).sort((a, b) => a[0] - b[0]);
      const part = row.values.length < data.cols ? `, the ${count(row.values.length)} most important of ${count(data.cols)} columns` : "";
      body.push(table(`Values of the row${part}`, ["column", "value"],
        order.map(([col, i]) => [own(nameOf(col)), row.values[i] === "" ? "missing" : own(row.values[i])])));
    }
    byId("account-body").replaceChildren(...body);
    dialog.showModal();
    dialog.scrollTop = 0;
  };
  byId("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => opener?.focus());

  byId("which").value = data.flagged + data.noted > 0 ? "notable" : "all";
  setStep(null);
})();
