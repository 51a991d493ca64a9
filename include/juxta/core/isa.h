// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta {

/// Instruction sets that the kernels are compiled for. Results never depend on the choice.
enum class Isa : std::uint8_t { kSse4, kAvx2, kAvx3, kNeon, kOther, kSimd128 };

/// "sse4", "avx2", "avx3", "neon", "simd128" (WebAssembly): the words that JUXTA_ISA takes.
[[nodiscard]] JUXTA_API std::string_view isa_name(Isa isa) noexcept;

/// What this build holds and this machine runs, best first. Empty below SSE4.2 (on x86).
[[nodiscard]] JUXTA_API std::span<const Isa> available_isas() noexcept;

/// The set in use: the best one, or what the environment variable JUXTA_ISA named when first asked.
/// Owners call this before they build, so that an old CPU or a wrong name is an error and not a crash.
/// Errors: kUnsupportedCpu.
[[nodiscard]] JUXTA_API Result<Isa> active_isa();

/// Switches every kernel from the next call on. For tests and comparisons: not while another thread runs a
/// query. Errors: kUnsupportedCpu when this machine or build lacks it.
[[nodiscard]] JUXTA_API Result<Isa> force_isa(Isa isa);

}  // namespace juxta
