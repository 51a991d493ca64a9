// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/agents/interaction_types.h"

namespace juxta::test {

/// All functions in one action, as a user writes them.
struct Functions {
  template <class F>
  struct Reads {
    F a, b;
    static constexpr auto kNames = names("a", "b");
  };
  template <class F>
  struct Writes {
    F e, l, s, c, p;
    static constexpr auto kNames = names("e", "l", "s", "c", "p");
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& out) const {
    using juxta::cos, juxta::exp, juxta::log, juxta::pow, juxta::sin;
    out.e = exp(in.a);
    out.l = log(in.a);
    out.s = sin(in.a);
    out.c = cos(in.a);
    out.p = pow(in.a, in.b) + pow(in.a, 2) + pow(2, in.a);
  }
};

}  // namespace juxta::test
