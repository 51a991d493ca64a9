// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "files/gltf_document.h"
#include "files/gltf_fields.h"
#include "files/point_columns.h"
#include "juxta/core/try.h"

namespace juxta::files_detail {
namespace {

constexpr std::array<GltfField, 1> kMesh = {{{"name", GltfKind::kText}}};
constexpr std::array<GltfField, 2> kPrimitive = {{{"indices", GltfKind::kIndex}, {"mode", GltfKind::kIndex}}};
constexpr std::array<GltfField, 1> kAttributes = {{{"POSITION", GltfKind::kIndex}}};

constexpr std::string_view kDraco = "KHR_draco_mesh_compression";

/// Extensions that keep vertices elsewhere or in another form, or show a mesh more than once.
constexpr std::array<std::string_view, 5> kOtherGeometry = {
    kDraco, "EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_mesh_quantization",
    "EXT_mesh_gpu_instancing"};

Result<void> check_extensions(const json& root) {
  const auto list = root.find("extensionsRequired");
  if (list == root.end()) {
    return {};
  }
  const bool texts = list->is_array() && std::all_of(list->begin(), list->end(),
                                                     [](const json& name) { return name.is_string(); });
  if (!texts) {
    return wrong_field("'extensionsRequired'", "must be a list of texts");
  }
  for (const json& item : *list) {
    const auto name = item.get<std::string>();
    if (std::find(kOtherGeometry.begin(), kOtherGeometry.end(), name) != kOtherGeometry.end()) {
      return wrong_field("'extensionsRequired'",
                         "the meshes need " + name + ", which is not read: export the file again without it");
    }
  }
  return {};
}

Result<RawPrimitive> primitive_of(const json& from, const std::string& where) {
  JUXTA_TRY_LET(const auto known, known_fields(from, kPrimitive, where));
  const auto listed = from.find("attributes");
  if (listed == from.end()) {
    return wrong_field(where, "'attributes' is missing");
  }
  JUXTA_TRY_LET(const auto attributes, known_fields(*listed, kAttributes, where + ", 'attributes'"));
  RawPrimitive to;
  to.positions = attributes.value("POSITION", kNoIndex);
  to.indices = known.value("indices", kNoIndex);
  to.mode = known.value("mode", to.mode);
  if (to.mode > 6) {
    return wrong_field(where, "'mode' is " + std::to_string(to.mode) + ", it must be 0 to 6");
  }
  const auto extensions = from.find("extensions");
  to.compressed = extensions != from.end() && extensions->is_object() && extensions->contains(kDraco);
  return to;
}

Result<RawMesh> mesh_of(const json& from, std::size_t place) {
  RawMesh to{gltf_name(from), {}};
  const std::string where = gltf_label("mesh", place, to.name);
  JUXTA_TRY(known_fields(from, kMesh, where));
  const auto list = from.find("primitives");
  if (list == from.end() || !list->is_array()) {
    return wrong_field(where + ", 'primitives'", "must be a list, [ ... ]");
  }
  to.primitives.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    JUXTA_TRY_LET(const auto primitive, primitive_of((*list)[i], where + ", primitive " + std::to_string(i)));
    to.primitives.push_back(primitive);
  }
  return to;
}

}  // namespace

Result<std::vector<RawMesh>> check_meshes(const json& root) {
  JUXTA_TRY(check_extensions(root));
  std::vector<RawMesh> meshes;
  const auto list = root.find("meshes");
  if (list == root.end()) {
    return meshes;
  }
  if (!list->is_array()) {
    return wrong_field("'meshes'", "must be a list, [ ... ]");
  }
  meshes.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    JUXTA_TRY_LET(auto mesh, mesh_of((*list)[i], i));
    meshes.push_back(std::move(mesh));
  }
  return meshes;
}

}  // namespace juxta::files_detail
