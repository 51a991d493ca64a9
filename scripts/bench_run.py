# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
"""Runs benchmark programs and reads what they measured. Used by scripts/bench."""
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time


class Row:
    """One benchmark of one run: its repetitions, and the counters of the last one."""

    def __init__(self, name):
        self.name = name
        self.times = []  # nanoseconds per iteration, one for each repetition
        self.counters = {}
        self.measured = ""  # of which revision, and on which day

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def spread(self):
        """Half the distance between the quartiles, as a share of the median."""
        if self.median == math.inf:
            return 0
        if len(self.times) < 4:
            return (max(self.times) - min(self.times)) / 2 / self.median
        low, _, high = statistics.quantiles(self.times, n=4)
        return (high - low) / 2 / self.median


UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
COUNTERS = ("bytes", "checksum", "p50_ns", "p99_ns", "max_ns", "misses", "p99_misses", "queries", "points",
            "bytes_per_second", "boxes", "pairs", "differ", "moved", "events", "nodes", "first_ns", "last_ns",
            "agents", "missing", "atom_steps", "particle_steps", "rays", "hits",
            "sort_ns", "see_ns", "act_ns", *(f"{of}{k}{unit}" for k in range(5)  # of Tay's structures
                                             for of, unit in (("width", "_ns"), ("near", ""), ("uneven", ""))))


def plain(name):
    """A row's name without what Google Benchmark appends to it."""
    return re.sub(r"/(iterations:\d+|manual_time)", "", name)


def read_rows(report, rows):
    """Adds the repetitions of a Google Benchmark JSON report to `rows` (name -> Row)."""
    context = report["context"]
    measured = f"revision {context.get('revision', 'unknown')}, {context['date'][:10]}"
    for entry in report["benchmarks"]:
        if entry.get("error_occurred"):
            sys.exit(f"bench: {entry['name']}: {entry.get('error_message')}")
        if entry.get("run_type") != "iteration":
            continue
        name = entry.get("run_name", entry["name"]).split("/repeats:")[0]
        name = re.sub(r"/iterations:\d+", "", name)
        row = rows.setdefault(plain(name), Row(plain(name)))
        row.measured = measured
        # Processor time, so that other work on the machine does not count; with threads, the wall clock. A row
        # that times itself, to leave out what it prepares, has its figure in real_time.
        timed_itself = name.endswith("/manual_time")
        clock = "real_time" if timed_itself or "threads" in name else "cpu_time"
        # What could not be built takes for ever, and misses every bar.
        row.times.append(math.inf if entry.get("missing") else entry[clock] * UNITS[entry["time_unit"]])
        row.counters.update({key: entry[key] for key in COUNTERS if key in entry})
    return rows


def list_rows(program, pattern):
    listed = subprocess.run([program, "--benchmark_list_tests"], capture_output=True, text=True, check=True)
    names = [line.strip() for line in listed.stdout.splitlines() if line.strip()]
    return [name for name in names if re.search(pattern, name)]


def group_of(name):
    """Rows of one group run in one process, so that only that much data is in memory at once; rows with threads
    in one where Embree, which holds oneTBB to one thread, is never asked."""
    first, *rest = name.split("/")
    if (seed := re.search(r"_seed\d+$", first)) and not first.startswith("lists"):
        return seed.group()[1:]
    if first == "hard":
        return f"hard-{rest[0]}"
    if first.startswith("build") or first == "memory":
        return "build"
    if first in ("miss", "scan_bandwidth"):
        return "limits"
    if first.startswith(("threads", "events", "pairs_uniform_1M", "ray", "spawn", "small_layer", "moves")):
        return first.split("_")[0] + ("_1M" if first.startswith("pairs") else "")
    if first.startswith(("pairs", "bipartite")):
        return "pairs"
    if first.startswith(("prefabs", "random", "forms", "deep_wide", "chain", "ropes", "star", "roots", "flock", "visit", "tay", "clumped",
                         "growth", "battle", "mission5", "stages", "whole", "density", "crowded", "lists")):
        return first
    return "queries"


def groups(program, pattern):
    found = {}
    for name in list_rows(program, pattern):
        found.setdefault(group_of(name), []).append(name)
    return found


def run_rows(program, names, out, repetitions, min_time, environment, revision):
    """Runs `names`, repetitions of all of them in random order, into the JSON file `out`, which names `revision`."""
    out.parent.mkdir(parents=True, exist_ok=True)
    wanted = "^(" + "|".join(re.escape(n.split("/iterations:")[0]) for n in names) + ")(/iterations:.*)?$"
    command = [str(program), f"--benchmark_filter={wanted}", f"--benchmark_repetitions={repetitions}",
               f"--benchmark_min_time={min_time}", "--benchmark_enable_random_interleaving=true",
               f"--benchmark_out={out}", "--benchmark_out_format=json",
               f"--benchmark_context=revision={revision}"]
    done = subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        reasons = [line for line in done.stderr.splitlines() if line.startswith("bench:")] or [done.stderr[-2000:]]
        sys.exit("\n".join(reasons))
    return json.loads(out.read_text())


class Progress:
    """A line that is written over on a terminal; silent in a pipe."""

    def __init__(self):
        self.shown = sys.stderr.isatty()
        self.begin = time.monotonic()

    def say(self, text):
        if self.shown:
            print(f"\r\033[K{time.monotonic() - self.begin:5.0f} s  {text}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def machine():
    """One line: processor, cores, memory, system."""
    model, cores = "unknown processor", os.cpu_count()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        text = cpuinfo.read_text()
        match = re.search(r"model name\s*:\s*(.+)", text)
        model = match.group(1) if match else model
        best = next((isa for flag, isa in (("avx512f", "AVX-512"), ("avx2", "AVX2"), ("sse4_2", "SSE4.2"))
                     if re.search(rf"\b{flag}\b", text)), "no SIMD")
        model = f"{model} ({best})"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {cores} cores, {memory:.0f} GiB, {os.uname().sysname} {os.uname().release}"


def git(root, *arguments):
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True,
                          check=True).stdout.strip()


def revision(root):
    """What stands in the working tree; "unknown" in one without a history."""
    try:
        return git(root, "describe", "--always", "--dirty")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
