// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//   mode 4, list     0 1 2   3 4 5   6 7 8
//   mode 5, strip    0 1 2   1 3 2   2 3 4   3 5 4     every other one turned, so that all look the same way
//   mode 6, fan      1 2 0   2 3 0   3 4 0
#include "files/gltf_shapes.h"

#include <algorithm>
#include <map>
#include <set>

#include "files/gltf_scene.h"
#include "juxta/core/try.h"

namespace juxta::files_detail {
namespace {

constexpr int kList = 4, kStrip = 5, kFloats = 5126;
/// Of an accessor without a view, whose elements cost no byte of the file.
constexpr std::size_t kMostUnstored = std::size_t{1} << 20;

const RawAccessor& accessor_at(const GltfDocument& document, int index) {
  return document.accessors[static_cast<std::size_t>(index)];
}

std::uint64_t capped(std::uint64_t count) noexcept {
  return std::min(count, kMostOfShapes + 1);
}

std::uint64_t triangles_of(int mode, std::uint64_t corners) noexcept {
  return mode == kList ? corners / 3 : corners - std::min<std::uint64_t>(corners, 2);
}

/// Refuses what can be seen to be wrong without reading an element.
Result<void> check_accessor(const GltfDocument& document, const RawPrimitive& primitive, int index,
                            const std::string& who) {
  if (!is_one_of(index, document.accessors.size())) {
    return fail(ErrorCode::kParse, who + ": " + gltf_not_there("accessor", index, document.accessors.size()));
  }
  const RawAccessor& accessor = accessor_at(document, index);
  if (accessor.view == kNoIndex && primitive.compressed) {
    return fail(ErrorCode::kParse,
                who +
                    " are compressed with KHR_draco_mesh_compression, which is not read: export the file "
                    "again without it");
  }
  if (accessor.view == kNoIndex && accessor.count > kMostUnstored) {
    return fail(ErrorCode::kTooLarge, who + ": " + gltf_label("accessor", static_cast<std::size_t>(index)) +
                                          " has " + std::to_string(accessor.count) +
                                          " elements and no buffer view: more than 1048576 need one");
  }
  return {};
}

Result<void> check_corners(const RawPrimitive& primitive, std::uint64_t corners, const std::string& where) {
  if (primitive.mode == kList && corners % 3 != 0) {
    return fail(ErrorCode::kParse, where + ": its " + std::to_string(corners) +
                                       " corners are no whole number of triangles: export the file again");
  }
  if (primitive.mode != kList && corners != 0 && corners < 3) {
    return fail(ErrorCode::kParse, where + ": a strip or fan of triangles has three corners or more, this " +
                                       "one has " + std::to_string(corners) + ": export the file again");
  }
  return {};
}

/// Looks at one primitive of triangles; how many corners it has.
Result<std::uint64_t> measure_primitive(const GltfDocument& document, const RawPrimitive& primitive,
                                        const std::string& where) {
  auto checked = check_accessor(document, primitive, primitive.positions, where + ", positions");
  if (checked && primitive.indices != kNoIndex) {
    checked = check_accessor(document, primitive, primitive.indices, where + ", indices");
  }
  if (!checked) {
    return tl::unexpected<Error>(std::move(checked.error()));
  }
  const RawAccessor& positions = accessor_at(document, primitive.positions);
  if (positions.component != kFloats) {
    return fail(ErrorCode::kParse, where + ", positions: " +
                                       gltf_label("accessor", static_cast<std::size_t>(primitive.positions)) +
                                       " has component type " + std::to_string(positions.component) +
                                       ", and only 5126 (float) is read: export the file again without "
                                       "KHR_mesh_quantization");
  }
  const std::uint64_t corners =
      primitive.indices == kNoIndex ? positions.count : accessor_at(document, primitive.indices).count;
  JUXTA_TRY(check_corners(primitive, corners, where));
  return corners;
}

/// Adds triangles whose corners are those of one primitive.
class Triangles {
 public:
  Triangles(Mesh& mesh, const RawPrimitive& primitive, std::uint32_t first, std::size_t vertices)
      : mesh_(mesh), mode_(primitive.mode), first_(first), vertices_(vertices) {}

  /// corner(k) is the place of corner k among the primitive's own vertices, already known to be there.
  template <class Corner>
  void add(std::size_t corners, Corner corner) {
    const auto count = static_cast<std::size_t>(triangles_of(mode_, corners));
    for (std::size_t t = 0; t < count; ++t) {
      const std::array<std::size_t, 3> k = corners_of(t);
      mesh_.triangles.push_back({first_ + corner(k[0]), first_ + corner(k[1]), first_ + corner(k[2])});
    }
  }

