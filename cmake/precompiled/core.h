// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What most files of the library include: precompiled where JUXTA_PRECOMPILE is on.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>
