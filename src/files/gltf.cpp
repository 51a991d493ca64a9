// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/gltf_document.h"
#include "files/gltf_scene.h"
#include "juxta/files/read_gltf.h"
#include "juxta/files/read_points.h"

namespace juxta {

namespace {

constexpr std::uint64_t kStages = 3;

tl::unexpected<Error> cancelled() {
  return fail(ErrorCode::kCancelled, "reading was cancelled");
}

}  // namespace

Result<GltfScene> parse_gltf(std::string_view bytes, const std::filesystem::path& folder, Monitor* monitor) {
  const auto container = detail::open_gltf(bytes);
  if (!container) {
    return tl::unexpected<Error>(container.error());
  }
  if (!report(monitor, "check JSON", 0, kStages)) {
    return cancelled();
  }
  const auto checked = detail::check_gltf(*container, detail::GltfPart::kScene);
  if (!checked) {
    return tl::unexpected<Error>(checked.error());
  }
  if (!report(monitor, "read scene", 1, kStages)) {
    return cancelled();
  }
  // "." because read_bytes() takes a bare "-" for the standard input.
  auto document = detail::load_gltf(*checked, container->chunk, folder.empty() ? "." : folder, monitor);
  if (!document) {
    return tl::unexpected<Error>(std::move(document.error()));
  }
  if (!report(monitor, "link nodes", 2, kStages)) {
    return cancelled();
  }
  GltfScene scene;
  auto added = detail::add_nodes(*document, scene)
                   .and_then([&] { return detail::place_nodes(*document, scene); })
                   .and_then([&] { return detail::add_skins(*document, scene); })
                   .and_then([&] { return detail::add_animations(*document, scene, monitor); });
  if (!added) {
    return tl::unexpected<Error>(std::move(added.error()));
  }
  return scene;
}

Result<GltfScene> read_gltf(const std::filesystem::path& path, Monitor* monitor) {
  const auto bytes = read_bytes(path, monitor);
  return bytes ? parse_gltf(*bytes, path.parent_path(), monitor) : tl::unexpected<Error>(bytes.error());
}

}  // namespace juxta
