// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/math/qvvs.h"

namespace juxta {

/// "No such thing" where a glTF file leaves an index out.
inline constexpr std::uint32_t kGltfNone = ~std::uint32_t{0};

/// A node of the tree. Lengths are what the file has (glTF means metres), y is up.
struct GltfNode {
  std::string name;                     ///< As written; may be empty, and need not be unique.
  std::uint32_t parent = kGltfNone;     ///< kGltfNone: a root.
  std::vector<std::uint32_t> children;  ///< In the order of the file.
  LocalTransform local;                 ///< Finite, rotation of length 1, scale above 0.
  Vec3 stretch{1, 1, 1};                ///< Finite, never 0: a scale that is not uniform, or mirrors.
  std::uint32_t mesh = kGltfNone;       ///< Index in the file; see parse_gltf_mesh().
  std::uint32_t skin = kGltfNone;       ///< Place in GltfScene::skins.
};

/// A part of the file that is shown as one.
struct GltfRoots {
  std::string name;
  /// Roots; and nodes that the file lists though they have a parent, if no other one listed is above them
  /// (GltfNoteKind::kRootHasParent).
  std::vector<std::uint32_t> nodes;
};

/// The nodes that bend a mesh.
struct GltfSkin {
  std::string name;
  std::vector<std::uint32_t> joints;              ///< Nodes, each once.
  std::uint32_t skeleton = kGltfNone;             ///< The node that the file calls their root.
  std::vector<std::array<float, 16>> to_joint{};  ///< Inverse bind matrix per joint, column by column,
                                                  ///< finite; empty: identities.
};

/// What a channel moves.
enum class GltfPath : std::uint8_t { kTranslation, kRotation, kScale, kWeights };

/// How values between two keys come about.
enum class GltfInterpolation : std::uint8_t {
  kStep,         ///< The key before.
  kLinear,       ///< A straight line; rotations: the shorter arc at constant speed.
  kCubicSpline,  ///< A Hermite spline.
};

/// Keys of an animation. Several channels may share them.
struct GltfSampler {
  GltfInterpolation interpolation = GltfInterpolation::kLinear;
  std::uint32_t width = 0;  ///< Numbers of one value: 3, 4 (a rotation), or one per weight.
  std::vector<float>
      times{};  ///< Seconds; finite, at least 0, rising (equal ones are allowed), at least one.
  /// Finite; `width` per time, or with kCubicSpline 3 * `width`: tangent in, value, tangent out.
  std::vector<float> values{};
};

/// One property of one node that an animation moves.
struct GltfChannel {
  std::uint32_t node = 0;
  GltfPath path = GltfPath::kTranslation;
  std::uint32_t sampler = 0;  ///< Place in GltfAnimation::samplers.
};

struct GltfAnimation {
  std::string name;
  float duration = 0;                 ///< Seconds: the last key of all. 0 without keys.
  std::vector<GltfChannel> channels;  ///< Each (node, path) once.
  std::vector<GltfSampler> samplers;
};

/// What of a file a QVVS hierarchy shows differently, or not at all. None of it is an error.
enum class GltfNoteKind : std::uint8_t {
  kStretchHasChildren,  ///< The node's scale is not uniform, or mirrors: its children take it for their
                        ///< positions only.
  kRotationNormalised,  ///< The length of the node's rotation was off by more than 0.001.
  kAnimatedStretch,     ///< The same as kStretchHasChildren, at some key of a channel.
  kAnimatedZeroScale,   ///< The node's scale is 0 at some key of a channel: see sample().
  kChannelSkipped,      ///< A channel without a node, or with a path that glTF 2.0 does not have.
  kRootHasParent,       ///< A scene lists the node, which is not a root: it stays below its parent, and is
                        ///< shown once.
};
struct GltfNote {
  GltfNoteKind kind;
  std::uint32_t node = kGltfNone;       ///< kGltfNone for a channel without one.
  std::uint32_t animation = kGltfNone;  ///< Where the note is about one.
  std::uint32_t scene = kGltfNone;      ///< The same.
};

/// What a glTF file says about where things are. Indices are those of the file.
struct GltfScene {
  std::vector<GltfNode> nodes;
  std::vector<std::uint32_t> order;  ///< Every node once, parents before children: level by level.
  std::vector<GltfRoots> scenes;
  std::uint32_t default_scene = kGltfNone;  ///< Place in `scenes`.
  std::vector<GltfSkin> skins;
  std::vector<GltfAnimation> animations;
  std::vector<GltfNote> notes;
};

/// The note as a sentence.
[[nodiscard]] std::string describe(const GltfScene& scene, const GltfNote& note);

/// The nodes as the file places them without an animation: locals[i], and stretches[i] unless that span is
/// empty, for node i. Spans shorter than the nodes get the first of them.
void rest(const GltfScene& scene, std::span<LocalTransform> locals, std::span<Vec3> stretches = {});

/// The nodes at `time` (seconds; before the first key the first, behind the last the last; NaN: the first):
/// writes what the animation's channels move, and leaves the rest as it is, so that rest() need be called
/// once only. Spans as in rest(). A scale that is uniform and above 0 becomes LocalTransform::scale with a
/// stretch of 1; one that is not, or mirrors, becomes the stretch, with a scale of 1; one that is 0 on every
/// axis becomes a scale of 2^-20 (a hierarchy has no zero). Whatever the keys, the result is finite, its
/// rotations of length 1, its scales above 0. Rotations between linear keys: the arc is halved eight times
/// (the middle of two rotations is their sum, normalised), and the rest is straight: square roots and
/// divisions alone, so the same bits everywhere, within 1e-6 of slerp. Cost: O(log keys) a channel. Any
/// thread.
void sample(const GltfScene& scene, const GltfAnimation& animation, float time,
            std::span<LocalTransform> locals, std::span<Vec3> stretches = {});

}  // namespace juxta
