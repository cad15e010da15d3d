/* What the states of the page share: templates, problems, announcements, and pieces of the report. */
const { byId, count, make, own, plural } = odim;

/* Puts the state of a template on the page and moves the focus to its heading. */
export const showState = (name, title) => {
  byId("main").replaceChildren(byId(`${name}-state`).content.cloneNode(true));
  document.title = title ? `${title} \u00b7 odim` : "odim: find unusual rows";
  byId("contents").hidden = true;
  window.scrollTo(0, 0);
  byId("main").querySelector("h1").focus({ preventScroll: true });
};

/* Says something to screen readers that others see elsewhere. */
export const announce = (text) => {
  byId("status").textContent = text;
};

/* A problem as the server describes it, in the element #problem. */
export const showProblem = (problem) => {
  const box = byId("problem");
  if (!box) return;
  box.hidden = !problem;
  if (!problem) return;
  const place = [problem.row ? `row ${count(problem.row)}` : "", problem.column ? `column ${problem.column}` : ""]
    .filter((text) => text && !problem.detail?.includes(text)).join(", ");
  box.replaceChildren(make("b", {}, own(problem.title ?? "Something went wrong")),
    ...(problem.detail ? [make("p", {}, own(problem.detail))] : []), ...(place ? [make("p", { className: "hint", textContent: `Where: ${place}` })] : []));
  box.scrollIntoView({ block: "nearest" });
};

export const duration = (seconds) => {
  if (seconds < 1.5) return "1 second";
  if (seconds < 90) return `${Math.round(seconds)} seconds`;
  if (seconds < 5400) return plural(Math.round(seconds / 60), "minute", "minutes");
  return `${(seconds / 3600).toFixed(1)} hours`;
};
export const size = (bytes) => {
  const unit = ["bytes", "kB", "MB", "GB"].findIndex((_, i, all) => bytes < 1000 ** (i + 1) || i === all.length - 1);
  return unit ? `${Number((bytes / 1000 ** unit).toPrecision(3))} ${["", "kB", "MB", "GB"][unit]}` : plural(bytes, "byte", "bytes");
};
export const clock = (seconds) => {
  const time = new Date(1000 * seconds), today = time.toDateString() === new Date().toDateString();
  return time.toLocaleString("en", { ...(today ? {} : { dateStyle: "medium" }), timeStyle: "short" });
};

/* A copy of a piece of the report that contains only known elements and attributes: whatever a file has brought into it
 * cannot become a script, a link or a request. */
const elements = new Set(["section", "article", "div", "p", "h2", "h3", "h4", "span", "strong", "b", "em", "bdi", "code", "pre", "ul", "li",
  "dl", "dt", "dd", "figure", "figcaption", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "a", "svg", "g",
  "path", "rect", "circle", "line", "polyline", "polygon", "text", "tspan", "title", "desc", "defs", "clippath", "use"]);
const attributes = new Set(["id", "class", "role", "tabindex", "scope", "colspan", "rowspan", "viewbox", "preserveaspectratio", "x", "y", "x1",
  "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "d", "points", "width", "height", "transform", "text-anchor", "clip-path", "dx", "dy",
  "dominant-baseline", "fill", "stroke", "opacity", "fill-opacity", "stroke-opacity", "stroke-width", "font-size", "font-weight"]);
const isLocal = (name, value) => name === "href" && /^#[\w-]+$/.test(value);
export const safeCopy = (node) => {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !elements.has(node.localName.toLowerCase())) return document.createDocumentFragment();
  const copy = document.createElementNS(node.namespaceURI, node.localName);
  for (const { name, value } of node.attributes) {
    const low = name.toLowerCase();
    if (attributes.has(low) || low.startsWith("aria-") || low.startsWith("data-") || isLocal(low, value)) copy.setAttribute(name, value);
  }
  copy.append(...[...node.childNodes].map(safeCopy));
  return copy;
};
