// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a library of compiled rules tells the module that loads it. The two are compiled apart, perhaps by
// different compilers: plain structs alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/agents/detail/sweep.h"

namespace juxta::python {

struct RuleNames {
  const char* const* names;
  std::size_t count;
};

struct RuleRecord {
  const char* name;  ///< As in JUXTA_INTERACTION(name).
  /// Columns: Seer, Seen and Found of an interaction; Reads and Writes of an action.
  RuleNames seer, seen, found, reads, writes;
  std::uint32_t found_ids;           ///< Bit i: the i-th of `found` is a column of references.
  RuleNames parameters;              ///< Floats, one after the other from the start of the struct on.
  const void* defaults;              ///< The struct as its own initialisers leave it ...
  std::size_t size;                  ///< ... and its bytes, at most kMostRuleBytes.
  agents_detail::Sweep* (*sweep)();  ///< Null: an action.
  agents_detail::Act* (*act)();      ///< Null: an interaction.
  const RuleRecord* next;            ///< Null: the last one.
};
inline constexpr std::size_t kMostRuleBytes = 4096, kRuleAlignment = 64;

/// The name of the capsule that holds the first record. Another one when a struct above changes.
inline constexpr const char* kRuleCapsule = "juxta.rules.2";

}  // namespace juxta::python
