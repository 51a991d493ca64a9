// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>

#include "files/gltf_scene.h"
#include "files/point_columns.h"
#include "juxta/core/try.h"

namespace juxta::files_detail {
namespace {

/// A small file could ask for the same bytes over and over again.
constexpr std::size_t kMostNumbers = std::size_t{1} << 28;

std::optional<GltfPath> path_of(std::string_view text) {
  return text == "translation" ? std::optional(GltfPath::kTranslation)
         : text == "rotation"  ? std::optional(GltfPath::kRotation)
         : text == "scale"     ? std::optional(GltfPath::kScale)
         : text == "weights"   ? std::optional(GltfPath::kWeights)
                               : std::nullopt;
}

std::optional<GltfInterpolation> interpolation_of(std::string_view text) {
  return text.empty() || text == "LINEAR" ? std::optional(GltfInterpolation::kLinear)
         : text == "STEP"                 ? std::optional(GltfInterpolation::kStep)
         : text == "CUBICSPLINE"          ? std::optional(GltfInterpolation::kCubicSpline)
                                          : std::nullopt;
}

/// Numbers of one value; 0: as many as the file has per key.
std::uint32_t width_of(GltfPath path) {
  return path == GltfPath::kRotation ? 4 : path == GltfPath::kWeights ? 0 : 3;
}

/// What the keys of a sampler hold that not every path may have. Looked for once: many channels may share
/// them.
struct KeyFacts {
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t zero_rotation = kNone;  ///< The first such key.
  bool zero_scale = false, stretched = false;
};

KeyFacts facts_of(const GltfSampler& keys) {
  KeyFacts facts;
  const std::size_t per_key = keys.interpolation == GltfInterpolation::kCubicSpline ? 3 : 1;
  for (std::size_t k = 0; k < keys.times.size(); ++k) {
    const float* v = keys.values.data() + (k * per_key + per_key / 2) * keys.width;
    const bool zero = std::all_of(v, v + keys.width, [](float number) { return number == 0; });
    if (keys.width == 4 && zero && facts.zero_rotation == KeyFacts::kNone) {
      facts.zero_rotation = k;
    } else if (keys.width == 3) {
      facts.zero_scale = facts.zero_scale || zero;
      facts.stretched = facts.stretched || split_scale({v[0], v[1], v[2]}).stretch != Vec3{1, 1, 1};
    }
  }
  return facts;
}

/// Reads the animations of a file, one after the other.
class Animations {
 public:
  Animations(const GltfDocument& document, GltfScene& scene) : document_(document), scene_(scene) {}

  Result<void> add(std::size_t place) {
    place_ = place;
    const RawAnimation& raw = document_.animations[place];
    where_ = gltf_label("animation", place, raw.name);
    animation_ = {};
    animation_.name = raw.name;
    used_.clear();
    facts_.clear();
    for (std::size_t c = 0; c < raw.channels.size(); ++c) {
      JUXTA_TRY(channel(raw, c));
    }
    JUXTA_TRY(check_twice());
    for (const GltfSampler& sampler : animation_.samplers) {
      animation_.duration = std::max(animation_.duration, sampler.times.back());
    }
    scene_.animations.push_back(std::move(animation_));
    return {};
  }

 private:
  tl::unexpected<Error> wrong(const std::string& what, ErrorCode code = ErrorCode::kParse) const {
    return fail(code, where_ + ", " + what);
  }
  void note(GltfNoteKind kind, std::uint32_t node) {
    scene_.notes.push_back({kind, node, static_cast<std::uint32_t>(place_)});
  }

  Result<void> channel(const RawAnimation& raw, std::size_t place) {
    const RawChannel& from = raw.channels[place];
    const std::string name = "channel " + std::to_string(place);
    if (!is_one_of(from.node, scene_.nodes.size())) {
      return wrong(name + ": " + gltf_not_there("node", from.node, scene_.nodes.size()));
    }
    const auto node = static_cast<std::uint32_t>(from.node);
    const auto path = path_of(from.path);
    if (!path) {
      note(GltfNoteKind::kChannelSkipped, node);
      return {};
    }
    if (!is_one_of(from.sampler, raw.samplers.size())) {
      return wrong(name + ": " + gltf_not_there("sampler", from.sampler, raw.samplers.size()));
    }
    const auto [at, is_new] =
        used_.try_emplace(from.sampler, static_cast<std::uint32_t>(animation_.samplers.size()));
    if (is_new) {
      if (auto added = sampler(raw.samplers[static_cast<std::size_t>(from.sampler)], from.sampler, *path);
          !added) {
        return added;
      }
    }
    const GltfSampler& keys = animation_.samplers[at->second];
    if (width_of(*path) != 0 && width_of(*path) != keys.width) {
      return wrong(name + ": sampler " + std::to_string(from.sampler) + " has " + std::to_string(keys.width) +
                   " numbers per key, its path '" + from.path + "' wants " + std::to_string(width_of(*path)));
    }
    animation_.channels.push_back({node, *path, at->second});
    return check_keys(facts_[at->second], animation_.channels.back(), name);
  }

