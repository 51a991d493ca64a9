// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/checkpoint_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "juxta/files/read_points.h"

namespace juxta::sector {
namespace {

using nlohmann::json;

constexpr std::string_view kCheckpointKind = "battle checkpoint";
constexpr std::uint64_t kCheckpointVersion = 1;
constexpr std::size_t kMostManifest = std::size_t{1} << 20, kMostName = 64;
constexpr std::size_t kCopiedAtOnce = std::size_t{1} << 20;

/// A sum over 64-bit words in four independent chains, each xor, multiply, rotate: about memory speed. It
/// finds damage, not malice. What is left behind the last word is filled up with zeros.
class Sum {
 public:
  /// Only the last piece may end within 32 bytes.
  void add(std::string_view bytes) noexcept {
    bytes_ += bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += 32) {
      std::array<std::uint64_t, 4> words{};
      std::memcpy(words.data(), bytes.data() + at, std::min<std::size_t>(32, bytes.size() - at));
      for (std::size_t c = 0; c < 4; ++c) {
        chains_[c] = mixed(chains_[c], words[c]);
      }
    }
  }
  [[nodiscard]] std::uint64_t value() const noexcept {
    std::uint64_t sum = bytes_;
    for (const std::uint64_t chain : chains_) {
      sum = mixed(sum, chain);
    }
    return sum;
  }

 private:
  static std::uint64_t mixed(std::uint64_t chain, std::uint64_t word) noexcept {
    return std::rotl((chain ^ word) * 0x9E3779B97F4A7C15, 29);  // 2^64 / golden ratio, odd
  }
  std::array<std::uint64_t, 4> chains_ = {1, 2, 3, 4};
  std::uint64_t bytes_ = 0;
};

std::string hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

/// Of all that a manifest says, one after the other: neither spaces nor the order of keys count.
std::uint64_t checksum_of(const Manifest& manifest, std::string_view scenario) {
  const Sealed &first = manifest.simulation, &second = manifest.hierarchy;
  Sum sum;
  sum.add(fmt::format("{} {:x} {} {} {:x} {} {} {:x} {}", manifest.tick, manifest.hash, first.name,
                      first.bytes, first.checksum, second.name, second.bytes, second.checksum, scenario));
  return sum.value();
}

nlohmann::ordered_json json_of(const Sealed& sealed) {
  return {{"file", sealed.name}, {"bytes", sealed.bytes}, {"checksum", hex(sealed.checksum)}};
}

/// Members of an object that have the type and the range that is due.
std::optional<std::uint64_t> whole(const json& object, const char* key, std::uint64_t most) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() > most) {
    return {};
  }
  return found->get<std::uint64_t>();
}
std::optional<std::string> text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? std::optional(found->get<std::string>())
                                                     : std::nullopt;
}
std::optional<std::uint64_t> from_hex(const json& object, const char* key) {
  const auto digits = text(object, key);
  std::uint64_t value = 0;
  if (!digits || digits->size() != 16 ||
      std::from_chars(digits->data(), digits->data() + 16, value, 16).ptr != digits->data() + 16) {
    return {};
  }
  return value;
}

/// A name that leads nowhere else.
bool plain(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  };
  return name.starts_with("tick_") && name.size() <= kMostName && std::ranges::all_of(name, letter);
}

std::optional<Sealed> sealed_of(const json& root, const char* key) {
  const auto object = root.find(key);
  if (object == root.end() || !object->is_object()) {
    return {};
  }
  const auto name = text(*object, "file");
  const auto bytes = whole(*object, "bytes", ~std::uint64_t{0});
  const auto checksum = from_hex(*object, "checksum");
  if (!name || !plain(*name) || !bytes || !checksum) {
    return {};
  }
  return Sealed{*name, *bytes, *checksum};
}

tl::unexpected<Error> corrupt(std::string message) {
  return fail(ErrorCode::kCorruptFile, std::move(message));
}

