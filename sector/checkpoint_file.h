// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The manifest of a checkpoint: a text that says what is whole. docs/formats/checkpoint.md.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "sector/scenario.h"

namespace juxta::sector {

inline constexpr std::string_view kManifest = "checkpoint.json", kPreviousManifest = "previous.json";

/// Size and checksum of a file as it must be.
struct Sealed {
  std::string name;  ///< In the manifest's folder.
  std::uint64_t bytes = 0, checksum = 0;
  friend bool operator==(const Sealed&, const Sealed&) = default;
};

struct Manifest {
  std::uint32_t tick = 0;
  std::uint64_t hash = 0;  ///< state_hash() of what the files hold.
  Sealed simulation, hierarchy;
  Scenario scenario;
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// JSON, with a checksum of its own.
[[nodiscard]] std::string manifest_text(const Manifest& manifest);
/// Errors: kCorruptFile (damaged, foreign, another version, names that lead out of the folder).
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view text);
/// Errors: kIo, kCorruptFile; the message names the path.
[[nodiscard]] Result<Manifest> read_manifest(const std::filesystem::path& path);

/// A file as it is now. Memory: 1 MiB. Errors: kIo.
[[nodiscard]] Result<Sealed> seal_of(const std::filesystem::path& path);
/// Errors: kIo, kCorruptFile (another size; damaged).
[[nodiscard]] Result<void> check_seal(const std::filesystem::path& folder, const Sealed& sealed);

}  // namespace juxta::sector
