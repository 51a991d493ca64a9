// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/files/gltf_scene.h"

namespace juxta {

/// Reads the nodes, skins and animations of a glTF 2.0 file (docs/formats/gltf.md), JSON or binary (GLB),
/// told apart by their first bytes. Meshes are for parse_gltf_mesh(); materials, images and everything else
/// are not looked at. Buffers are data URIs, the binary chunk of a GLB, or files inside of `folder`, and only
/// those that a skin or an animation needs are read. Nothing else is opened, ever. Cost: two passes over the
/// JSON, one over what is animated.
///
/// A node's translation, rotation and scale become a LocalTransform; a scale that is not uniform, or mirrors,
/// becomes its stretch (GltfScene::notes says where that matters). A matrix is taken apart. A scene that
/// lists a node which has a parent is read with a note.
///
/// Errors name the node (or skin, animation, accessor, ...) in the message; for a node Error::index is its
/// index. kCorruptFile: a GLB that is truncated or damaged (with the byte); another version of glTF. kParse,
/// with the line: broken JSON. kParse: a field of another type than glTF says; an index of nothing; a range
/// that ends beyond its buffer; two parents, a cycle; a rotation of length 0; a scale of 0 on any axis; a
/// matrix with shear, or with another last row than 0 0 0 1; two channels for one property; keys out of
/// order. kNotFinite: a number that is not finite as a float. kTooLarge: 4 GiB of JSON, more than 2^28
/// numbers in all keys. kIo: a buffer's file is missing, or its name leads out of `folder`. kCancelled.
[[nodiscard]] Result<GltfScene> parse_gltf(std::string_view bytes, std::string_view folder = {},
                                           const Context& context = {});

/// read_bytes() and parse_gltf() with the file's own folder. Errors: kIo too.
[[nodiscard]] Result<GltfScene> read_gltf(std::string_view path, const Context& context = {});

}  // namespace juxta
