/* The second state: what was understood of a file, with ways to correct it, and the start of a run. */
import { get, send } from "./api.js";
import { announce, showProblem, showState, size } from "./ui.js";

const { byId, count, make, own, plural } = odim;

const few = 60, fewNotes = 6; /* columns and notes that are shown at first */
const roles = [["feature", "used"], ["ignored", "ignored"], ["id", "names the row"], ["label", "labels to compare with"],
  ["known", "known outliers to learn from"]];
const types = [["numeric", "number"], ["numeric:comma", "number, decimal comma"], ["numeric:point", "number, decimal point"],
  ["boolean", "yes or no"], ["categorical", "category"], ["time", "date or time"], ["time:dmy", "date, day first"], ["time:mdy", "date, month first"],
  ["time:ymd", "date, year first"]];
const typeWords = { numeric: "number", boolean: "yes or no", categorical: "category", time: "date or time" };

/* By the keyboard a choice changes with every key: the last one counts. */
const settled = (select, changed) => {
  let timer = 0, key = -Infinity;
  select.addEventListener("keydown", () => (key = performance.now()));
  select.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(() => select.isConnected && changed(select.value), performance.now() - key < 1000 ? 700 : 0);
  });
};
const selectOf = (label, options, value, changed) => {
  const select = make("select", {}, ...options.map(([key, text]) => make("option", { value: key, textContent: text })));
  select.setAttribute("aria-label", label);
  select.value = value;
  settled(select, changed);
  return select;
};

/* The options with another role of a column. */
const withRole = (table, name, role) => {
  const options = { ...table.options };
  const ignored = new Set(options.ignore ?? []);
  for (const key of ["id", "label", "known"]) if (options[key] === name) delete options[key];
  /* Without this the server would find the same id again. */
  if (table.columns.some((column) => column.name === name && column.role === "id")) options.id = "";
  ignored.delete(name);
  if (role === "ignored") ignored.add(name);
  else if (role !== "feature") options[role] = name;
  options.ignore = [...ignored];
  return options;
};
const withType = (table, name, type) => {
  const kinds = { ...(table.options.types ?? {}) };
  if (type) kinds[name] = type;
  else delete kinds[name];
  return { ...table.options, types: kinds };
};

const columnLine = (table, column, read) => {
  const line = make("tr", { role: "row", className: column.role === "feature" && column.type && !column.why ? "" : "below" });
  const put = (label, ...children) => {
    const box = make("td", { role: "cell" }, ...children);
    box.dataset.label = label;
    line.append(box);
  };
  const chosen = table.options.types?.[column.name] ?? "";
  const automatic = `${typeWords[column.type] ?? "automatic"}${chosen ? "" : " (found)"}`;
  const options = [["", chosen ? "automatic" : automatic], ...types];
  if (chosen && !types.some(([key]) => key === chosen)) options.push([chosen, chosen]);
  const role = column.role === "ignored" && !(table.options.ignore ?? []).includes(column.name) ? "feature" : column.role;
  const focus = (kind) => ({ name: column.name, kind });
  line.append(make("th", { scope: "row", role: "rowheader" }, own(column.name)));
  const use = selectOf(`Use of the column ${column.name}`, roles, role, (value) => read(withRole(table, column.name, value), focus("use")));
  const type = selectOf(`Type of the column ${column.name}`, options, chosen, (value) => read(withType(table, column.name, value), focus("type")));
  use.dataset.kind = "use";
  type.dataset.kind = "type";
  put("use", use);
  put("type", ...(role === "feature" ? [type] : []), ...(column.format && role === "feature" ? [make("span", { className: "hint format" }, own(column.format))] : []));
  put("examples", ...column.examples.flatMap((text, i) => [...(i ? [", "] : []), own(text)]));
  const remarks = [];
  if (column.why && role === "feature") remarks.push(make("span", {}, "not used: ", own(column.why)));
  if (column.missing) remarks.push(make("span", { textContent: `${count(column.missing)} missing` }));
  put("remarks", ...remarks.flatMap((remark, i) => [...(i ? ["; "] : []), remark]));
  line.dataset.column = column.name;
  return line;
};

const showColumns = (table, read, all) => {
  const shown = all ? table.columns : table.columns.slice(0, few);
  byId("columns").tBodies[0].replaceChildren(...shown.map((column) => columnLine(table, column, read)));
  byId("more-columns").hidden = shown.length === table.columns.length;
  byId("too-many").hidden = shown.length === table.columns.length;
  byId("too-many").textContent = `The first ${count(shown.length)} of ${count(table.columns.length)} columns are shown.`;
  const used = table.columns.filter((column) => column.role === "feature" && column.type && !column.why).length;
  byId("used").textContent = `in ${plural(table.rows, "row", "rows")}, by ${plural(used, "column", "columns")}`;
  byId("detect").disabled = !used || !table.rows;
};

const showPreview = (table) => {
  const cellOf = (text) => make("td", {}, text === null || text === "" ? make("span", { className: "hint", textContent: "missing" }) : own(text));
  const preview = byId("preview");
  preview.tHead.replaceChildren(make("tr", {}, ...table.columns.slice(0, few).map((column) => make("th", { scope: "col" }, own(column.name)))));
  preview.tBodies[0].replaceChildren(...(table.preview?.rows ?? []).map((cells) => make("tr", {}, ...cells.slice(0, few).map(cellOf))));
};

