# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""What MkDocs must know to show pages that are written for a git host (docs/writing.md, "Links").

A page links to other pages, headers and sources by relative paths of the repository. In the site

  ../include/juxta/layer/layer.h   becomes the page of that header in the API reference (Doxygen's tag file says which)
  ../examples/ranked_points.cpp    becomes a page of the site with that file
  ../examples                      becomes a page of the site with the names of its files

Markdown of git hosts needs fewer empty lines and blanks than Python's: they are added.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile
import xml.etree.ElementTree as xml

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REFERENCE = ROOT / "build/docs"  # what scripts/build_docs had Doxygen write
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
ITEM = re.compile(r"^(\s*)([-*+]|\d+\.) +")
LANGUAGES = {".h": "cpp", ".cpp": "cpp", ".py": "python", ".txt": "cmake", "": "sh"}


def header_pages():
    """{"juxta/layer/layer.h": "layer_8h.html"}, from Doxygen's tag file."""
    tags = REFERENCE / "juxta.tag"
    if not tags.is_file():
        return {}
    files = [c for c in xml.parse(tags).getroot() if c.get("kind") == "file"]
    return {c.findtext("path") + c.findtext("name"): c.findtext("filename") for c in files}


def slug(title, separator="-"):
    """The name of a heading as git hosts make it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", separator)


def outside_code(text):
    """(line, whether it is outside of fenced code) of every line."""
    inside = False
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        yield line, not (inside or fence)
        inside ^= fence


def for_python_markdown(text):
    """Empty lines before lists and tables, four blanks for each level of a list; comments of the code check go."""
    out, levels = [], []
    for line, prose in outside_code(text):
        if not prose:
            out.append(" " * (4 * len(levels)) + line.lstrip() if levels and line.startswith("  ") else line)
            continue
        if re.fullmatch(r"\s*<!-- .* -->", line):
            continue
        item = ITEM.match(line)
        before = out[-1] if out else ""
        if item:
            while levels and levels[-1] > len(item[1]):
                levels.pop()
            if not levels or levels[-1] < len(item[1]):
                levels.append(len(item[1]))
            if before.strip() and len(levels) == 1 and not ITEM.match(before) and not before.startswith(" "):
                out.append("")
            line = " " * (4 * (len(levels) - 1)) + line.lstrip()
        elif levels and line.strip():
            if line.startswith(" "):
                line = " " * (4 * len(levels)) + line.lstrip()
            else:
                levels = [] if not before.strip() else levels
        elif line.startswith("|") and before.strip() and not before.startswith("|"):
            out.append("")
        out.append(line)
    return "\n".join(out)


class Sources:
    """The pages of files that are not below docs/, made when a page first links to them."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="juxta-site-")
        self.written = set()

    def page_of(self, path):
        """The site's page for a path of the repository."""
        name = path.relative_to(ROOT).as_posix()
        page = f"source/{name}.md" if path.suffix != ".md" else f"source/{name}"
        if name in self.written:
            return page
        self.written.add(name)
        target = pathlib.Path(self.folder.name) / page
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            listed = subprocess.run(["git", "-C", str(path), "ls-files"], capture_output=True, text=True).stdout.split()
            text = f"# {name}\n\n" + "\n".join(f"- `{file}`" for file in listed) + "\n"
        elif path.suffix == ".md":
            text = path.read_text()
        else:
            text = f"# {name}\n\n```{LANGUAGES.get(path.suffix, '')}\n{path.read_text()}\n```\n"
        if path.suffix != ".md":
            text = "---\nhide: [toc]\n---\n" + text
        target.write_text(text)
        return page


def linked_sources(folder, pages):
    """The files and folders outside of docs/ that the pages link to, and those that these link to."""
    found, todo = set(), [(page, page.read_text()) for page in pages]
    while todo:
        page, text = todo.pop()
        prose = "\n".join(line for line, is_prose in outside_code(text) if is_prose)
        for _, target in LINK.findall(prose):
            if re.match(r"[a-z]+:|#", target):
                continue
            path = pathlib.Path(os.path.normpath(page.parent / target.partition("#")[0]))
            if path in found or not path.exists() or folder in path.parents or path == folder:
                continue
            found.add(path)
            if path.suffix == ".md":
                todo.append((path, path.read_text()))
    return found


state = {}


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    docs = pathlib.Path(config["docs_dir"])

    def expanded(entry):
        if isinstance(entry, list):
            return [expanded(e) for e in entry]
        if isinstance(entry, dict):
            return {title: expanded(e) for title, e in entry.items()}
        if not entry.endswith("/"):
            return entry
        pages = sorted(p.relative_to(docs).as_posix() for p in (docs / entry).glob("*.md") if p.name != "index.md")
        return ([entry + "index.md"] if (docs / entry / "index.md").is_file() else []) + pages

    config["nav"] = expanded(config["nav"])
    return config


def on_files(files, config):
    docs = pathlib.Path(config["docs_dir"])
    state.update(sources=Sources(), headers=header_pages(), docs=docs)
    for path in sorted(linked_sources(docs, sorted(docs.rglob("*.md")))):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith("include/") and name.removeprefix("include/") in state["headers"]:
            continue
        page = state["sources"].page_of(path)
        files.append(File(page, state["sources"].folder.name, config["site_dir"], config["use_directory_urls"]))
    for path in sorted((REFERENCE / "api").rglob("*")):  # MkDocs copies the reference, and knows what links may name
        if path.is_file():
            name = path.relative_to(REFERENCE).as_posix()
            files.append(File(name, str(REFERENCE), config["site_dir"], config["use_directory_urls"]))
    return files


def on_post_build(config):
    """Sources are pages to look at, not to search in: they would be half of the index."""
    index = pathlib.Path(config["site_dir"]) / "search/search_index.json"
    found = json.loads(index.read_text())
    found["docs"] = [entry for entry in found["docs"] if not entry["location"].startswith("source/")]
    index.write_text(json.dumps(found))


def on_page_markdown(markdown, page, config, files):
    here = pathlib.PurePosixPath(page.file.src_uri)
    in_source = here.parts[0] == "source"
    origin = ROOT / pathlib.Path(*here.parts[1:]) if in_source else state["docs"] / here

    def rewritten(match):
        text, target = match.groups()
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        file, _, anchor = target.partition("#")
        path = pathlib.Path(os.path.normpath(origin.parent / file))
        if not path.exists():
            return match[0]  # MkDocs or scripts/build_docs says that it is wrong
        if path == state["docs"] or state["docs"] in path.parents:
            uri = path.relative_to(state["docs"]).as_posix()
            if path.is_dir():
                uri = f"{uri}/index.md" if path != state["docs"] else "index.md"
        else:
            name = path.relative_to(ROOT).as_posix()
            header = state["headers"].get(name.removeprefix("include/")) if name.startswith("include/") else None
            if name == "include/juxta":
                header = "files.html"
            uri = f"api/{header}" if header else state["sources"].page_of(path)
        uri = os.path.relpath(uri, here.parent)
        return f"{text}({uri}{'#' + anchor if anchor else ''})"

    if in_source and origin.suffix != ".md":
        return markdown
    lines = [LINK.sub(rewritten, line) if prose else line for line, prose in outside_code(markdown)]
    return for_python_markdown("\n".join(lines))
