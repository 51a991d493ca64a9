// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every form of a search for pairs against brute force. Shared with fuzz/layer: what differs comes back as
// words, and none are good.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "layer/reference.h"

namespace juxta::test {

inline constexpr Pair kGuardPair = {0xDEADBEEF, 0xDEADBEEF};

inline std::vector<Pair> ascending(std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end());  // a total order, and equal pairs are the same
  return pairs;
}

/// One search, of one layer or of two, however it is called.
template <int D>
class PairSearch {
 public:
  PairSearch(const BasicLayer<D>& a, const BasicLayer<D>* b, const FindPairsOptions& options,
             const Executor* executor = nullptr)
      : a_(a), b_(b), options_(options), context_{.executor = executor, .workspace = &workspace_} {}
  PairSearch(const PairSearch&) = delete;
  PairSearch& operator=(const PairSearch&) = delete;

  QueryResult find(std::span<Pair> out, bool sorted = false) const {
    FindPairsOptions options = options_;
    options.sorted = sorted;
    return b_ == nullptr ? find_pairs(a_, out, options, context_).value()
                         : find_pairs(a_, *b_, out, options, context_).value();
  }
  QueryResult visit(PairVisitor visitor, bool sorted = false) const {
    FindPairsOptions options = options_;
    options.sorted = sorted;
    return b_ == nullptr ? visit_pairs(a_, visitor, options, context_).value()
                         : visit_pairs(a_, *b_, visitor, options, context_).value();
  }
  QueryResult visit_exclusive(ExclusiveVisitor visitor) const {
    return b_ == nullptr ? visit_pairs_exclusive(a_, visitor, options_, context_).value()
                         : visit_pairs_exclusive(a_, *b_, visitor, options_, context_).value();
  }
  QueryResult visit_by_first(ExclusiveVisitor visitor) const {
    return visit_pairs_by_first(a_, *b_, visitor, options_, context_).value();
  }
  [[nodiscard]] bool of_two() const noexcept { return b_ != nullptr; }
  /// All pairs in the layer's own order; the right length is asked for first.
  std::vector<Pair> all() const {
    std::vector<Pair> pairs(find({}).found);
    find(pairs);
    return pairs;
  }

 private:
  const BasicLayer<D>& a_;
  const BasicLayer<D>* b_;
  FindPairsOptions options_;
  mutable Workspace workspace_;
  Context context_;
};

/// `out` of a length: the first pairs of `all`, the exact need, and nothing written behind.
template <int D>
bool stores_first(const PairSearch<D>& search, const std::vector<Pair>& all, std::size_t room, bool sorted) {
  std::vector<Pair> out(room + 20, kGuardPair);
  const QueryResult result = search.find(std::span(out).first(room), sorted);
  const std::size_t written = std::min(room, all.size());
  return result.found == all.size() && result.written == written &&
         std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(written), all.begin()) &&
         std::all_of(out.begin() + static_cast<std::ptrdiff_t>(room), out.end(),
                     [](Pair pair) { return pair == kGuardPair; });
}

/// A visitor that stops after `batches` sees the beginning of `all`, and hears nothing more.
template <int D>
bool visits_first(const PairSearch<D>& search, const std::vector<Pair>& all, std::size_t batches,
                  bool sorted) {
  std::vector<Pair> seen;
  std::size_t calls = 0;
  bool sizes_are_right = true;
  const QueryResult result = search.visit(
      [&](std::span<const Pair> pairs) {
        sizes_are_right = sizes_are_right && !pairs.empty();
        seen.insert(seen.end(), pairs.begin(), pairs.end());
        return ++calls < batches;
      },
      sorted);
  return sizes_are_right && calls <= batches && result.written == seen.size() &&
         result.found == seen.size() && seen.size() <= all.size() &&
         std::equal(seen.begin(), seen.end(), all.begin()) && (calls == batches || seen.size() == all.size());
}

/// What differs between every form of this search and `expected` (ascending); empty: nothing.
template <int D>
std::string compare_pairs(const PairSearch<D>& search, const std::vector<Pair>& expected) {
  const std::vector<Pair> natural = search.all();
  if (ascending(natural) != expected) {
    return "find_pairs: " + std::to_string(natural.size()) + " pairs of " + std::to_string(expected.size());
  }
  for (const bool sorted : {false, true}) {
    const std::vector<Pair>& all = sorted ? expected : natural;
    const std::string which = sorted ? " (sorted)" : "";
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, all.size() / 2, all.size() + 3}) {
      if (!stores_first(search, all, room, sorted)) {
        return "find_pairs into " + std::to_string(room) + which;
      }
    }
    for (const std::size_t batches : {std::size_t{1}, std::size_t{2}, ~std::size_t{0}}) {
      if (!visits_first(search, all, batches, sorted)) {
        return "visit_pairs, " + std::to_string(batches) + " batches" + which;
      }
    }
  }
  std::vector<Pair> exclusive;
  const QueryResult result = search.visit_exclusive(
      [&](std::span<const Pair> pairs) { exclusive.insert(exclusive.end(), pairs.begin(), pairs.end()); });
  if (result.found != expected.size() || result.written != expected.size() ||
      ascending(std::move(exclusive)) != expected) {
    return "visit_pairs_exclusive";
  }
  if (search.of_two()) {
    std::vector<Pair> by_first;
    search.visit_by_first(
        [&](std::span<const Pair> pairs) { by_first.insert(by_first.end(), pairs.begin(), pairs.end()); });
    if (ascending(std::move(by_first)) != expected) {
      return "visit_pairs_by_first";
    }
  }
  return {};
}

}  // namespace juxta::test
