// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <juxta/agents/interaction_types.h>

// What a person notes: how many of those near are ill.
struct Contacts {
  template <class F>
  using Seer = juxta::NoColumns<F>;
  template <class F>
  struct Seen {
    F ill;
    static constexpr auto kNames = juxta::names("ill");
  };
  template <class F>
  struct Found {
    juxta::Sum<F> ill_near;
    static constexpr auto kNames = juxta::names("ill_near");
  };

  template <class F>
  void operator()(const juxta::Neighbour<F>&, const Seer<F>&, const Seen<F>& seen, Found<F>& found) const {
    found.ill_near.add(seen.ill);
  }
};
