// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/contest_peer.h"

#include <vector>

#include "bench/support/settings.h"
#include "ranked/contest.h"

namespace juxta::bench {

static_assert(sizeof(::Point) == sizeof(classics::Record));

ContestPeer::ContestPeer(const classics::RankedColumns& points) {
  std::vector<::Point> records(points.x.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i] = {points.id[i], points.rank[i], points.x[i], points.y[i]};
  }
  context_ = ::create(records.data(), records.data() + records.size());
  if (context_ == nullptr) {
    give_up("The contest interface made no context.");
  }
}

ContestPeer::~ContestPeer() {
  ::destroy(static_cast<SearchContext*>(context_));
}

std::size_t ContestPeer::top(const RectF& rect, std::size_t k, classics::Record* out) const {
  // The two records are the same 13 bytes; the callee stands in another library.
  return static_cast<std::size_t>(::search(static_cast<SearchContext*>(context_),
                                           {rect.lx, rect.ly, rect.hx, rect.hy}, static_cast<std::int32_t>(k),
                                           reinterpret_cast<::Point*>(out)));
}

}  // namespace juxta::bench
