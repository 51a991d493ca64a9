// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <span>
#include <string_view>

#include "juxta/core/isa.h"

namespace juxta::test {

/// All instruction sets of this build and machine; with JUXTA_TEST_ISA=widest in the environment the first
/// alone, for builds under a sanitizer, where each takes minutes.
[[nodiscard]] inline std::span<const Isa> tested_isas() {
  const char* const wanted = std::getenv("JUXTA_TEST_ISA");
  const std::span<const Isa> all = available_isas();
  return wanted != nullptr && std::string_view(wanted) == "widest" ? all.first(all.empty() ? 0 : 1) : all;
}

/// Calls `body(isa)` once for every instruction set of tested_isas(), with that set forced; the set
/// in use before is in use again afterwards. Failures name the set.
template <class Body>
void for_each_isa(Body&& body) {
  const Result<Isa> before = active_isa();
  ASSERT_TRUE(before) << before.error().message;
  ASSERT_FALSE(available_isas().empty());
  for (const Isa isa : tested_isas()) {
    SCOPED_TRACE(isa_name(isa));
    ASSERT_TRUE(force_isa(isa));
    body(isa);
  }
  ASSERT_TRUE(force_isa(*before));
}

}  // namespace juxta::test
