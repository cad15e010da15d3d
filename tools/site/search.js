/* The search of the documentation: words are looked up in an index that is loaded when the box is first used. */
"use strict";
(() => {
  const root = document.currentScript.dataset.root;
  const form = document.getElementById("site-search"), box = document.getElementById("site-query");
  const list = document.getElementById("site-results"), count = document.getElementById("site-count");
  const most = 20;
  let loading = false, chosen = -1;
  form.hidden = false;

  /* On a wide window the menu is always open; on a narrow one only when it is asked for. */
  const menu = document.getElementById("site-menu"), wide = matchMedia("(min-width: 60rem)");
  const unfold = () => { menu.open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();
  /* The place in a menu that is longer than the window. */
  const here = menu.querySelector("[aria-current]"), nav = menu.parentElement;
  if (here && wide.matches) nav.scrollTop = Math.max(0, here.offsetTop - nav.offsetTop - 0.4 * nav.clientHeight);

  /* A script and not a fetch: pages that are opened as files may load scripts only. */
  const load = () => {
    if (loading) return;
    loading = true;
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = search;
    document.head.append(script);
  };

  const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u).map((w) => w.replace(/^[.-]+|[.]+$/g, "")).filter(Boolean);

  /* The place of a word in a text where a word begins; -1 if it is nowhere. */
  const find = (text, word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return at;
    return -1;
  };

  const matches = (wanted) => {
    const found = [];
    for (const [place, title, weight, sections] of window.odimIndex) {
      const name = title.toLowerCase();
      for (const [anchor, heading, text] of sections) {
        const head = heading.toLowerCase(), body = text.toLowerCase();
        let score = weight, all = true;
        for (const word of wanted) {
          const inName = find(name, word) >= 0, inHead = find(head, word) >= 0, inBody = find(body, word) >= 0;
          if (!inName && !inHead && !inBody) { all = false; break; }
          score += 4 * inName + 6 * inHead + 2 * inBody + (head === word ? 6 : 0);
        }
        /* The title alone is a match of the page, not of each of its sections. */
        if (all && (anchor === "" || wanted.some((word) => find(head, word) >= 0 || find(body, word) >= 0)))
          found.push({ url: root + place + (anchor ? "#" + anchor : ""), title, heading, text, score });
      }
    }
    return found.sort((a, b) => b.score - a.score);
  };

  /* Text with the words marked, made of nodes, so that nothing in it is taken for HTML. */
  const marked = (element, text, wanted) => {
    const lower = text.toLowerCase();
    let at = 0;
    while (at < text.length) {
      let next = -1, length = 0;
      for (const word of wanted) {
        const here = find(lower.slice(at), word);
        if (here >= 0 && (next < 0 || at + here < next)) { next = at + here; length = word.length; }
      }
      if (next < 0) break;
      element.append(text.slice(at, next));
      const mark = document.createElement("mark");
      mark.textContent = text.slice(next, next + length);
      element.append(mark);
      at = next + length;
    }
    element.append(text.slice(at));
  };

  const excerpt = (text, wanted) => {
    const lower = text.toLowerCase();
    const at = Math.max(0, ...wanted.map((word) => find(lower, word)));
    const from = at < 60 ? 0 : text.indexOf(" ", at - 60) + 1;
    return (from ? "... " : "") + text.slice(from, from + 160) + (from + 160 < text.length ? " ..." : "");
  };

  const choose = (index) => {
    const options = list.children;
    if (chosen >= 0 && options[chosen]) options[chosen].setAttribute("aria-selected", "false");
    chosen = options.length ? (index + options.length) % options.length : -1;
    if (chosen < 0) return box.removeAttribute("aria-activedescendant");
    options[chosen].setAttribute("aria-selected", "true");
    options[chosen].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", options[chosen].id);
  };

  const show = (open) => {
    list.hidden = !open;
    box.setAttribute("aria-expanded", String(open));
    if (!open) { chosen = -1; box.removeAttribute("aria-activedescendant"); }
  };

  const go = (url) => { show(false); location.href = url; };

  function search() {
    const wanted = words(box.value);
    list.replaceChildren();
    chosen = -1;
    count.textContent = "";
    if (!wanted.length || !window.odimIndex) return show(false);
    const found = matches(wanted);
    count.textContent = found.length === 1 ? "1 result" : `${found.length} results`;
    found.slice(0, most).forEach((match, i) => {
      const item = document.createElement("li"), title = document.createElement("b"), text = document.createElement("span");
      item.id = `site-result-${i}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.url = match.url;
      marked(title, match.heading === match.title ? match.title : `${match.title}: ${match.heading}`, wanted);
      marked(text, excerpt(match.text, wanted), wanted);
      item.append(title, text);
      item.addEventListener("mousedown", (event) => { event.preventDefault(); go(match.url); });
      list.append(item);
    });
    show(found.length > 0);
    if (found.length) choose(0);
  }

  box.addEventListener("focus", load);
  box.addEventListener("input", search);
  box.addEventListener("blur", () => show(false));
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      choose(chosen + (event.key === "ArrowDown" ? 1 : -1));
    } else if (event.key === "Escape") {
      box.value = "";
      search();
      box.blur();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (chosen >= 0) go(list.children[chosen].dataset.url);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === box) return;
    event.preventDefault();
    box.focus();
  });
})();
