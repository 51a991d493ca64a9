// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <utility>

#include "core/path.h"
#include "files/gltf_document.h"
#include "files/gltf_scene.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/files/read_gltf.h"
#include "juxta/files/read_points.h"

namespace juxta {

namespace {

constexpr std::uint64_t kStages = 3;

}  // namespace

tl::unexpected<Error> files_detail::gltf_cancelled() {
  return fail(ErrorCode::kCancelled, "reading was cancelled");
}

Result<files_detail::GltfDocument> files_detail::read_document(std::string_view bytes, GltfPart part,
                                                               const std::filesystem::path& folder,
                                                               Monitor* monitor) {
  JUXTA_TRY_LET(const auto container, open_gltf(bytes));
  if (!report(monitor, "check JSON", 0, kStages)) {
    return gltf_cancelled();
  }
  JUXTA_TRY_LET(auto checked, check_gltf(container, part));
  if (!report(monitor, "read buffers", 1, kStages)) {
    return gltf_cancelled();
  }
  // "." because read_bytes() takes a bare "-" for the standard input.
  auto document = load_gltf(checked, container.chunk, folder.empty() ? "." : folder, monitor);
  if (!document) {
    return document;
  }
  document->shapes = std::move(checked.shapes);
  if (!report(monitor, "link nodes", 2, kStages)) {
    return gltf_cancelled();
  }
  return document;
}

Result<GltfScene> parse_gltf(std::string_view bytes, std::string_view folder, const Context& context) {
  JUXTA_TRY_LET(auto document, files_detail::read_document(bytes, files_detail::GltfPart::kScene,
                                                           path_of(folder), context.monitor));
  GltfScene scene;
  JUXTA_TRY(files_detail::add_nodes(document, scene));
  JUXTA_TRY(files_detail::place_nodes(document, scene));
  JUXTA_TRY(files_detail::add_skins(document, scene));
  JUXTA_TRY(files_detail::add_animations(document, scene, context.monitor));
  return scene;
}

Result<GltfScene> read_gltf(std::string_view path, const Context& context) {
  JUXTA_TRY_LET(const std::string bytes, read_bytes(path, ~std::size_t{0}, context));
  return parse_gltf(bytes, utf8_of(path_of(path).parent_path()), context);
}

}  // namespace juxta
