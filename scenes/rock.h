// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/files/mesh.h"

namespace juxta::scenes {

/// A rock with craters, about 2 across, around the origin: closed, seen from outside its corners run
/// anticlockwise. It has 8 n^2 triangles, the fewest that are `triangles` or more. The same bits for the same
/// arguments on every machine.
[[nodiscard]] Mesh make_rock(std::size_t triangles, std::uint64_t seed);

}  // namespace juxta::scenes
