// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "classics/agents/tay.h"

namespace juxta::classics {

// With agents that stay, or are copied in the order of the structure. Those with boxes take both kinds.
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_grid(const TayTest& test, bool stay);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_kd(const TayTest& test, bool stay);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_boxes(const TayTest& test, bool stay);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_z(const TayTest& test);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_simple(const TayTest& test);

}  // namespace juxta::classics
