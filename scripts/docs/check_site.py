#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Checks a site as a reader's browser sees it: check_site.py FOLDER

Every relative link leads to a file of the site, every link with a # to a place on that page, and nothing that a browser
loads by itself (scripts, styles, pictures, fonts) comes from another server.
Doxygen's own pages are checked as targets only.
"""
import html.parser
import pathlib
import re
import sys
import urllib.parse

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if tag == "a" and name == "href" and value:
                self.links.append(value)
            if (tag, name) in LOADED and value and dict(attributes).get("rel") not in ("canonical", "next", "prev"):
                self.loads.append(value)


def offences_of(site):
    pages = {path.resolve(): Page(path.read_text()) for path in site.rglob("*.html")}
    found = []
    for path, page in sorted(pages.items()):
        name = path.relative_to(site).as_posix()
        if name.startswith("api/"):
            continue
        found += [f"{name}: loads {url} from another server" for url in page.loads if re.match(r"(https?:)?//", url)]
        for url in [*page.links, *(u for u in page.loads)]:
            parts = urllib.parse.urlsplit(url)
            if parts.scheme or parts.netloc or name == "404.html" or url.startswith("javascript"):
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                found.append(f"{name}: links to {url}, which is not in the site")
            elif parts.fragment and target in pages and parts.fragment not in pages[target].anchors:
                if not parts.fragment.startswith("__"):
                    found.append(f"{name}: links to {url}, but that page has no such heading")
    return found, len(pages)


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    found, count = offences_of(site)
    print("\n".join([*found, f"{count} pages of the site checked, {len(found)} offences"]))
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
