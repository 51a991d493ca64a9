// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fstream>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "bench/support/query_row.h"
#include "bench/support/settings.h"

namespace juxta::bench {

void write_scatter(Official& official, const std::string& path) {
  const Workload& w = *official.hot;
  std::vector<std::uint32_t> ids(w.right.k);
  const std::vector<double> juxta = single_times(
      w.rects.size(), [&](std::size_t i) { return official.index->top(w.wide[i], w.right.k, ids).written; });
  const std::vector<double> mipmap = single_times(w.rects.size(), [&](std::size_t i) {
    return official.mipmap->top_ids(w.rects[i], w.right.k, ids.data());
  });
  std::ofstream file(path);
  file << "inside,juxta_ns,mipmap_ns\n";
  for (std::size_t i = 0; i < w.rects.size(); ++i) {
    file << official.scan->count(w.rects[i]) << ',' << juxta[i] << ',' << mipmap[i] << '\n';
  }
  file.close();
  if (!file) {
    give_up("Cannot write " + path + ".");
  }
}

}  // namespace juxta::bench
