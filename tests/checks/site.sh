#!/bin/sh
# site.sh: the documents as a site: it is built, its links lead somewhere, it loads nothing from elsewhere, and it works in
# a browser. SHOTS=DIR keeps pictures.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/checks/lib.sh
for tool in cmark-gfm mandoc python3; do
    command -v "$tool" >/dev/null && continue
    skip "no $tool (tools/setup.sh docs installs it)"
    finish
done
tmp=$(mktemp -d) || exit 1
tmp=$(cd "$tmp" && pwd -P)
trap 'rm -rf "$tmp"' EXIT

builds_twice() # the same bytes
{
    tools/site.py "$tmp/site" >/dev/null && tools/site.py "$tmp/again" >/dev/null && diff -r "$tmp/site" "$tmp/again"
}

in_menu() # DOCUMENT: each document for people can be reached from every page
{
    grep -q "<nav.*" "$tmp/site/index.html" &&
        sed -n '/<nav/,/<\/nav>/p' "$tmp/site/index.html" | grep -q "href=\"docs/$(basename "$1" .md).html\""
}

# The checker finds what is wrong: a small site that is right, then one mistake at a time.
page() # TEXT
{
    rm -rf "$tmp/small"
    mkdir -p "$tmp/small/sub"
    printf '<h1 id="a">A</h1><a href="sub/b.html#b">b</a><a href="https://example.org/x">far</a>%s' "$1" >"$tmp/small/index.html"
    printf '<h1 id="b">B</h1><a href="../index.html">back</a>' >"$tmp/small/sub/b.html"
}

finds() # TEXT MESSAGE
{
    page "$1"
    ! tests/checks/site_links.py "$tmp/small" >"$tmp/out" && grep -q -F "$2" "$tmp/out"
}

alone()
{
    page ''
    echo '<p>alone</p>' >"$tmp/small/c.html"
    ! tests/checks/site_links.py "$tmp/small" >"$tmp/out" && grep -q 'c.html: no link leads to it' "$tmp/out"
}

refuses_broken() # a document whose link leads nowhere
{
    mkdir -p "$tmp/tree/docs" "$tmp/tree/include"
    cp README.md LICENSE "$tmp/tree" && cp include/odim.h "$tmp/tree/include"
    printf '# A\n\n[x](docs/README.md) [y](no-such.md)\n' >"$tmp/tree/README.md"
    printf '# B\n' >"$tmp/tree/docs/README.md"
    ! tools/site.py "$tmp/broken" "$tmp/tree" >"$tmp/out" 2>&1 && grep -q 'README.md: no-such.md does not exist' "$tmp/out"
}

page ''
check "self-test: a right site" tests/checks/site_links.py "$tmp/small"
check "self-test: a file that is missing" finds '<a href="no.html">x</a>' 'no.html leads nowhere'
check "self-test: an anchor that is missing" finds '<a href="sub/b.html#c">x</a>' 'no such anchor'
check "self-test: an anchor of the same page" finds '<a href="#c">x</a>' 'no such anchor'
check "self-test: a link out of the site" finds '<a href="../../x">x</a>' 'leads nowhere'
check "self-test: an id twice" finds '<p id="a">x</p>' 'twice'
check "self-test: a script from elsewhere" finds '<script src="https://example.org/x.js"></script>' 'loads'
check "self-test: a font without a scheme" finds '<link rel="stylesheet" href="//example.org/x.css">' 'loads'
check "self-test: a page that nothing links to" alone
check "self-test: a document with a broken link" refuses_broken
check "the site is built" builds_twice
check "its links" tests/checks/site_links.py "$tmp/site"
for document in docs/[A-Z]*.md; do
    [ "$document" = docs/README.md ] || check "$document is in the menu" in_menu "$document"
done
if CHROMIUM=$(tools/setup.sh --browser); then
    export CHROMIUM
    run_test site_browser node tests/browser/site.mjs "$tmp/site" ${SHOTS:+"$SHOTS"}
else
    skip "no browser, or not what drives it (tools/setup.sh browser)"
fi
finish
