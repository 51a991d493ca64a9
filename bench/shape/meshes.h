// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Six shapes of mesh, unlike as rays see them: what is good for a ball is not always good for a city.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/math/vec.h"

namespace juxta::bench {

struct PlainMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

enum class MeshKind {
  kBall,     // with bumps; closed
  kTerrain,  // hills over a grid
  kSoup,     // triangles anywhere in a cube, in any direction
  kCity,     // boxes of unlike heights on two large triangles
  kKnot,     // a thin tube
  kHair,     // strands of long triangles
};
inline constexpr std::array kMeshKinds{MeshKind::kBall, MeshKind::kTerrain, MeshKind::kSoup,
                                       MeshKind::kCity, MeshKind::kKnot,    MeshKind::kHair};

[[nodiscard]] const char* name_of(MeshKind kind);
/// About as many triangles as asked for, always the same ones.
[[nodiscard]] PlainMesh make_plain_mesh(MeshKind kind, std::size_t triangles);

}  // namespace juxta::bench
