// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "classics/agents/tay_copies.h"
#include "classics/agents/tay_lists.h"

namespace juxta::classics {

/// A structure with agents of one kind that stay, or are copied.
template <template <class, class> class Structure, class Agent>
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_form(const TayTest& test, bool stay) {
  if (stay) {
    return std::make_unique<TayLists<Structure, Agent>>(test);
  }
  return std::make_unique<TayCopies<Structure, Agent>>(test);
}

}  // namespace juxta::classics
