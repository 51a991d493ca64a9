// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include "juxta/core/isa.h"

namespace juxta::test {

/// Calls `body(isa)` once for every instruction set of this build and machine, with that set forced; the set
/// in use before is in use again afterwards. Failures name the set.
template <class Body>
void for_each_isa(Body&& body) {
  const Result<Isa> before = active_isa();
  ASSERT_TRUE(before) << before.error().message;
  ASSERT_FALSE(available_isas().empty());
  for (const Isa isa : available_isas()) {
    SCOPED_TRACE(isa_name(isa));
    ASSERT_TRUE(force_isa(isa));
    body(isa);
  }
  ASSERT_TRUE(force_isa(*before));
}

}  // namespace juxta::test
