#!/usr/bin/env python3
"""Checks a folder of HTML pages: site_links.py FOLDER prints what is wrong and exits non-zero if anything is.

Links lead to files and anchors that exist, ids are unique, every page can be reached from index.html, and nothing is
loaded from another host or by an absolute path.
"""
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"),
         ("img", "srcset"), ("object", "data"), ("embed", "src"), ("image", "href")}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.loads, self.ids, self.twice, self.text = [], [], set(), [], []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    self.twice.append(value)
                self.ids.add(value)
            elif (tag, name) in LOADS:
                self.loads.append(value)
            elif name == "href":
                self.links.append(value)
            elif name == "style" and value and "url(" in value:
                self.loads.append(value)

    handle_startendtag = handle_starttag


def read(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def faults(folder):
    pages = {path.resolve(): read(path) for path in sorted(folder.rglob("*.html"))}
    reached, waiting = set(), [(folder / "index.html").resolve()]
    if waiting[0] not in pages:
        yield "index.html is missing"
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        for anchor in page.twice:
            yield f"{name}: the id '{anchor}' is there twice"
        for address in page.loads:
            if re.match(r"[a-z]+:|/", address) and address != "data:,":
                yield f"{name}: loads {address}"
        for address in page.links + page.loads:
            if re.match(r"https?:|mailto:|data:", address):
                continue
            target, _, anchor = address.partition("#")
            file = (path.parent / unquote(target)).resolve() if target else path
            if not file.is_file() or folder.resolve() not in file.parents:
                yield f"{name}: {address} leads nowhere"
            elif anchor and (file not in pages or unquote(anchor) not in pages[file].ids):
                yield f"{name}: {address} has no such anchor"
    while waiting:
        path = waiting.pop()
        if path in reached or path not in pages:
            continue
        reached.add(path)
        waiting += [(path.parent / unquote(address.partition("#")[0])).resolve() for address in pages[path].links
                    if not re.match(r"[a-z]+:|#", address)]
    for path in sorted(set(pages) - reached):
        yield f"{path.relative_to(folder.resolve())}: no link leads to it"
    for path in sorted([*folder.rglob("*.css"), *folder.rglob("*.js"), *folder.rglob("*.svg")]):
        text = path.read_text(encoding="utf-8")
        if path.name != "search-index.js":
            for found in re.findall(r"@import[^;]*|url\(\s*['\"]?(?:https?:)?//[^)]*|(?:src|xlink:href)=['\"]https?:[^'\"]*", text):
                yield f"{path.relative_to(folder)}: loads {found}"


found = list(faults(Path(sys.argv[1])))
for line in found:
    print(line)
sys.exit(bool(found))
