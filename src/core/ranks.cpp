// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/ranks.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/rank_gather.h"
#include "juxta/core/try.h"

namespace juxta {

Ranks::~Ranks() = default;

void Ranks::poke() noexcept {}

Result<void> agree(Ranks& ranks, const Result<void>& mine) {
  constexpr std::uint32_t kFine = ~std::uint32_t{0};
  const std::uint32_t code = mine ? kFine : static_cast<std::uint32_t>(mine.error().code);
  JUXTA_TRY_LET(const std::vector<std::uint32_t> codes, core_detail::all_gather(ranks, code));
  const auto first = std::find_if(codes.begin(), codes.end(), [](std::uint32_t c) { return c != kFine; });
  if (first == codes.end()) {
    return {};
  }
  const bool tells = ranks.rank() == static_cast<std::uint32_t>(first - codes.begin());
  const std::string message = tells ? mine.error().message : "";
  JUXTA_TRY_LET(const std::vector<char> told, core_detail::all_of_all<char>(ranks, message));
  return !mine ? mine
               : fail(static_cast<ErrorCode>(*first), "rank " + std::to_string(first - codes.begin()) + ": " +
                                                          std::string(told.begin(), told.end()));
}

}  // namespace juxta
