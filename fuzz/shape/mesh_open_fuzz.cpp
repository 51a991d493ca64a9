// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// TriangleMesh::open() on arbitrary bytes and on damaged copies of saved files, most of them with a checksum
// that fits again, as an attacker would: it opens or refuses. Whatever opens answers as a mesh that is built
// from its own triangles does.
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/damage.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"
#include "shape/mesh_file.h"
#include "shape/parts_store.h"
#include "shape/triangle_meshes.h"

namespace juxta::fuzz {
namespace {

using shape_detail::MeshFileHeader;

const ScratchFile& scratch() {
  static const ScratchFile file("mesh_open_fuzz");
  return file;
}

std::string saved(test::Kind kind, std::size_t triangles, MeshQuality quality) {
  scenes::Draws draws(triangles + 1);
  const test::Soup soup = triangles == 0 ? test::Soup{} : test::make_soup(kind, triangles, draws);
  return scratch().saved(
      TriangleMesh::build(MeshView(soup.vertices, soup.triangles), {.quality = quality}).value());
}

const std::string& pristine(std::size_t which) {
  static const std::vector<std::string> files{saved(test::Kind::kRandom, 0, MeshQuality::kDefault),
                                              saved(test::Kind::kRandom, 1, MeshQuality::kDefault),
                                              saved(test::Kind::kRandom, 7, MeshQuality::kDefault),
                                              saved(test::Kind::kSphere, 90, MeshQuality::kFast),
                                              saved(test::Kind::kTerrain, 300, MeshQuality::kDefault),
                                              saved(test::Kind::kDegenerate, 300, MeshQuality::kFast),
                                              saved(test::Kind::kSizes, 900, MeshQuality::kDefault)};
  return files[which % files.size()];
}

std::string damaged(FuzzedDataProvider& bytes) {
  std::string file = pristine(bytes.ConsumeIntegral<std::uint8_t>());
  MeshFileHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  damage(bytes, file, parts_of(header, shape_detail::MeshFileLayout(header)), 900,
         [](std::string& content) { seal(content, shape_detail::kMeshFormat); });
  return file;
}

void ask(const TriangleMesh& mesh) {
  const auto& tree = shape_detail::Access::store(mesh).triangles.tree();
  test::Soup own;
  own.vertices.assign(tree.vertices.span().begin(), tree.vertices.span().end());
  own.triangles.assign(tree.triangles.span().begin(), tree.triangles.span().end());
  const auto right = TriangleMesh::build(own.vertices, own.triangles);
  JUXTA_FUZZ_CHECK(right.has_value());
  if (own.triangles.empty()) {
    JUXTA_FUZZ_CHECK(mesh.triangle_count() == 0);
    return;
  }
  scenes::Draws draws(1);
  const std::vector<Ray3> rays = test::make_rays(own, 40, draws);
  std::vector<SurfaceHit> hits(rays.size());
  JUXTA_FUZZ_CHECK(raycast(mesh, {}, rays, hits).has_value());
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const SurfaceHit due = raycast(*right, {}, rays[i]);
    JUXTA_FUZZ_CHECK(due.hit == hits[i].hit && due.part.triangle == hits[i].part.triangle);
    JUXTA_FUZZ_CHECK(raycast_any(mesh, {}, rays[i]) == due.hit);
  }
  Qvvs at;
  at.position = {draws.uniform(-2, 2), draws.uniform(-2, 2), draws.uniform(-2, 2)};
  static_cast<void>(closest(mesh, {}, Sphere{{}, 0.25F}, at));
  static_cast<void>(overlaps(mesh, {}, mesh, at));
  static_cast<void>(contains(mesh, {}, at.position));
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace juxta;
  FuzzedDataProvider bytes(data, size);
  const bool arbitrary = bytes.ConsumeIntegralInRange<int>(0, 15) == 0;
  fuzz::scratch().write(arbitrary ? bytes.ConsumeRemainingBytesAsString() : fuzz::damaged(bytes));
  auto mesh = TriangleMesh::open(fuzz::scratch().path().string());
  if (!mesh) {
    JUXTA_FUZZ_CHECK(!mesh.error().message.empty());
    return 0;
  }
  fuzz::ask(*mesh);
  std::vector<Vec3> moved(mesh->vertex_count());
  JUXTA_FUZZ_CHECK(mesh->refit(moved).has_value());
  return 0;
}