  /// The first triangle that has corner k.
  [[nodiscard]] std::size_t triangle_at(std::size_t k) const noexcept {
    return mode_ == kList ? k / 3 : k - std::min<std::size_t>(k, 2);
  }

  /// Null, or why an index is none.
  [[nodiscard]] std::string misfit(std::uint32_t index, std::size_t corner, int component) const {
    const std::uint32_t restart = component == 5121 ? 0xFFU : component == 5123 ? 0xFFFFU : 0xFFFFFFFFU;
    if (index < vertices_ && index != restart) {
      return {};
    }
    const std::string name =
        ": index " + std::to_string(index) + " of triangle " + std::to_string(triangle_at(corner));
    return index < vertices_
               ? name + " is the one that glTF keeps for a restart: export wider indices"
               : name + " is not there: the primitive has " + std::to_string(vertices_) + " vertices";
  }

 private:
  [[nodiscard]] std::array<std::size_t, 3> corners_of(std::size_t t) const noexcept {
    if (mode_ == kList) {
      return {3 * t, 3 * t + 1, 3 * t + 2};
    }
    return mode_ == kStrip ? std::array<std::size_t, 3>{t, t + 1 + t % 2, t + 2 - t % 2}
                           : std::array<std::size_t, 3>{t + 1, t + 2, 0};
  }

  Mesh& mesh_;
  int mode_;
  std::uint32_t first_;
  std::size_t vertices_;
};

Result<void> add_triangles(const GltfDocument& document, const RawPrimitive& primitive, std::uint32_t first,
                           const std::string& where, Mesh& mesh) {
  const std::size_t vertices = accessor_at(document, primitive.positions).count;
  Triangles triangles(mesh, primitive, first, vertices);
  if (primitive.indices == kNoIndex) {
    triangles.add(vertices, [](std::size_t k) { return static_cast<std::uint32_t>(k); });
    return {};
  }
  JUXTA_TRY_LET(const auto indices, read_indices(document, primitive.indices, where + ", indices"));
  const int component = accessor_at(document, primitive.indices).component;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (const std::string why = triangles.misfit((indices)[k], k, component); !why.empty()) {
      return fail(ErrorCode::kParse, where + why);
    }
  }
  triangles.add(indices.size(), [&](std::size_t k) { return (indices)[k]; });
  return {};
}

}  // namespace

std::string primitive_label(const RawMesh& mesh, std::size_t place, std::size_t primitive) {
  return gltf_label("mesh", place, mesh.name) + ", primitive " + std::to_string(primitive);
}

Result<ShapeSize> measure_shape(const GltfDocument& document, const RawMesh& mesh, std::size_t place) {
  ShapeSize size;
  std::set<int> seen;
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    const RawPrimitive& primitive = mesh.primitives[p];
    if (!is_triangles(primitive)) {
      size.first_skipped = size.skipped++ == 0 ? p : size.first_skipped;
      continue;
    }
    JUXTA_TRY_LET(const auto corners,
                  measure_primitive(document, primitive, primitive_label(mesh, place, p)));
    if (seen.insert(primitive.positions).second) {
      size.vertices = capped(size.vertices + capped(accessor_at(document, primitive.positions).count));
    }
    size.triangles = capped(size.triangles + capped(triangles_of(primitive.mode, corners)));
  }
  return size;
}

Result<Mesh> read_shape(const GltfDocument& document, const RawMesh& raw, std::size_t place) {
  Mesh mesh;
  std::map<int, std::uint32_t> first_vertices;  // of accessors
  for (std::size_t p = 0; p < raw.primitives.size(); ++p) {
    const RawPrimitive& primitive = raw.primitives[p];
    if (!is_triangles(primitive)) {
      continue;
    }
    const std::string where = primitive_label(raw, place, p);
    const auto [known, fresh] =
        first_vertices.emplace(primitive.positions, static_cast<std::uint32_t>(mesh.vertices.size()));
    if (fresh) {
      const WantedNumbers wanted = {
          .count = accessor_at(document, primitive.positions).count, .width = 3, .element = "vertex"};
      JUXTA_TRY_LET(const auto numbers,
                    read_numbers(document, primitive.positions, wanted, where + ", positions"));
      for (std::size_t i = 0; i < numbers.size(); i += 3) {
        mesh.vertices.push_back({(numbers)[i], (numbers)[i + 1], (numbers)[i + 2]});
      }
    }
    JUXTA_TRY(add_triangles(document, primitive, known->second, where, mesh));
  }
  return mesh;
}

}  // namespace juxta::files_detail
