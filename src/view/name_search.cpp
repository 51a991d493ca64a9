// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "view/name_search.h"

#include <algorithm>
#include <string>

namespace juxta::view_detail {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

struct Hit {
  bool inside;  // not at the beginning
  double rank;  // less is more important
  std::uint32_t index;
  friend auto operator<=>(const Hit&, const Hit&) = default;
};

/// Where `text` (of small letters) first is in a name; its size: nowhere.
std::size_t place_in(std::string_view name, std::string_view text) {
  const auto at = std::search(name.begin(), name.end(), text.begin(), text.end(),
                              [](char a, char b) { return lower(a) == b; });
  return static_cast<std::size_t>(at - name.begin());
}

}  // namespace

std::vector<std::uint32_t> find_names(const PointTableView& table, std::string_view text, std::size_t k) {
  std::string wanted(text);
  std::ranges::transform(wanted, wanted.begin(), lower);
  std::vector<Hit> best;  // a heap: the worst of the best on top
  if (wanted.empty() || k == 0) {
    return {};
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::string_view name = table.name(i);
    const std::size_t at = name.size() < wanted.size() ? name.size() : place_in(name, wanted);
    if (at == name.size()) {
      continue;
    }
    const double rank = table.rank.empty() ? static_cast<double>(i) : table.rank[i];
    const Hit hit{at != 0, table.descending ? -rank : rank, static_cast<std::uint32_t>(i)};
    if (best.size() < k) {
      best.push_back(hit);
      std::ranges::push_heap(best);
    } else if (hit < best.front()) {
      std::ranges::pop_heap(best);
      best.back() = hit;
      std::ranges::push_heap(best);
    }
  }
  std::ranges::sort_heap(best);
  std::vector<std::uint32_t> found;
  for (const Hit& hit : best) {
    found.push_back(hit.index);
  }
  return found;
}

}  // namespace juxta::view_detail
