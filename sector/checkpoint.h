// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A battle on disk. A folder holds the last two checkpoints:
//
//   checkpoint.json        of tick 600: its files, their sizes and checksums, the scenario, the state hash
//   tick_000600.simulation  tick_000600.hierarchy
//   previous.json          of tick 300
//   tick_000300.simulation  tick_000300.hierarchy
//
// Files are written beside their names, flushed and renamed, and none that a manifest names is ever written
// again; checkpoint.json comes last. So at any moment it names whole files. docs/formats/checkpoint.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "juxta/core/error.h"
#include "sector/world.h"

namespace juxta::sector {

/// Writes a checkpoint of this tick into `folder`, which is made when it is not there, and drops those before
/// the previous one. When this returns, the battle survives a crash of the program, and of the machine
/// when the folder was there before. A last
/// checkpoint that is damaged does not become the previous one. One program at a time in a folder. Errors:
/// kIo; then the last checkpoint is as it was.
[[nodiscard]] Result<void> save_checkpoint(const World& world, const std::filesystem::path& folder);

/// Reads checkpoint.json (or another manifest, or the folder that holds it) and what it names, and checks all
/// of it. Goes on as if it had never stopped, bit for bit, on any executor. Errors: kIo, kCorruptFile
/// (damaged, foreign or of another version); the message says which file, why, and whether the previous one
/// is whole.
[[nodiscard]] Result<std::unique_ptr<World>> load_checkpoint(const std::filesystem::path& path,
                                                             const Executor* executor = nullptr);

}  // namespace juxta::sector