Result<Manifest> manifest_of(const json& root) {
  const auto tick = whole(root, "tick", 0xFFFF'FFFF);
  const auto hash = from_hex(root, "state_hash"), checksum = from_hex(root, "checksum");
  auto simulation = sealed_of(root, "simulation"), hierarchy = sealed_of(root, "hierarchy");
  const auto written = text(root, "scenario");
  if (!tick || !hash || !simulation || !hierarchy || !written || !checksum) {
    return corrupt(fmt::format("the manifest's {} is missing or makes no sense", !tick         ? "tick"
                                                                                 : !hash       ? "state_hash"
                                                                                 : !simulation ? "simulation"
                                                                                 : !hierarchy  ? "hierarchy"
                                                                                 : !written    ? "scenario"
                                                                                               : "checksum"));
  }
  Manifest manifest{
      static_cast<std::uint32_t>(*tick), *hash, std::move(*simulation), std::move(*hierarchy), {}};
  if (checksum_of(manifest, *written) != *checksum) {
    return corrupt("the manifest is damaged: its checksum does not match");
  }
  auto scenario = parse_scenario(*written);
  if (!scenario) {
    return corrupt(fmt::format("the manifest's scenario cannot be read: its line {}: {}",
                               scenario.error().line, scenario.error().message));
  }
  manifest.scenario = std::move(*scenario);
  return manifest;
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  const std::string scenario = scenario_text(manifest.scenario);
  const nlohmann::ordered_json shown = {{"juxta", kCheckpointKind},
                                        {"version", kCheckpointVersion},
                                        {"tick", manifest.tick},
                                        {"state_hash", hex(manifest.hash)},
                                        {"simulation", json_of(manifest.simulation)},
                                        {"hierarchy", json_of(manifest.hierarchy)},
                                        {"scenario", scenario},
                                        {"checksum", hex(checksum_of(manifest, scenario))}};
  return shown.dump(2) + "\n";
}

Result<Manifest> parse_manifest(std::string_view text_of_file) {
  if (text_of_file.size() > kMostManifest) {
    return corrupt(fmt::format("a manifest has at most {} bytes", kMostManifest));
  }
  const json root = json::parse(text_of_file.begin(), text_of_file.end(), nullptr, false);
  if (!root.is_object()) {
    return corrupt("the manifest is not JSON: it is damaged, or something else");
  }
  if (text(root, "juxta") != kCheckpointKind) {
    return corrupt(fmt::format("this is not the manifest of a {}", kCheckpointKind));
  }
  if (const auto version = whole(root, "version", ~std::uint64_t{0}); version != kCheckpointVersion) {
    return corrupt(fmt::format("the manifest is of version {}, and this program reads version {}",
                               version ? fmt::format("{}", *version) : "?", kCheckpointVersion));
  }
  return manifest_of(root);
}

Result<Manifest> read_manifest(const std::filesystem::path& path) {
  return read_bytes(path.string(), kMostManifest + 1).and_then([&](const std::string& bytes) {
    auto manifest = parse_manifest(bytes);
    if (!manifest) {
      manifest.error().message = fmt::format("'{}': {}", path.string(), manifest.error().message);
    }
    return manifest;
  });
}

Result<Sealed> seal_of(const std::filesystem::path& path) {
  const auto refused = [&](const std::error_code& why) {
    return fail(ErrorCode::kIo, fmt::format("cannot read '{}': {}", path.string(),
                                            why ? why.message() : "it is not a regular file"));
  };
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {  // a pipe would wait for a writer
    return refused(error);
  }
  std::ifstream in(path, std::ios::binary);
  std::string block(kCopiedAtOnce, '\0');
  Sum sum;
  std::uint64_t bytes = 0;
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    const auto read = static_cast<std::size_t>(in.gcount());
    sum.add(std::string_view(block).substr(0, read));
    bytes += read;
  }
  if (!in.eof()) {
    return refused(std::error_code(errno, std::generic_category()));
  }
  return Sealed{path.filename().string(), bytes, sum.value()};
}

Result<void> check_seal(const std::filesystem::path& folder, const Sealed& sealed) {
  return seal_of(folder / sealed.name).and_then([&](const Sealed& found) -> Result<void> {
    if (found.bytes != sealed.bytes) {
      return corrupt(fmt::format("'{}' has {} bytes where {} are due", (folder / sealed.name).string(),
                                 found.bytes, sealed.bytes));
    }
    if (found.checksum != sealed.checksum) {
      return corrupt(fmt::format("'{}' is damaged: its checksum does not match the manifest's",
                                 (folder / sealed.name).string()));
    }
    return {};
  });
}

}  // namespace juxta::sector
