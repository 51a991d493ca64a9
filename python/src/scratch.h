// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where answers of one query go before they become an array, since nobody knows how many there will be.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "call.h"
#include "juxta/core/query_result.h"
#include "outputs.h"

namespace juxta::python {

/// Kept by each thread: 4096 answers at first, as many as a query of its once had, up to a million.
template <class T>
Buffer<T>& thread_scratch() {
  static thread_local Buffer<T> kept(4096);
  return kept;
}

/// Runs find(out), which returns a QueryResult, without the GIL; again when `out` was too short. Then
/// use(answers).
template <class T, class Find, class Use>
auto with_answers(Find&& find, Use&& use) {
  constexpr std::size_t kMostKept = std::size_t{1} << 20;
  Buffer<T>& kept = thread_scratch<T>();
  const QueryResult first = Call::released([&] { return find(kept.rest()); });
  if (first.found <= kept.capacity()) {
    return use(kept.rest().first(first.written));
  }
  Buffer<T> larger(first.found);
  const QueryResult second = Call::released([&] { return find(larger.rest()); });
  if (first.found <= kMostKept) {
    kept = std::move(larger);
    return use(kept.rest().first(second.written));
  }
  return use(larger.rest().first(second.written));
}

/// The bodies that find(out) writes, as an array.
template <class Find>
py::array scratch_indices(IndexType type, bool sorted, Find&& find) {
  return with_answers<std::uint32_t>(find, [&](std::span<std::uint32_t> bodies) {
    if (sorted) {
      std::ranges::sort(bodies);
    }
    return index_array(bodies, type);
  });
}

/// How many answers `count` queries have, about: what count_of(i) says of some of them, and half as many
/// more. Memory that is not written costs nothing, but a batch that does not fit is run twice.
template <class CountOf>
std::size_t guess_answers(std::size_t first, std::size_t last, CountOf&& count_of) {
  constexpr std::size_t kAsked = 64;
  const std::size_t step = std::max<std::size_t>(1, (last - first) / kAsked);
  std::size_t found = 0, asked = 0;
  for (std::size_t i = first; i < last; i += step) {
    found += count_of(i);
    ++asked;
  }
  return asked == 0 ? 0 : (found + asked) * 3 / 2 * (last - first) / asked;
}

/// All pairs {query, body} of `count` queries. find(first, last, out, context) answers the queries from
/// `first` to `last`, numbered from 0; count_of(i) says how many bodies query i has.
template <class Find, class CountOf>
py::array pair_batches(Call& call, std::size_t count, std::string_view stage, IndexType type, Find&& find,
                       CountOf&& count_of) {
  return filled_pairs(type, call.executor(), [&](Buffer<Pair>& pairs) {
    call.run_ranges(
        count, stage,
        [&](const Context& context, std::size_t first, std::size_t last) -> Result<QueryResult> {
          pairs.reserve(pairs.size() + std::max<std::size_t>(4096, guess_answers(first, last, count_of)));
          Result<QueryResult> found = find(first, last, pairs.rest(), context);
          if (found && found->found > found->written) {
            pairs.reserve(pairs.size() + found->found);
            found = find(first, last, pairs.rest(), context);
          }
          if (found) {
            for (Pair& pair : pairs.rest().first(first == 0 ? 0 : found->written)) {
              pair.a += static_cast<std::uint32_t>(first);
            }
            pairs.resize(pairs.size() + found->written);
          }
          return found;
        });
  });
}

}  // namespace juxta::python