/* Sheets, tables and entries, where the file has several. */
const showChoices = (table, read) => {
  const lists = [["sheet", "Sheet", table.choices?.sheets], ["table", "Table", table.choices?.tables], ["entry", "File in the archive", table.choices?.entries]];
  byId("choices").replaceChildren(...lists.filter(([, , list]) => list?.length > 1).map(([key, word, list]) => {
    const none = table.options[key] && list.includes(table.options[key]) ? [] : [["", table.columns.length ? "automatic" : "choose one"]];
    const select = selectOf(word, [...none, ...list.map((name) => [name, name])], none.length ? "" : table.options[key],
      (value) => read({ ...keep(table.options), [key]: value || undefined }, { choice: key }));
    select.dataset.choice = key;
    return make("label", {}, `${word} `, select);
  }));
};
/* Another sheet or table has other columns. */
const keep = ({ decimal, encoding, header, delimiter, bad_rows, na }) => ({ decimal, encoding, header, delimiter, bad_rows, na });

const showTexts = (table) => {
  byId("table-name").textContent = table.name;
  byId("table-size").textContent = table.columns.length
    ? `${plural(table.rows, "row", "rows")}, ${plural(table.columns.length, "column", "columns")}, ${size(table.bytes)}` : size(table.bytes);
  const notes = table.notes.map((note) => make("li", {}, own(note)));
  byId("notes").replaceChildren(...notes.slice(0, fewNotes));
  byId("more-notes").hidden = notes.length <= fewNotes;
  byId("more-notes").querySelector("summary").textContent = plural(notes.length - fewNotes, "more note", "more notes");
  byId("more-notes").querySelector("ul").replaceChildren(...notes.slice(fewNotes));
  byId("columns-part").classList.toggle("unread", !table.columns.length);
  byId("preview-part").hidden = !table.preview?.rows?.length;
  showProblem(table.problem ?? null);
  if (table.problem) byId("reading").open = true;
};

const optionValue = (field) => {
  const text = field.value;
  if (field.dataset.option === "na") return text.split(",").map((word) => word.trim()).filter(Boolean);
  if (field.dataset.option === "header") return text === "true";
  return text;
};
const fillOptions = (table) => {
  for (const field of document.querySelectorAll("[data-option]")) {
    const value = table.options[field.dataset.option];
    const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
    if (field.tagName === "SELECT" && text && ![...field.options].some((option) => option.value === text))
      field.append(make("option", { value: text, textContent: text }));
    field.value = text;
  }
};

const paramsOf = () => {
  const params = {};
  for (const field of document.querySelectorAll("[data-param]"))
    if (field.value !== "") params[field.dataset.param] = field.dataset.param === "contamination" ? String(Number(field.value) / 100) : field.value;
  return params;
};

export const showTable = async (id, context) => {
  let table = await get(`/v1/tables/${id}`, context.signal), all = false, reading = Promise.resolve();
  if (context.signal.aborted) return;
  context.arrived();
  showState("table", table.name);

  const display = () => {
    showTexts(table);
    showChoices(table, read);
    showColumns(table, read, all);
    showPreview(table);
    fillOptions(table);
  };
  /* Reads the file again. What was changed keeps the focus; if the server refuses, the old reading stays. */
  const read = (options, focus) => (reading = reading.then(async () => {
    byId("main").setAttribute("aria-busy", "true");
    try {
      table = await send(`/v1/tables/${id}/read`, { options });
      if (context.signal.aborted) return;
      display();
      announce("The file was read again.");
    } catch (error) {
      if (context.signal.aborted) return;
      display();
      context.fail(error);
    } finally {
      byId("main").removeAttribute("aria-busy");
    }
    const line = [...document.querySelectorAll("#columns tbody tr")].find((tr) => tr.dataset.column === focus?.name);
    (line?.querySelector(`[data-kind="${focus.kind}"]`) ?? line?.querySelector("select") ??
      document.querySelector(`[data-choice="${focus?.choice}"]`))?.focus();
  }));

  display();
  byId("more-columns").addEventListener("click", () => {
    all = true;
    showColumns(table, read, all);
    document.querySelectorAll("#columns tbody select")[2 * few]?.focus();
  });
  for (const field of document.querySelectorAll("[data-option]")) {
    settled(field, () => {
      const options = { ...table.options, [field.dataset.option]: optionValue(field) };
      if (field.value === "") delete options[field.dataset.option];
      read(options);
    });
  }
  byId("detect").addEventListener("click", async () => {
    byId("detect").disabled = true;
    try {
      const invalid = [...document.querySelectorAll("[data-param]")].find((field) => !field.checkValidity());
      if (invalid) {
        byId("advanced").open = true;
        invalid.reportValidity();
        return;
      }
      await reading;
      const job = await send("/v1/detect", { table: id, params: paramsOf() });
      await context.go(`/?job=${job.job}`);
    } catch (error) {
      context.fail(error);
    } finally {
      if (byId("detect")) byId("detect").disabled = false;
    }
  });
};
