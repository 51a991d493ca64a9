// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// official_1m/*: what most programs would reach for. One million points only: more take SQLite minutes.
#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "bench/support/query_row.h"
#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kPoints = 1'000'000, kTop = 20, kQueries = 20;

class SqlitePeer {
 public:
  explicit SqlitePeer(const classics::RankedColumns& p) {
    must(sqlite3_open(":memory:", &db_));
    run("CREATE VIRTUAL TABLE points USING rtree(id, lx, hx, ly, hy, +rank INTEGER)");
    run("BEGIN");
    sqlite3_stmt* insert = prepare("INSERT INTO points VALUES (?1, ?2, ?2, ?3, ?3, ?4)");
    for (std::size_t i = 0; i < p.x.size(); ++i) {
      must(sqlite3_bind_int64(insert, 1, static_cast<sqlite3_int64>(i)));
      must(sqlite3_bind_double(insert, 2, double{p.x[i]}));
      must(sqlite3_bind_double(insert, 3, double{p.y[i]}));
      must(sqlite3_bind_int(insert, 4, p.rank[i]));
      sqlite3_step(insert);
      must(sqlite3_reset(insert));
    }
    sqlite3_finalize(insert);
    run("COMMIT");
    select_ = prepare(
        "SELECT id FROM points WHERE lx >= ?1 AND hx <= ?2 AND ly >= ?3 AND hy <= ?4 "
        "ORDER BY rank LIMIT ?5");
  }
  SqlitePeer(const SqlitePeer&) = delete;
  SqlitePeer& operator=(const SqlitePeer&) = delete;
  ~SqlitePeer() {
    sqlite3_finalize(select_);
    sqlite3_close(db_);
  }

  std::size_t top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) {
    const double bounds[]{double{rect.lx}, double{rect.hx}, double{rect.ly}, double{rect.hy}};
    for (int i = 0; i < 4; ++i) {
      must(sqlite3_bind_double(select_, i + 1, bounds[i]));
    }
    must(sqlite3_bind_int64(select_, 5, static_cast<sqlite3_int64>(k)));
    std::size_t n = 0;
    while (sqlite3_step(select_) == SQLITE_ROW) {
      out[n++] = static_cast<std::uint32_t>(sqlite3_column_int64(select_, 0));
    }
    must(sqlite3_reset(select_));
    return n;
  }

 private:
  void must(int code) const {
    if (code != SQLITE_OK) {
      give_up(std::string("SQLite: ") + sqlite3_errmsg(db_));
    }
  }
  void run(const char* sql) { must(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr)); }
  sqlite3_stmt* prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    must(sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr));
    return statement;
  }

  sqlite3* db_ = nullptr;
  sqlite3_stmt* select_ = nullptr;
};

// The first million points of the official input and the first of its queries.
struct Million {
  explicit Million(Official& o) {
    const classics::RankedColumns all = o.columns();
    const std::size_t n = std::min(kPoints, all.x.size());
    columns = {all.x.first(n), all.y.first(n), all.rank.first(n), all.id.first(n)};
    rects.assign(o.hot_rects->begin(),
                 o.hot_rects->begin() + static_cast<std::ptrdiff_t>(std::min(kQueries, o.hot_rects->size())));
    right = answers_of(classics::Scan(columns), rects, rects.size(), kTop);
  }
  classics::RankedColumns columns;
  std::vector<RectF> rects;
  Answers right;
};

template <class Contender>
void add_row(const char* name, const std::shared_ptr<Once<Million>>& data) {
  auto contender =
      std::make_shared<Once<Contender>>([data] { return std::make_unique<Contender>((*data)->columns); });
  auto timed = std::make_shared<QueryRow>();
  benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
    const Million& m = **data;
    Contender& c = **contender;
    check_ids(name, m.right,
              [&](std::size_t i, std::uint32_t* out) { return c.top_ids(m.rects[i], kTop, out); });
    std::vector<std::uint32_t> out(kTop);
    timed->run(state, m.rects.size(), [&](std::size_t i) { return c.top_ids(m.rects[i], kTop, out.data()); });
    state.counters["checksum"] = checksum(m.right);
  });
}

// RankedPoints under the yardsticks' names of things.
class Index {
 public:
  explicit Index(const classics::RankedColumns& p) {
    auto built = RankedPoints::build(p.x, p.y, p.rank);
    if (!built) {
      give_up(built.error().message);
    }
    points_ = std::move(*built);
  }
  std::size_t top_ids(const RectF& r, std::size_t k, std::uint32_t* out) const {
    return points_.top({double{r.lx}, double{r.ly}, double{r.hx}, double{r.hy}}, k, {out, k}).written;
  }

 private:
  RankedPoints points_;
};

}  // namespace

void register_sqlite(Official& official) {
  auto data = std::make_shared<Once<Million>>([&official] { return std::make_unique<Million>(official); });
  add_row<Index>("official_1m/juxta", data);
  add_row<classics::Mipmap>("official_1m/mipmap", data);
  add_row<SqlitePeer>("official_1m/sqlite", data);
}

}  // namespace juxta::bench
