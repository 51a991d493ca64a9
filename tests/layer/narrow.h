// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Drawn QueryOptions and BatchOptions, and a query of a batch as if it were asked alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/layer/pair.h"
#include "juxta/layer/query_options.h"

namespace juxta::test {

/// What one query of a batch asks for. Outlives the options that it gives out.
class SingleOptions {
 public:
  SingleOptions(const BatchOptions& batch, std::uint32_t query) : batch_(batch), query_(query) {}
  [[nodiscard]] QueryOptions options() const {
    QueryOptions one{.filter = batch_.filter};
    if (!batch_.ignore.empty()) {
      one.ignore = batch_.ignore.subspan(query_, 1);
    }
    if (batch_.accept) {
      one.accept = *this;
    }
    return one;
  }
  bool operator()(std::uint32_t body) const { return batch_.accept(query_, body); }

 private:
  const BatchOptions& batch_;
  std::uint32_t query_;
};

/// A drawn choice of bodies: a filter, and in two of three draws bodies to ignore or a rule, or both.
/// Outlives the options that it gives out.
class Narrowing {
 public:
  template <class Draw>
  Narrowing(Draw& draws, Filter filter, std::size_t bodies) : filter_(filter) {
    const std::uint32_t kind = draws.below(6);
    rules_ = kind == 1 || kind == 2;
    for (std::uint32_t i = 0; (kind == 2 || kind == 3) && i < draws.below(5); ++i) {
      ignored_.push_back(draws.below(static_cast<std::uint32_t>(bodies) + 1));
    }
    if (kind == 2 || kind == 3) {
      ignored_.push_back(draws.below(2) == 0 ? kNoBody : 0U);
    }
    every_ = 1 + draws.below(4);
  }

  [[nodiscard]] QueryOptions options() const {
    QueryOptions one{.filter = filter_, .ignore = ignored_};
    if (rules_) {
      one.accept = *this;
    }
    return one;
  }
  /// For so many queries.
  [[nodiscard]] BatchOptions batch(std::size_t queries) {
    BatchOptions many{.filter = filter_};
    if (!ignored_.empty()) {
      of_query_.resize(queries);
      for (std::size_t i = 0; i < queries; ++i) {
        of_query_[i] = ignored_[i % ignored_.size()];
      }
      many.ignore = of_query_;
    }
    if (rules_) {
      many.accept = *this;
    }
    return many;
  }
  bool operator()(std::uint32_t body) const { return body % every_ != 1; }
  bool operator()(std::uint32_t query, std::uint32_t body) const { return (body + query) % every_ != 1; }

 private:
  Filter filter_;
  bool rules_ = false;
  std::uint32_t every_ = 1;
  std::vector<std::uint32_t> ignored_, of_query_;
};

}  // namespace juxta::test
