# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Small plots as hand-written SVG: a scatter with log axes, and contenders on lines."""
import math
from html import escape

INK, FAINT, GRID = "#222", "#777", "#ddd"
COLOURS = ("#0a6cbd", "#e08214", "#3a9d3a", "#c23b8f", "#7a52c7", "#a0522d", "#d62728", "#17a2a2", "#8aa100", "#444444",
           "#e377c2", "#6b8fb5", "#b8860b", "#2e4a1e")


def page(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13" fill="{INK}">\n'
            f'<rect width="{width}" height="{height}" fill="#fff"/>\n' + "\n".join(body) + "\n</svg>\n")


def text(x, y, words, anchor="start", extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{escape(words)}</text>'


def line(x1, y1, x2, y2, colour=GRID, extra=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {extra}/>'


def log_ticks(low, high):
    return range(math.floor(low), math.ceil(high) + 1)


def scatter(title, x_title, y_title, series):
    """series: (name, [(x, y)]). Both axes logarithmic; x = 0 stands at 0.5, left of 1."""
    width, height, left, right, top, bottom = 760, 460, 72, 20, 62, 52
    points = [(math.log10(max(x, 0.5)), math.log10(y)) for _, pairs in series for x, y in pairs]
    x_low, x_high = min(p[0] for p in points), max(p[0] for p in points)
    y_low, y_high = math.floor(min(p[1] for p in points)), math.ceil(max(p[1] for p in points))
    x_span = max(x_high - x_low, 1e-9)

    def at(x, y):
        return (left + 8 + (x - x_low) / x_span * (width - left - right - 16),
                height - bottom - (y - y_low) / max(y_high - y_low, 1) * (height - top - bottom))

    body = [text(16, 26, title, extra='font-size="16" font-weight="bold"')]
    for power in log_ticks(y_low, y_high):
        _, y = at(x_low, power)
        label = f"{10 ** power:g} ns" if power < 3 else f"{10 ** (power - 3):g} us"
        body += [line(left, y, width - right, y), text(left - 8, y + 4, label, "end", f'fill="{FAINT}"')]
    for power in range(0, math.floor(x_high) + 1):
        x, _ = at(power, y_low)
        body += [line(x, top, x, height - bottom),
                 text(x, height - bottom + 18, f"{10 ** power:,}", "middle", f'fill="{FAINT}"')]
    body.append(text(at(x_low, 0)[0], height - bottom + 18, "0", "middle", f'fill="{FAINT}"'))
    body.append(text((left + width - right) / 2, height - 12, x_title, "middle"))
    body.append(text(left, 52, y_title, extra=f'fill="{FAINT}"'))
    for i, (name, pairs) in enumerate(series):
        dots = "".join("M%.1f %.1fh0" % at(math.log10(max(x, 0.5)), math.log10(y)) for x, y in pairs)
        body.append(f'<path d="{dots}" stroke="{COLOURS[i]}" stroke-width="4" stroke-linecap="round" '
                    'stroke-opacity="0.55" fill="none"/>')
        body.append(f'<circle cx="{width - 190 + i * 90}" cy="47" r="5" fill="{COLOURS[i]}"/>')
        body.append(text(width - 180 + i * 90, 52, name))
    return page(width, height, body)


def lanes(title, x_title, series):
    """series: (name, [(lane, nanoseconds)]). One line per lane, one dot per contender on it, log axis."""
    lane_names = list(dict.fromkeys(lane for _, points in series for lane, _ in points))
    left, right, step, width = 190, 24, 26, 760
    top = 48 + 18 * max(2, (len(series) + 3) // 4)  # below the legend
    height = top + step * len(lane_names) + 48
    values = [math.log10(value) for _, points in series for _, value in points]
    low, high = math.floor(min(values)), math.ceil(max(values))
    scale = (width - left - right) / max(high - low, 1)
    body = [text(16, 26, title, extra='font-size="16" font-weight="bold"')]
    for power in range(low, high + 1):
        x = left + (power - low) * scale
        label = f"{10 ** power:g} ns" if power < 3 else f"{10 ** (power - 3):g} us"
        body += [line(x, top - 6, x, height - 40),
                 text(x, height - 24, label, "middle", f'fill="{FAINT}" font-size="11"')]
    body.append(text((left + width - right) / 2, height - 6, x_title, "middle", 'font-size="12"'))
    for i, lane in enumerate(lane_names):
        y = top + i * step + 8
        body += [line(left, y, width - right, y), text(left - 10, y + 4, lane, "end", 'font-size="12"')]
    for i, (name, points) in enumerate(series):
        colour = COLOURS[i % len(COLOURS)]
        across, down = i % 4, i // 4
        body += [f'<circle cx="{left + across * 136}" cy="{44 + down * 18}" r="5" fill="{colour}"/>',
                 text(left + across * 136 + 10, 48 + down * 18, name, extra='font-size="12"')]
        for lane, value in points:
            body.append(f'<circle cx="{left + (math.log10(value) - low) * scale:.1f}" '
                        f'cy="{top + lane_names.index(lane) * step + 8}" r="5" fill="{colour}" fill-opacity="0.85"/>')
    return page(width, height, body)


def curves(title, x_title, y_title, series):
    """series: (name, [(x, y)]). x logarithmic, with a tick at each x; y from 0."""
    width, height, left, right, top, bottom = 760, 360, 72, 30, 74, 52
    xs = sorted({x for _, points in series for x, _ in points})
    most = max(y for _, points in series for _, y in points) * 1.1
    low, span = math.log10(xs[0]), max(math.log10(xs[-1] / xs[0]), 1e-9)

    def at(x, y):
        return (left + (math.log10(x) - low) / span * (width - left - right),
                height - bottom - y / most * (height - top - bottom))

    body = [text(16, 26, title, extra='font-size="16" font-weight="bold"'),
            text(left, top - 8, y_title, extra=f'fill="{FAINT}" font-size="12"'),
            text((left + width - right) / 2, height - 8, x_title, "middle", 'font-size="12"')]
    step = 10 ** math.floor(math.log10(most)) / 2
    for tick in range(int(most / step) + 1):
        _, y = at(xs[0], tick * step)
        body += [line(left, y, width - right, y),
                 text(left - 8, y + 4, f"{tick * step:g}", "end", f'fill="{FAINT}" font-size="11"')]
    for x in xs:
        body.append(text(at(x, 0)[0], height - bottom + 18, f"{x:,.0f}", "middle", f'fill="{FAINT}" font-size="11"'))
    for i, (name, points) in enumerate(series):
        places = [at(x, y) for x, y in sorted(points)]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        body.append(f'<polyline points="{way}" fill="none" stroke="{COLOURS[i]}" stroke-width="2"/>')
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[i]}"/>' for x, y in places]
        body += [f'<circle cx="{left + i * 136}" cy="44" r="5" fill="{COLOURS[i]}"/>',
                 text(left + i * 136 + 10, 48, name, extra='font-size="12"')]
    return page(width, height, body)
