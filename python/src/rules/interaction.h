// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// <juxta/agents/interaction.h> for rules that juxta.compile_rules() compiles: once, for this machine. The
// macros note each rule in a list, which the module reads.
#pragma once

#include <cstddef>
#include <type_traits>

#include "juxta/agents/detail/act_loop.h"
#include "juxta/agents/detail/check_rules.h"
#include "juxta/agents/detail/id_totals.h"
#include "juxta/agents/detail/pair_loop.h"
#include "juxta/agents/interaction_types.h"
#include "record.h"

namespace juxta::python {

/// In the order of their lines: each note is made when the library is loaded.
struct RuleList {
  const RuleRecord* first = nullptr;
  RuleRecord* last = nullptr;
};
inline RuleList rule_list;

struct RuleNote {
  explicit RuleNote(const RuleRecord& declared) : record(declared) {
    if (rule_list.last == nullptr) {
      rule_list.first = &record;
    } else {
      rule_list.last->next = &record;
    }
    rule_list.last = &record;
  }
  RuleRecord record;
};

template <class Part>
RuleNames rule_names() {
  return {Part::kNames.data(), Part::kNames.size()};
}

template <class T>
concept HasParameters = requires {
  T::kParameters.size();
};

template <class T>
inline const T rule_defaults{};

/// What all rules have.
template <class T>
RuleRecord rule_record(const char* name) {
  static_assert(
      std::is_trivially_copyable_v<T> && sizeof(T) <= kMostRuleBytes && alignof(T) <= kRuleAlignment,
      "the member variables of a rule are plain data, at most 4096 bytes");
  RuleRecord record{};
  record.name = name;
  record.defaults = &rule_defaults<T>;
  record.size = sizeof(T);
  if constexpr (HasParameters<T>) {
    constexpr std::size_t kCount = T::kParameters.size();
    static_assert(
        sizeof(T) == kCount * sizeof(float) &&
            agents_detail::takes<T, agents_detail::FloatField>(agents_detail::Numbers<kCount>()),
        "kParameters has one name for each member variable, in the same order, and all of them are float");
    record.parameters = {T::kParameters.data(), kCount};
  }
  return record;
}

template <class T>
RuleRecord interaction_record(const char* name) {
  RuleRecord record = rule_record<T>(name);
  if constexpr (agents_detail::check_interaction<T>()) {
    record.seer = rule_names<typename T::template Seer<float>>();
    record.seen = rule_names<typename T::template Seen<float>>();
    record.found = rule_names<typename T::template Found<float>>();
    record.found_ids = agents_detail::id_totals<typename T::template Found<float>>();
    record.sweep = [] { return &agents_detail::sweep_with<T>; };
  }
  return record;
}

template <class T>
RuleRecord action_record(const char* name) {
  RuleRecord record = rule_record<T>(name);
  if constexpr (agents_detail::check_action<T>()) {
    record.reads = rule_names<typename T::template Reads<float>>();
    record.writes = rule_names<typename T::template Writes<float>>();
    record.act = [] { return &agents_detail::act_with<T>; };
  }
  return record;
}

}  // namespace juxta::python

extern "C" [[gnu::used, gnu::visibility("default")]] inline const juxta::python::RuleRecord* juxta_rules() {
  return juxta::python::rule_list.first;
}

#define JUXTA_RULE_JOIN2(a, b) a##b
#define JUXTA_RULE_JOIN(a, b) JUXTA_RULE_JOIN2(a, b)
#define JUXTA_RULE_NOTE(kind, ...)                  \
  static ::juxta::python::RuleNote JUXTA_RULE_JOIN( \
      juxta_rule_note_, __COUNTER__)(::juxta::python::kind##_record<__VA_ARGS__>(#__VA_ARGS__))
#define JUXTA_INTERACTION(...) JUXTA_RULE_NOTE(interaction, __VA_ARGS__)
#define JUXTA_ACTION(...) JUXTA_RULE_NOTE(action, __VA_ARGS__)
