// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which instruction set the kernels run on. JUXTA_CALL_KERNEL reads one atomic mask at each call
// (kernel_index()); choosing a set is storing the mask of that set there.
#include "juxta/core/isa.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "core/simd/dispatch.h"
#include "hwy/targets.h"

namespace juxta {
namespace core_detail {

constinit hwy::ChosenTarget chosen_target_state;

hwy::ChosenTarget& chosen_target() noexcept {
  static const bool chosen = [] {
    chosen_target_state.Update(supported_targets());
    return true;
  }();
  static_cast<void>(chosen);
  return chosen_target_state;
}

}  // namespace core_detail

namespace {

struct Target {
  Isa isa;
  std::string_view name;
  std::int64_t mask;  // Highway's targets that count as this set; AVX3_DL only adds instructions to AVX3
};

constexpr std::array kTargets{
    Target{Isa::kAvx3, "avx3", HWY_AVX3 | HWY_AVX3_DL},
    Target{Isa::kAvx2, "avx2", HWY_AVX2},
    Target{Isa::kSse4, "sse4", HWY_SSE4},
#ifdef HWY_NEON_WITHOUT_AES  // newer versions of Highway compile for it unless the compiler is told of AES
    Target{Isa::kNeon, "neon", HWY_NEON | HWY_NEON_WITHOUT_AES},
#else
    Target{Isa::kNeon, "neon", HWY_NEON},
#endif
    Target{Isa::kSimd128, "simd128", HWY_WASM},
    // Machines without a set of their own run what the compiler made of Highway's emulation.
    Target{Isa::kOther, "other", HWY_EMU128 | HWY_SCALAR},
};

struct Available {
  std::array<Isa, kTargets.size()> isas{};
  std::size_t count = 0;

  Available() {
    const std::int64_t usable = core_detail::supported_targets() & HWY_TARGETS;
    for (const Target& target : kTargets) {
      if ((usable & target.mask) != 0) {
        isas[count++] = target.isa;
      }
    }
  }
};

constexpr int kNotForced = -1;
std::atomic<int> forced{kNotForced};

void choose(Isa isa) {
  for (const Target& target : kTargets) {
    if (target.isa == isa) {
      core_detail::chosen_target().Update(target.mask & core_detail::supported_targets());
    }
  }
  forced.store(static_cast<int>(isa));
}

tl::unexpected<Error> unsupported(std::string_view wanted) {
  std::string names;
  for (const Isa isa : available_isas()) {
    names += names.empty() ? "" : ", ";
    names += isa_name(isa);
  }
  if (names.empty()) {
    return fail(ErrorCode::kUnsupportedCpu,
                "this machine lacks every instruction set that this build holds; "
                "on x86 SSE4.2 (2008) is the least");
  }
  return fail(ErrorCode::kUnsupportedCpu,
              "no instruction set '" + std::string(wanted) + "' here; this machine and build have: " + names);
}

Result<Isa> choose_first() {
  const std::span<const Isa> available = available_isas();
  const char* const wanted = std::getenv("JUXTA_ISA");
  if (available.empty()) {
    return unsupported("");
  }
  if (wanted == nullptr || *wanted == '\0') {
    return available.front();
  }
  for (const Isa isa : available) {
    if (isa_name(isa) == wanted) {
      choose(isa);
      return isa;
    }
  }
  return unsupported(wanted);
}

}  // namespace

std::string_view isa_name(Isa isa) noexcept {
  for (const Target& target : kTargets) {
    if (target.isa == isa) {
      return target.name;
    }
  }
  return "unknown";
}

std::span<const Isa> available_isas() noexcept {
  static const Available available;
  return {available.isas.data(), available.count};
}

Result<Isa> active_isa() {
  static const Result<Isa> first = choose_first();  // the environment is read once, whichever thread asks
  const int now = forced.load();
  return now == kNotForced ? first : Result<Isa>(static_cast<Isa>(now));
}

Result<Isa> force_isa(Isa isa) {
  for (const Isa available : available_isas()) {
    if (available == isa) {
      static_cast<void>(active_isa());  // so that a later first question does not undo this one
      choose(isa);
      return isa;
    }
  }
  return unsupported(isa_name(isa));
}

}  // namespace juxta
