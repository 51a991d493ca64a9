// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Copies and checks in one pass. Where something is wrong, a second pass finds the first of it.
#include "shape/mesh_input.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "juxta/core/try.h"

namespace juxta::shape_detail {
namespace {

using VertexNumbers = std::array<std::uint32_t, 3>;
constexpr std::size_t kMostMeshTriangles = std::size_t{1} << 28;
constexpr std::size_t kCopiesOfTask = 16384;
constexpr std::uint32_t kNoSign = 0x7FFF'FFFF, kInfiniteBits = 0x7F80'0000;

const std::byte* vertex_place(const VertexView& vertices, std::size_t i) noexcept {
  return static_cast<const std::byte*>(vertices.first) + i * vertices.stride;
}

bool is_aligned(const void* at, std::size_t bytes) noexcept {
  return reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}

/// Of floats: the largest without its sign, as bits; infinities and NaN are the largest of all.
std::uint32_t largest_bits(const std::byte* from, std::size_t floats) noexcept {
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < floats; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
    most = std::max(most, bits & kNoSign);
  }
  return most;
}

/// Of vertices [first, last); copies them where `out` is not null.
std::uint32_t pass_vertices(const VertexView& vertices, std::size_t first, std::size_t last,
                            Vec3* out) noexcept {
  if (vertices.stride == sizeof(Vec3)) {
    if (out != nullptr) {
      std::memcpy(static_cast<void*>(out + first), vertex_place(vertices, first),
                  (last - first) * sizeof(Vec3));
    }
    return largest_bits(vertex_place(vertices, first), 3 * (last - first));
  }
  std::uint32_t most = 0;
  for (std::size_t i = first; i < last; ++i) {
    most = std::max(most, largest_bits(vertex_place(vertices, i), 3));
    if (out != nullptr) {
      std::memcpy(static_cast<void*>(out + i), vertex_place(vertices, i), sizeof(Vec3));
    }
  }
  return most;
}

Result<void> pass_vertices(const VertexView& vertices, Vec3* out, const Executor& executor) {
  std::atomic<bool> finite{true};
  executor.parallel_for(vertices.count, kCopiesOfTask, [&](std::size_t first, std::size_t last) {
    if (pass_vertices(vertices, first, last, out) >= kInfiniteBits) {
      finite.store(false, std::memory_order_relaxed);
    }
  });
  for (std::size_t i = 0; !finite.load(std::memory_order_relaxed); ++i) {
    if (largest_bits(vertex_place(vertices, i), 3) >= kInfiniteBits) {
      return fail(ErrorCode::kNotFinite, "the vertices of a mesh must be finite", i);
    }
  }
  return {};
}

/// Copies triangles [first, last), and returns the highest number in them.
template <class Number>
std::uint32_t copy_numbers(const void* from, std::size_t first, std::size_t last,
                           VertexNumbers* out) noexcept {
  const Number* const numbers = static_cast<const Number*>(from);
  std::uint32_t* const to = out->data();
  std::uint32_t most = 0;
  for (std::size_t i = 3 * first; i < 3 * last; ++i) {
    to[i] = numbers[i];
    most = std::max(most, to[i]);
  }
  return most;
}

}  // namespace

Result<void> check_shape_of(const VertexView& vertices) {
  if (vertices.count > std::size_t{~std::uint32_t{0}} - 1) {
    return fail(ErrorCode::kTooLarge, "a mesh has at most 2^32 - 2 vertices; cut it into several");
  }
  if (vertices.stride < sizeof(Vec3) || vertices.stride % alignof(float) != 0) {
    return fail(ErrorCode::kInvalidArgument,
                "a vertex begins with three floats: a stride is a multiple of 4 bytes, and at least 12");
  }
  if (vertices.count != 0 && (vertices.first == nullptr || !is_aligned(vertices.first, alignof(float)))) {
    return fail(ErrorCode::kInvalidArgument,
                "vertices are floats: their address must be a multiple of 4, and not null");
  }
  return {};
}

Result<void> check_shape_of(const MeshView& mesh) {
  JUXTA_TRY(check_shape_of(mesh.vertices));
  if (mesh.index_bytes != 2 && mesh.index_bytes != 4) {
    return fail(ErrorCode::kInvalidArgument, "the numbers of vertices have 2 or 4 bytes each");
  }
  if (mesh.index_count % 3 != 0) {
    return fail(ErrorCode::kInvalidArgument,
                "a triangle has three numbers of vertices: their count must be a multiple of 3");
  }
  if (mesh.index_count != 0 && (mesh.indices == nullptr || !is_aligned(mesh.indices, mesh.index_bytes))) {
    return fail(ErrorCode::kInvalidArgument,
                "the address of the numbers of vertices must be a multiple of their size, and not null");
  }
  if (mesh.index_count / 3 > kMostMeshTriangles) {
    return fail(ErrorCode::kTooLarge, "a mesh has at most 2^28 triangles; cut it into several");
  }
  return {};
}

Result<void> copy_vertices(const VertexView& vertices, std::span<Vec3> out, const Executor& executor) {
  return pass_vertices(vertices, out.data(), executor);
}

Result<void> check_vertices(const VertexView& vertices, const Executor& executor) {
  return pass_vertices(vertices, nullptr, executor);
}

Result<void> copy_triangles(const MeshView& mesh, std::span<VertexNumbers> out, const Executor& executor) {
  const std::size_t vertices = mesh.vertices.count;
  std::atomic<bool> there{true};
  executor.parallel_for(out.size(), kCopiesOfTask, [&](std::size_t first, std::size_t last) {
    const std::uint32_t most = mesh.index_bytes == 2
                                   ? copy_numbers<std::uint16_t>(mesh.indices, first, last, out.data())
                                   : copy_numbers<std::uint32_t>(mesh.indices, first, last, out.data());
    if (most >= vertices) {
      there.store(false, std::memory_order_relaxed);
    }
  });
  for (std::size_t i = 0; !there.load(std::memory_order_relaxed); ++i) {
    const VertexNumbers& t = out[i];
    if (std::max({t[0], t[1], t[2]}) >= vertices) {
      return fail(ErrorCode::kInvalidArgument,
                  "a triangle names a vertex that is not there; numbers of vertices count from 0", i);
    }
  }
  return {};
}

}  // namespace juxta::shape_detail
