#!/usr/bin/env python3
"""Renders README.md, the documents and the manual pages as static HTML with a search, for `make docs`.

site.py FOLDER [ROOT]: writes the site of the tree ROOT (default: this one) to FOLDER. It starts with the documents and
follows their links, so that every file that a document links to has a page, or is copied, and no link leads out of the
site except those to other hosts. cmark-gfm renders Markdown, mandoc the manual pages. The pages need no server.
"""
import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent / "site"
COPIED = {".png", ".jpg", ".svg", ".tsv", ".csv"}
INDEX = "docs/README.md"  # the list of documents, which the menu is made of
MOST_SOURCE = 400_000     # bytes of a source file that gets a page


def run(*command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8", check=True).stdout


# ---- pieces of HTML --------------------------------------------------------------------------------------------

def plain(fragment):
    """The text of a piece of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", fragment)).split())


def slug(title, used):
    """The anchor that GitHub gives a heading, so that links work in both places."""
    base = re.sub(r"[^\w\- ]", "", plain(title).lower()).replace(" ", "-")
    count = used.get(base, -1) + 1
    used[base] = count
    return f"{base}-{count}" if count else base


def with_anchors(body):
    used = {}

    def anchor(match):
        level, title = match.groups()
        name = slug(title, used)
        link = f' <a class="anchor" href="#{name}" aria-hidden="true" tabindex="-1">#</a>' if level != "1" else ""
        return f'<h{level} id="{name}">{title}{link}</h{level}>'

    return re.sub(r"<h([1-6])>(.*?)</h\1>", anchor, body, flags=re.S)


def dim_comments(code, language):
    """Code, which is HTML already, with its comments set apart."""
    if language in ("sh", "r", "python", "pycon"):
        pattern = r'(&quot;.*?&quot;|\'[^\']*?\')|((?:(?<=\s)|^)#[^\n]*)'
    elif language in ("c", "cpp"):
        pattern = r"(&quot;.*?&quot;)|(/\*.*?\*/)"
    else:
        return code
    return re.sub(pattern, lambda m: m.group(1) or f'<span class="comment">{m.group(2)}</span>', code, flags=re.M | re.S
                  if language in ("c", "cpp") else re.M)


def dress(body):
    """Tables and code that can be wider than the window get a box of their own that scrolls."""
    body = re.sub(r"<table>", '<div class="wide" tabindex="0" role="group" aria-label="table"><table>', body)
    body = body.replace("</table>", "</table></div>")
    # A table without a heading has empty cells there.
    body = re.sub(r"<thead>\s*<tr>(\s*<th[^>]*></th>)+\s*</tr>\s*</thead>", "", body)
    body = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", body)
    return re.sub(r'<pre>?(?: lang="(\w+)")?>?<code(?: class="language-(\w+)")?>(.*?)</code>',
                  lambda m: f'<pre tabindex="0"><code>{dim_comments(m.group(3), m.group(1) or m.group(2))}</code>',
                  body, flags=re.S)


def sections(body, title):
    """(anchor, heading, text) of the parts between headings, for the search."""
    parts = re.split(r'(<h[1-3] id="[^"]*">.*?</h[1-3]>)', body, flags=re.S)
    found = [["", title, plain(parts[0])]]
    for heading, text in zip(parts[1::2], parts[2::2]):
        anchor, name = re.match(r'<h[1-3] id="([^"]*)">(.*?)(?: <a class="anchor".*)?</h', heading, re.S).groups()
        if heading.startswith("<h1"):
            found[0][2] += " " + plain(text)
        else:
            found.append([anchor, plain(name), plain(text)])
    return found


# ---- the site --------------------------------------------------------------------------------------------------

class Site:
    def __init__(self, root, out):
        self.root, self.out = root, out
        self.pages = {}    # path of a source, relative to the root: its Page
        self.copied = set()
        self.waiting = []

    def add(self, path):
        """The path in the site of a file or folder of the tree; None if there is no such thing."""
        source = self.root / path
        if source.is_dir():
            readme = posixpath.join(path, "README.md")
            path = readme if (self.root / readme).is_file() else path
        elif not source.is_file():
            return None
        elif source.suffix in COPIED:
            self.copied.add(path)
            return path
        if path not in self.pages:
            self.pages[path] = Page(self, path)
            self.waiting.append(self.pages[path])
        return self.pages[path].place

    def render(self):
        while self.waiting:
            self.waiting.pop(0).render()

    def write(self):
        if self.out.exists():
            shutil.rmtree(self.out)
        menu = self.menu()
        for page in self.pages.values():
            target = self.out / page.place
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(page.html(menu), encoding="utf-8")
        for path in sorted(self.copied):
            (self.out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / path, self.out / path)
        for asset in ("site.css", "search.js"):
            shutil.copyfile(HERE / asset, self.out / asset)
        # What the menu names comes before manual pages, and these before measurements.
        weight = {page.path: 4 if page.kind == "manual" else 7 for _, pages in menu for page in pages}
        index = [[page.place, page.short_title(), weight.get(page.path, 0), page.found]
                 for page in sorted(self.pages.values(), key=lambda p: p.path) if page.kind != "source"]
        data = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
        (self.out / "search-index.js").write_text(f"window.odimIndex = {data};\n", encoding="utf-8")

    def menu(self):
        """[(heading, [page])]: the groups of the list of documents, then the manual pages."""
        body = self.pages[INDEX].body
        groups = [("", [self.pages["README.md"]])]
        for heading, table in re.findall(r"<p>([^<]*):</p>\s*(<div class=\"wide\".*?</table>)", body, re.S):
            links = re.findall(r'<tr>\s*<td[^>]*><a href="([^"#]*)', table)
            places = [posixpath.normpath(posixpath.join("docs", link)) for link in links]
            by_place = {page.place: page for page in self.pages.values()}
            groups.append((heading, [by_place[place] for place in places if place in by_place and
                                     not place.startswith("docs/man/")]))
        manuals = sorted((p for p in self.pages.values() if p.kind == "manual"), key=lambda p: p.title)
        return groups + [("Manual pages", manuals)]

    def version(self):
        header = (self.root / "include/odim.h").read_text()
        return ".".join(re.findall(r"#define ODIM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))


class Page:
    """A page of the site, from a file or a folder of the tree."""

    def __init__(self, site, path):
        self.site, self.path = site, path
        self.source = site.root / path
        self.folder = path if self.source.is_dir() else posixpath.dirname(path)
        stem, ext = posixpath.splitext(path)
        if self.source.is_dir():
            self.kind, self.place = "folder", posixpath.join(path, "index.html")
        elif ext == ".md":
            self.kind = "document"
            self.place = (posixpath.join(self.folder, "index") if posixpath.basename(stem) == "README" else stem) + ".html"
        elif ext == ".1":
            self.kind, self.place = "manual", stem + ".1.html"
        else:
            self.kind, self.place = "source", path + ".html"
        self.title = self.body = ""
        self.found = []

    def short_title(self):
        return self.title.partition(":")[0]

    def up(self, place):
        """The address of a place of the site, seen from this page."""
        return posixpath.relpath(place, posixpath.dirname(self.place) or ".")

    def render(self):
        self.body = getattr(self, "render_" + self.kind)()
        self.found = sections(self.body, self.title)

    def render_document(self):
        text = self.source.read_text(encoding="utf-8")
        body = run("cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", text=text)
        body = dress(with_anchors(self.with_links(body)))
        heading = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.S)
        self.title = plain(heading.group(1)) if heading else self.path
        return body

    def with_links(self, body):
        def follow(match):
            attribute, target = match.group(1), html.unescape(match.group(2))
            if re.match(r"[a-z][a-z+.-]*:|#|$", target):
                return match.group(0)
            path, _, anchor = target.partition("#")
            place = self.site.add(posixpath.normpath(posixpath.join(self.folder, path)))
            if place is None:
                sys.exit(f"{self.path}: {target} does not exist")
            address = self.up(place) + ("#" + anchor if anchor else "")
            return f'{attribute}="{html.escape(address)}"'

        return re.sub(r'\b(href|src)="([^"]*)"', follow, body)

    def render_manual(self):
        name = posixpath.basename(self.path)[:-2]
        self.title = name
        body = run("mandoc", "-T", "html", "-O", "fragment", text=self.source.read_text(encoding="utf-8"))
        body = re.sub(r'<table class="(head|foot)">.*?</table>', "", body, flags=re.S)
        # The page has a title of its own, so that the headings move down by one level.
        body = re.sub(r"<(/?)h2\b", r"<\1h3", body)
        body = re.sub(r"<(/?)h1\b", r"<\1h2", body)
        body = re.sub(r'<h([23]) class="[^"]*" id="([^"]*)"><a class="permalink" href="[^"]*">(.*?)</a>', r'<h\1 id="\2">\3', body)
        body = re.sub(r"<pre>", '<pre tabindex="0">', body)

        def refer(match):
            place = self.site.add(posixpath.join(self.folder, match.group(1) + ".1"))
            return f'<a href="{self.up(place)}"><b>{match.group(1)}</b>(1)</a>' if place else match.group(0)

        body = re.sub(r"<b>(odim[a-z-]*)</b>\(1\)", refer, body)
        body = re.sub(r"\bdocs/[A-Z]+\.md\b", lambda m: self.mention(m.group(0)), body)
        return f'<h1 id="site-title">{html.escape(name)}</h1>\n<div class="manual">{body}</div>'

    def mention(self, path):
        place = self.site.add(path)
        return f'<a href="{self.up(place)}">{path}</a>' if place else path

    def render_folder(self):
        self.title = self.path
        items = []
        for file in sorted(self.source.iterdir()):
            path = posixpath.join(self.path, file.name)
            small = file.is_file() and file.stat().st_size < MOST_SOURCE and not file.name.startswith(".")
            if small and b"\0" not in file.read_bytes()[:4096]:
                items.append(f'<li><a href="{self.up(self.site.add(path))}">{html.escape(file.name)}</a></li>')
        return f'<h1 id="site-title">{html.escape(self.path)}</h1>\n<ul class="files">{"".join(items)}</ul>'

    def render_source(self):
        self.title = self.path
        code = html.escape(self.source.read_text(encoding="utf-8", errors="replace"))
        language = {".h": "c", ".c": "c", ".hpp": "cpp", ".py": "python", ".sh": "sh"}.get(self.source.suffix)
        return f'<h1 id="site-title">{html.escape(self.path)}</h1>\n<pre tabindex="0"><code>{dim_comments(code, language)}</code></pre>'

    # ---- the whole page

    def outline(self):
        if self.kind == "source":
            return ""
        links = re.findall(r'<h2 id="([^"]*)">(.*?)(?: <a class="anchor".*?)?</h2>', self.body, re.S)
        items = "".join(f'<li><a href="#{anchor}">{html.escape(plain(name))}</a></li>' for anchor, name in links)
        return f"<ul>{items}</ul>" if items else ""

    def html(self, menu):
        groups = []
        for heading, pages in menu:
            items = []
            for page in pages:
                here = ' aria-current="page"' if page is self else ""
                title = "Overview" if page.path == "README.md" else page.short_title()
                items.append(f'<li><a href="{self.up(page.place)}"{here}>{html.escape(title)}</a>'
                             f'{self.outline() if page is self else ""}</li>')
            groups.append((f"<h2>{html.escape(heading)}</h2>" if heading else "") + f"<ul>{''.join(items)}</ul>")
        title = self.title if self.path == "README.md" else f"{self.title} - odim"
        fill = {"title": html.escape(title), "root": self.up(".").rstrip("/") + "/", "menu": "\n".join(groups),
                "body": self.body, "kind": self.kind, "version": self.site.version(),
                "license": self.up(self.site.pages["LICENSE"].place)}
        return re.sub(r"\{\{(\w+)\}\}", lambda m: fill[m.group(1)], (HERE / "page.html").read_text(encoding="utf-8"))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: site.py FOLDER [ROOT]")
    out = Path(sys.argv[1])
    root = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).resolve().parent.parent)
    site = Site(root, out)
    first = [root / "README.md", root / INDEX, root / "LICENSE", *sorted(root.glob("*.md")), *sorted(root.glob("docs/*.md")),
             *sorted(root.glob("docs/*/*.md")), *sorted(root.glob("docs/man/*.1"))]
    for file in first:
        site.add(file.relative_to(root).as_posix())
    site.render()
    site.write()
    print(f"rendered {len(site.pages)} pages: {out / 'index.html'}")


if __name__ == "__main__":
    main()