  Result<void> sampler(const RawSampler& raw, int place, GltfPath path) {
    const std::string name = where_ + ", sampler " + std::to_string(place);
    const auto interpolation = interpolation_of(raw.interpolation);
    if (!interpolation) {
      return fail(ErrorCode::kParse, name + ": 'interpolation' is " +
                                         files_detail::quoted(raw.interpolation) +
                                         ", it must be STEP, LINEAR or CUBICSPLINE");
    }
    GltfSampler keys;
    keys.interpolation = *interpolation;
    const auto count_of = [&](int accessor) {
      return is_one_of(accessor, document_.accessors.size())
                 ? document_.accessors[static_cast<std::size_t>(accessor)].count
                 : 0;
    };
    const std::size_t count = count_of(raw.input);
    const std::size_t per_key = *interpolation == GltfInterpolation::kCubicSpline ? 3 : 1;
    keys.width = width_of(path);
    if (path == GltfPath::kWeights && count != 0) {
      keys.width = static_cast<std::uint32_t>(std::min(count_of(raw.output) / count / per_key, kMostNumbers));
    }
    if (count > kMostNumbers || (numbers_ += count * (1 + per_key * keys.width)) > kMostNumbers) {
      return fail(ErrorCode::kTooLarge, name + ": more than 268435456 numbers in all keys: split the file");
    }
    JUXTA_TRY_LET(auto times, read_numbers(document_, raw.input, {.count = count, .width = 1, .stored = true},
                                           name + ", times"));
    keys.times = std::move(times);
    const bool rising = std::is_sorted(keys.times.begin(), keys.times.end());
    if (keys.times.empty() || keys.times.front() < 0 || !rising || keys.width == 0) {
      return fail(ErrorCode::kParse, name + (keys.times.empty()       ? ": it has no key"
                                             : !rising                ? ": its times must rise"
                                             : keys.times.front() < 0 ? ": its times must be 0 or more"
                                                                      : ": it has fewer values than keys"));
    }
    const bool weights = path == GltfPath::kWeights;
    WantedNumbers wanted = {.count = count * per_key, .width = static_cast<int>(keys.width)};
    wanted.normalised = path == GltfPath::kRotation || weights;
    wanted.stored = weights;  // as many as the file says: without a view that would be any number
    if (weights) {
      wanted.count *= keys.width;
      wanted.width = 1;
    }
    JUXTA_TRY_LET(auto values, read_numbers(document_, raw.output, wanted, name + ", values"));
    keys.values = std::move(values);
    facts_.push_back(facts_of(keys));
    animation_.samplers.push_back(std::move(keys));
    return {};
  }

  /// A rotation of length 0 is refused; scales that a hierarchy shows differently are noted, once a channel.
  Result<void> check_keys(const KeyFacts& facts, const GltfChannel& to, const std::string& name) {
    const GltfNode& node = scene_.nodes[to.node];
    if (to.path == GltfPath::kRotation && facts.zero_rotation != KeyFacts::kNone) {
      return wrong(name + " of " + gltf_label("node", to.node, node.name) + ": key " +
                   std::to_string(facts.zero_rotation) + " is a rotation of length 0");
    }
    if (to.path == GltfPath::kScale && facts.zero_scale) {
      note(GltfNoteKind::kAnimatedZeroScale, to.node);
    }
    if (to.path == GltfPath::kScale && facts.stretched && !node.children.empty()) {
      note(GltfNoteKind::kAnimatedStretch, to.node);
    }
    return {};
  }

  [[nodiscard]] Result<void> check_twice() const {
    const auto key = [](const GltfChannel& channel) {
      return std::uint64_t{channel.node} << 2 | static_cast<std::uint64_t>(channel.path);
    };
    std::vector<std::uint64_t> targets(animation_.channels.size());
    std::transform(animation_.channels.begin(), animation_.channels.end(), targets.begin(), key);
    std::sort(targets.begin(), targets.end());
    const auto twice = std::adjacent_find(targets.begin(), targets.end());
    if (twice == targets.end()) {
      return {};
    }
    const auto node = static_cast<std::size_t>(*twice >> 2);
    return wrong("two channels move the same property of " +
                 gltf_label("node", node, scene_.nodes[node].name));
  }

  const GltfDocument& document_;
  GltfScene& scene_;
  GltfAnimation animation_;
  std::map<int, std::uint32_t> used_;  // sampler of the file -> place among those that are used
  std::vector<KeyFacts> facts_;        // of animation_.samplers
  std::string where_;
  std::size_t place_ = 0, numbers_ = 0;
};

}  // namespace

Result<void> add_animations(GltfDocument& document, GltfScene& scene, Monitor* monitor) {
  Animations animations(document, scene);
  for (std::size_t i = 0; i < document.animations.size(); ++i) {
    if (!report(monitor, "read animations", i, document.animations.size())) {
      return fail(ErrorCode::kCancelled, "reading was cancelled");
    }
    JUXTA_TRY(animations.add(i));
  }
  for (std::size_t i = 0; i < document.skipped_channels; ++i) {
    scene.notes.push_back({GltfNoteKind::kChannelSkipped});
  }
  return {};
}

}  // namespace juxta::files_detail
