// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "classics/agents/tay.h"

namespace juxta::classics {

[[nodiscard]] std::unique_ptr<TayWorld> make_tay_grid(const TayTest& test);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_pointers(const TayTest& test);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_z(const TayTest& test);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_kd(const TayTest& test);
[[nodiscard]] std::unique_ptr<TayWorld> make_tay_boxes(const TayTest& test);

}  // namespace juxta::classics
