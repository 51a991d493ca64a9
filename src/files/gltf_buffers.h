// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which buffers of a glTF file are needed, and where their bytes come from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "files/gltf_document.h"

namespace juxta::files_detail {

/// Says for every buffer of `known` where its bytes come from, and rewrites it for tinygltf: a needed one
/// keeps its data URI, or gets its own place as its uri; any other is one zero. A scene needs the buffers of
/// skins and animations, meshes those of triangles. Errors: kParse, kIo, see parse_gltf().
[[nodiscard]] Result<void> name_sources(nlohmann::json& known, const GltfContainer& container, GltfPart part,
                                        const std::vector<RawMesh>& shapes, std::vector<GltfSource>& sources);

}  // namespace juxta::files_detail
