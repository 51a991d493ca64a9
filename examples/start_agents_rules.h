// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <juxta/agents/interaction_types.h>

/// Counts the neighbours of each agent into its column `near`.
struct Crowd {
  template <class F>
  using Seer = juxta::NoColumns<F>;  // what the rule reads of the agent itself
  template <class F>
  using Seen = juxta::NoColumns<F>;  // what it reads of a neighbour
  template <class F>
  struct Found {  // what it fills
    juxta::Sum<F> near;
    static constexpr auto kNames = juxta::names("near");
  };

  template <class F>
  void operator()(const juxta::Neighbour<F>&, const Seer<F>&, const Seen<F>&, Found<F>& found) const {
    found.near.add(1);
  }
};
