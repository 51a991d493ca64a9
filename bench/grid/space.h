// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

namespace juxta::bench {

void add_space_rows();

}  // namespace juxta::bench
