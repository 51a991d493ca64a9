// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the handles of simulations and populations.
#pragma once

#include <string_view>

#include "c/call.h"
#include "juxta/agents/simulation.h"
#include "juxta/c/agents.h"
#include "juxta/core/try.h"

struct juxta_simulation {
  juxta::Simulation of;
};

namespace juxta::c_detail {

/// A juxta_population is a Population under another name: the simulation owns it, and C only has its address.
[[nodiscard]] inline Population& cpp(juxta_population* population) noexcept {
  return *reinterpret_cast<Population*>(population);
}
[[nodiscard]] inline const Population& cpp(const juxta_population* population) noexcept {
  return *reinterpret_cast<const Population*>(population);
}
[[nodiscard]] inline juxta_population* c_handle(Population* population) noexcept {
  return reinterpret_cast<juxta_population*>(population);
}

/// NULL is a name that nothing has.
[[nodiscard]] inline std::string_view name_or_none(const char* name) noexcept {
  return name != nullptr ? std::string_view(name) : std::string_view();
}

/// Runs a pass, and hands on what it cost.
template <class F>
juxta_status pass(const juxta_context* context, juxta_query_result* result, juxta_error* error, F&& run) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const QueryResult done, run(*call));
    store(done, result);
    return {};
  });
}

}  // namespace juxta::c_detail
