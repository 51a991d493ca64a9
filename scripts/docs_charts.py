#!/usr/bin/env python3
# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Draws the charts of docs/performance.md from the tables of that page, as SVG in docs/charts.

  docs_charts.py [--check] [DOCS]    writes them; --check: compares instead, and fails when one differs
  docs_charts.py --self-test

One chart for each module: a bar per workload, on a logarithmic axis; to the right of 1x Juxta is faster. And one of all
modules: median, best and worst. A chart shows what its table says, so there is no second place for a figure.
Colours follow the reader's choice of a light or a dark screen.
"""
import math
import pathlib
import re
import sys
from html import escape

STYLE = """<style>
svg { font-family: sans-serif; font-size: 12px }
.page { fill: #fff } text { fill: #222 } .faint { fill: #666; font-size: 11px } .title { font-size: 16px; font-weight: bold }
.grid { stroke: #ddd } .one { stroke: #222 } .faster { fill: #0a6cbd } .slower { fill: #c4570e } .range { stroke: #999; stroke-width: 4 }
text.faster, text.slower { font-size: 12px }
@media (prefers-color-scheme: dark) {
.page { fill: #1e2129 } text { fill: #e6e6e6 } .faint { fill: #a8a8a8 } .grid { stroke: #3a3f4b } .one { stroke: #e6e6e6 }
.faster { fill: #5cb0f5 } .slower { fill: #f2994a } .range { stroke: #777 }
}
</style>"""
LEFT, RIGHT, TOP, STEP, WIDTH = 330, 110, 62, 28, 760
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def nanoseconds(words):
    number, unit = words.split()
    return float(number) * UNITS[unit]


def factor(words):
    """1.5 for "1.5x faster", 1 / 1.5 for "**1.5x slower**"; 1 for "about as fast"."""
    found = re.fullmatch(r"\**([\d.,]+)x (faster|slower)\**", words)
    if not found:
        return 1.0
    value = float(found[1].replace(",", ""))
    return value if found[2] == "faster" else 1 / value


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split(" | ")]


def tables_of(text):
    """{module: [(workload, ratio, words)]} of the modules, and [(module, median, best, worst)] of the summary."""
    modules, summary, name, head = {}, [], None, []
    for line in text.split("\n"):
        if line.startswith("## "):
            name = line[3:].strip()
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells_of(line)
        elif not line.startswith("|---"):
            cells = cells_of(line)
            if head[0] == "workload" and head[-1] == "Juxta is" and "not built" not in cells:
                ratio = nanoseconds(cells[2]) / nanoseconds(cells[1])
                modules.setdefault(name, []).append((cells[0].replace("`", ""), ratio, cells[-1].strip("*")))
            elif head[0] == "module" and head[-1] == "worst":
                summary.append((re.sub(r"\[([^\]]*)\].*", r"\1", cells[0]), *(factor(cell) for cell in cells[-3:])))
    return modules, summary


def axis(low, high, height):
    """(function from a ratio to x, lines of the axis) for ratios from 10^low to 10^high."""
    scale = (WIDTH - LEFT - RIGHT) / (high - low)
    x_of = lambda ratio: LEFT + (math.log10(ratio) - low) * scale
    body = [f'<text x="{x_of(1) + 4:.1f}" y="50" class="faster">Juxta is faster</text>',
            f'<text x="{x_of(1) - 4:.1f}" y="50" text-anchor="end" class="slower">Juxta is slower</text>']
    for value in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000):
        if low <= math.log10(value) <= high:
            x, kind = x_of(value), "one" if value == 1 else "grid"
            body.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - 30}" class="{kind}"/>')
            body.append(f'<text x="{x:.1f}" y="{height - 12}" text-anchor="middle" class="faint">{value:g}x</text>')
    return x_of, body


def page(title, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
            f'role="img">\n<title>{escape(title)}</title>\n{STYLE}\n<rect width="{WIDTH}" height="{height}" class="page"/>\n'
            f'<text x="16" y="26" class="title">{escape(title)}</text>\n' + "\n".join(body) + "\n</svg>\n")


def limits(ratios):
    logs = [math.log10(ratio) for ratio in ratios]
    return min(-0.35, *logs) - 0.02, max(1.0, *logs)


def module_chart(name, rows):
    height = TOP + STEP * len(rows) + 34
    x_of, body = axis(*limits([ratio for _, ratio, _ in rows]), height)
    for i, (workload, ratio, words) in enumerate(rows):
        y, begin, end = TOP + i * STEP, min(x_of(1), x_of(ratio)), max(x_of(1), x_of(ratio))
        body.append(f'<text x="{LEFT - 10}" y="{y + 18}" text-anchor="end">{escape(workload)}</text>')
        body.append(f'<rect x="{begin:.1f}" y="{y + 5}" width="{end - begin:.1f}" height="{STEP - 10}" '
                    f'class="{"faster" if ratio >= 1 else "slower"}"/>')
        body.append(f'<text x="{end + 6:.1f}" y="{y + 18}">{escape(words)}</text>')
    return page(f"{name}: Juxta beside the fastest other program", height, body)


def summary_chart(rows):
    height = TOP + STEP * len(rows) + 34
    x_of, body = axis(*limits([ratio for row in rows for ratio in row[1:]]), height)
    for i, (name, median, best, worst) in enumerate(rows):
        y = TOP + i * STEP + STEP / 2
        body.append(f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>')
        body.append(f'<line x1="{x_of(worst):.1f}" y1="{y:.1f}" x2="{x_of(best):.1f}" y2="{y:.1f}" class="range"/>')
        body.append(f'<circle cx="{x_of(median):.1f}" cy="{y:.1f}" r="6" '
                    f'class="{"faster" if median >= 1 else "slower"}"/>')
        words = f"{median:.2g}x faster" if median >= 1 else f"{1 / median:.2g}x slower"
        body.append(f'<text x="{WIDTH - RIGHT + 12}" y="{y + 4:.1f}">{words}</text>')
    return page("Median (dot), best and worst workload of each module", height, body)


def charts_of(text):
    """{file: SVG} for a page."""
    modules, summary = tables_of(text)
    charts = {f"{name}.svg": module_chart(name, rows) for name, rows in modules.items()}
    if summary:
        charts["summary.svg"] = summary_chart(summary)
    return charts


def write(docs):
    folder = docs / "charts"
    folder.mkdir(exist_ok=True)
    for name, drawing in charts_of((docs / "performance.md").read_text()).items():
        (folder / name).write_text(drawing)


def offences_of(docs):
    text = (docs / "performance.md").read_text()
    charts, found = charts_of(text), []
    for name, drawing in charts.items():
        file = docs / "charts" / name
        if not file.is_file() or file.read_text() != drawing:
            found.append(f"docs/charts/{name} is not what docs/performance.md says: run scripts/docs_charts.py")
        if f"(charts/{name})" not in text:
            found.append(f"docs/performance.md does not show charts/{name}")
    found += [f"docs/charts/{file.name} belongs to no table" for file in sorted((docs / "charts").glob("*"))
              if file.name not in charts]
    return found, len(charts)


def self_test():
    text = ("| module | task | Juxta is faster on | median | best | worst |\n|---|---|---|---|---|---|\n"
            "| [a](#a) | x | 1 of 2 workloads | **2x slower** | 3x faster | about as fast |\n\n## a\n\n"
            "| workload | Juxta | fastest other | which | Juxta is |\n|---|---|---|---|---|\n"
            "| sort `n` | 2 us | 500 ns | b | **4x slower** |\n")
    wanted = ({"a": [("sort n", 0.25, "4x slower")]}, [("a", 0.5, 3.0, 1.0)])
    if tables_of(text) != wanted:
        sys.exit(f"self-test: expected {wanted}, found {tables_of(text)}")
    if sorted(charts_of(text)) != ["a.svg", "summary.svg"] or 'class="slower"/>' not in charts_of(text)["a.svg"]:
        sys.exit("self-test: a chart is missing or has the wrong colour")
    print("self-test passed")


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    if words == ["--self-test"]:
        return self_test()
    docs = pathlib.Path(words[0]) if words else pathlib.Path(__file__).parent.parent / "docs"
    if "--check" not in sys.argv:
        write(docs)
        return 0
    found, count = offences_of(docs)
    print("\n".join([*found, f"{count} charts checked, {len(found)} offences"]))
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
