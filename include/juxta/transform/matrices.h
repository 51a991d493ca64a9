// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World transforms as matrices, for graphics interfaces and for anything else that multiplies points.
//
//   matrix = translate(position) * rotate(rotation) * scale(scale * stretch)        a point is a column:
//
//     | r00 sx   r01 sy   r02 sz   px |   | x |      sx = scale * stretch.x, ...
//     | r10 sx   r11 sy   r12 sz   py | * | y |      r: the rotation as a matrix
//     | r20 sx   r21 sy   r22 sz   pz |   | z |
//     |   0        0        0       1 |   | 1 |      (only in the 4x4 form)
#pragma once

#include <array>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/math/product.h"
#include "juxta/math/qvvs.h"

namespace juxta {

/// Row by row, 48 bytes: m[row][column], the last column is the position. The form of instances in
/// ray tracing (VkTransformMatrixKHR, D3D12_RAYTRACING_INSTANCE_DESC, RTC_FORMAT_FLOAT3X4_ROW_MAJOR) and the
/// smallest one for shaders that skin or draw instances: three float4.
struct Matrix34 {
  float m[3][4];
  friend bool operator==(const Matrix34&, const Matrix34&) = default;
};

/// Column by column, 64 bytes: m[column][row], the last column is the position. The form of glTF, OpenGL and
/// GLSL's mat4. Read as rows it is the transpose, which is what Direct3D's row vectors want.
struct Matrix44 {
  float m[4][4];
  friend bool operator==(const Matrix44&, const Matrix44&) = default;
};

/// Twelve columns of numbers, for code that handles many matrices at once: entry (row, column) of matrix i is
/// entries[4 * row + column][i].
struct MatrixColumns {
  std::array<std::span<float>, 12> entries;
};

/// One matrix. The rotation is taken as it is: of length 1.
[[nodiscard]] constexpr Matrix34 to_matrix34(const Qvvs& transform) noexcept {
  const Quat q = transform.rotation;
  const float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const float xx = product(q.x, x2), yy = product(q.y, y2), zz = product(q.z, z2);
  const float xy = product(q.x, y2), xz = product(q.x, z2), yz = product(q.y, z2);
  const float wx = product(q.w, x2), wy = product(q.w, y2), wz = product(q.w, z2);
  const Vec3 s = transform.stretch * transform.scale;
  const Vec3 p = transform.position;
  return {{{product(1 - (yy + zz), s.x), product(xy - wz, s.y), product(xz + wy, s.z), p.x},
           {product(xy + wz, s.x), product(1 - (xx + zz), s.y), product(yz - wx, s.z), p.y},
           {product(xz - wy, s.x), product(yz + wx, s.y), product(1 - (xx + yy), s.z), p.z}}};
}

/// One matrix: the same numbers.
[[nodiscard]] constexpr Matrix44 to_matrix44(const Qvvs& transform) noexcept {
  const Matrix34 a = to_matrix34(transform);
  return {{{a.m[0][0], a.m[1][0], a.m[2][0], 0},
           {a.m[0][1], a.m[1][1], a.m[2][1], 0},
           {a.m[0][2], a.m[1][2], a.m[2][2], 0},
           {a.m[0][3], a.m[1][3], a.m[2][3], 1}}};
}

// Many at once. out[i] is to_matrix34(transforms[i]) or to_matrix44(transforms[i]), bit for bit, on any
// executor. About 4 ns each, as a copy of a million takes (8 in columns); nothing
// is allocated. What is not finite comes out as IEEE arithmetic has it. The output does not overlap the
// input. Errors: kInvalidArgument when the output (each of the twelve columns) is not as long as the input.

[[nodiscard]] JUXTA_API Result<void> to_matrices(std::span<const Qvvs> transforms, std::span<Matrix34> out,
                                                 const Context& context = {});
[[nodiscard]] JUXTA_API Result<void> to_matrices(std::span<const Qvvs> transforms, std::span<Matrix44> out,
                                                 const Context& context = {});
[[nodiscard]] JUXTA_API Result<void> to_matrices(std::span<const Qvvs> transforms, const MatrixColumns& out,
                                                 const Context& context = {});

}  // namespace juxta
