// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/monitor.h"

namespace juxta {

Monitor::~Monitor() = default;

}  // namespace juxta
