// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace juxta::bench {

class Official;

// Each registers its rows, named `workload/contender`. Data is made when a row first runs.
void register_official(Official& official);  ///< official_*, batch, count
void register_seeds();                       ///< official_*_seed2 to _seed5
void register_sqlite(Official& official);    ///< official_1m/* (only where SQLite is installed)
void register_hard();                        ///< hard/<set>/<family>/juxta and /mipmap
void register_regions();                     ///< region_*
void register_pages(Official& official);     ///< page_*
void register_live(Official& official);      ///< live_*
void register_opening(Official& official);   ///< open_*
void register_labels();                      ///< labels_build/*, labels_view/*
void register_build(Official& official);     ///< build_10M, build_100k, memory
void register_rejected(Official& official);  ///< rejected_*, where JUXTA_BENCH_REJECTED is 1
void register_limits(Official& official);    ///< miss, scan_bandwidth

/// Writes one line per official query: points inside, nanoseconds of each contender (the plot's data).
void write_scatter(Official& official, const std::string& path);

}  // namespace juxta::bench
