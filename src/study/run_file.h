// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of a run. docs/formats/run.md describes it for other readers.
//
//   4,096 B header | catalogue | the columns of each table | the whole file of the simulation
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/flat_file.h"
#include "juxta/core/error.h"
#include "juxta/study/run.h"
#include "juxta/study/table.h"
#include "study/started.h"

namespace juxta::study_detail {

struct RunFileHeader {
  std::array<char, 8> magic;
  std::uint32_t format, byte_order;
  std::uint32_t parameters, tables;
  std::uint32_t agents_every, steps;  // RunOptions
  std::uint64_t catalogue;            // bytes
  std::uint64_t simulation;           // bytes
  std::uint64_t checksum;             // of the whole file, this field taken as 0
  std::uint32_t until;                // 1: the catalogue ends with a stop condition
  std::uint32_t zero;
};
static_assert(sizeof(RunFileHeader) == 64);

/// In the catalogue, behind the bytes of the model's name (u32) and that name: one per parameter, before its
/// name.
struct ParameterRecord {
  double value;
  std::uint32_t name_bytes;
  std::uint32_t zero;
};

/// One per table, before the kind (u32), the bytes (u32) and the name of each column.
struct TableRecord {
  std::uint64_t rows;
  std::uint32_t columns;
  std::uint32_t zero;
};

inline constexpr core_detail::FlatFormat kRunFormat = {{'J', 'U', 'X', 'T', 'A', 'R', 'N', '\n'},
                                                       2,
                                                       offsetof(RunFileHeader, checksum),
                                                       "a run",
                                                       "resume an older save, or begin anew"};

/// A file that has been looked at from end to end, but for what is in the simulation.
struct RunFile {
  std::string model;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<Table> tables;  // of steps, then of agents
  std::span<const std::byte> simulation;
  std::size_t simulation_at = 0;
  RunOptions options;

  /// Errors: kCorruptFile. `simulation` borrows from `file`, which begins at a multiple of 64.
  [[nodiscard]] static Result<RunFile> read(std::span<const std::byte> file);
};

/// `simulation`: in place of the run's own, the manifest of its parts; empty: its own. Errors: kIo.
[[nodiscard]] Result<void> save_run(const std::filesystem::path& path, const Started& run,
                                    std::span<const std::byte> simulation = {});

}  // namespace juxta::study_detail
