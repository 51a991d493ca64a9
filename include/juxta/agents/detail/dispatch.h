// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one name for the copies of an interaction.
//
// juxta_add_interactions() compiles a file once for each instruction set, with JUXTA_COPY defined as kSse4,
// kAvx2 or kAvx3, and once more with JUXTA_COPIES_X86 defined: that one holds no loop, only the choice
// between the others. Without the function the file is compiled once, for whatever its flags say.
#pragma once

#include "juxta/agents/detail/sweep.h"
#include "juxta/core/isa.h"

namespace juxta::agents_detail {

/// The copy for one instruction set: defined in the file's compilation for it.
template <class T, Isa isa>
[[nodiscard]] Sweep* sweep_copy();
template <class T, Isa isa>
[[nodiscard]] Act* act_copy();

}  // namespace juxta::agents_detail

#if defined(JUXTA_COPIES_X86)

#define JUXTA_CHOOSE(kind, Kind, T)                                    \
  template <>                                                          \
  ::juxta::agents_detail::Kind* juxta::agents_detail::kind##_of<T>() { \
    switch (::juxta::active_isa().value_or(::juxta::Isa::kSse4)) {     \
      case ::juxta::Isa::kAvx3:                                        \
        return kind##_copy<T, ::juxta::Isa::kAvx3>();                  \
      case ::juxta::Isa::kAvx2:                                        \
        return kind##_copy<T, ::juxta::Isa::kAvx2>();                  \
      default:                                                         \
        return kind##_copy<T, ::juxta::Isa::kSse4>();                  \
    }                                                                  \
  }
#define JUXTA_INTERACTION(T) JUXTA_CHOOSE(sweep, Sweep, T) static_assert(true)
#define JUXTA_ACTION(T) JUXTA_CHOOSE(act, Act, T) static_assert(true)

#elif defined(JUXTA_COPY)

#define JUXTA_INTERACTION(T)                                                                       \
  template <>                                                                                      \
  ::juxta::agents_detail::Sweep* juxta::agents_detail::sweep_copy<T, ::juxta::Isa::JUXTA_COPY>() { \
    return &::juxta::agents_detail::sweep_with<T>;                                                 \
  }                                                                                                \
  static_assert(true)
#define JUXTA_ACTION(T)                                                                        \
  template <>                                                                                  \
  ::juxta::agents_detail::Act* juxta::agents_detail::act_copy<T, ::juxta::Isa::JUXTA_COPY>() { \
    return &::juxta::agents_detail::act_with<T>;                                               \
  }                                                                                            \
  static_assert(true)

#else

#define JUXTA_INTERACTION(T)                                           \
  template <>                                                          \
  ::juxta::agents_detail::Sweep* juxta::agents_detail::sweep_of<T>() { \
    return &::juxta::agents_detail::sweep_with<T>;                     \
  }                                                                    \
  static_assert(true)
#define JUXTA_ACTION(T)                                            \
  template <>                                                      \
  ::juxta::agents_detail::Act* juxta::agents_detail::act_of<T>() { \
    return &::juxta::agents_detail::act_with<T>;                   \
  }                                                                \
  static_assert(true)

#endif
