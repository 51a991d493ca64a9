// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: vertices and triangles of a caller, wherever they are, checked on their way into a mesh.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/shape/parts.h"

namespace juxta::shape_detail {

/// Sizes, strides and addresses; nothing is read. Errors: kInvalidArgument, kTooLarge.
[[nodiscard]] Result<void> check_shape_of(const VertexView& vertices);
[[nodiscard]] Result<void> check_shape_of(const MeshView& mesh);

/// Copies, and checks what it copies. `out` is as long as the input. Errors: kNotFinite and kInvalidArgument,
/// with the lowest index; `out` then holds anything.
[[nodiscard]] Result<void> copy_vertices(const VertexView& vertices, std::span<Vec3> out,
                                         const Executor& executor);
[[nodiscard]] Result<void> copy_triangles(const MeshView& mesh, std::span<std::array<std::uint32_t, 3>> out,
                                          const Executor& executor);
/// The same checks without a copy.
[[nodiscard]] Result<void> check_vertices(const VertexView& vertices, const Executor& executor);

}  // namespace juxta::shape_detail
