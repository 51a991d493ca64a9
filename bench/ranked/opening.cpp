// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// open_<whole|as_read>/<top|count>: a saved index is opened, asked once and checked: the 20 lowest ranks in
// the first rectangle of the stream, or how many points are left of the first one. The file is in the
// system's cache. Both ways must give the answer of the index that was saved.
#include <unistd.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "bench/ranked/official_data.h"
#include "bench/ranked/official_rows.h"
#include "bench/ranked/rows.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {
namespace {

/// The saved index; gone with the program.
class SavedIndex {
 public:
  explicit SavedIndex(Official& official)
      : path_((std::filesystem::temp_directory_path() / ("juxta_open_" + std::to_string(::getpid())))
                  .string()) {
    if (!official.index->save(path_)) {
      give_up(path_ + ": cannot be written");
    }
  }
  SavedIndex(const SavedIndex&) = delete;
  SavedIndex& operator=(const SavedIndex&) = delete;
  ~SavedIndex() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

using Answer = std::array<Id, 20>;

std::size_t top_of(const RankedPoints& points, Official& o, Answer& out) {
  const RectF& r = o.stream_rects->front();
  return points.top({r.lx, r.ly, r.hx, r.hy}, out.size(), out).written;
}
std::size_t count_of(const RankedPoints& points, Official& o, Answer&) {
  const RectD all = points.bounds();
  return points.count({all.lx, all.ly, o.world->x.front(), all.hy}).found;
}

template <class Ask>
void add_open(Official& official, const std::shared_ptr<Once<SavedIndex>>& saved, FileCheck check,
              const std::string& row, Ask ask) {
  benchmark::RegisterBenchmark(row.c_str(), [&official, saved, check, row, ask](benchmark::State& state) {
    const std::string& path = (**saved).path();
    Answer got{}, want{};
    std::size_t found = 0;
    for (auto _ : state) {
      const RankedPoints points = RankedPoints::load(path, check).value();
      found = ask(points, official, got);
      if (!points.check_read()) {
        wrong_answer(row, 0);
      }
    }
    if (found != ask(*official.index, official, want) || got != want) {
      wrong_answer(row, 0);
    }
    state.counters["found"] = static_cast<double>(found);
  });
}

}  // namespace

void register_opening(Official& official) {
  const auto saved =
      std::make_shared<Once<SavedIndex>>([&] { return std::make_unique<SavedIndex>(official); });
  for (const auto& [name, check] :
       {std::pair("open_whole", FileCheck::kWhole), {"open_as_read", FileCheck::kAsRead}}) {
    add_open(official, saved, check, std::string(name) + "/top", top_of);
    add_open(official, saved, check, std::string(name) + "/count", count_of);
  }
}

}  // namespace juxta::bench
