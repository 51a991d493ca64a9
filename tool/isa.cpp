// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta isa: the instruction sets that the kernels can use here.

#include <fmt/format.h>

#include "juxta/core/isa.h"
#include "tool/commands.h"
#include "tool/console.h"

namespace juxta::tool {
namespace {

int run_isa() {
  const auto active = active_isa();
  for (const Isa isa : available_isas()) {
    print(fmt::format("{} {}\n", active && isa == *active ? '*' : ' ', isa_name(isa)));
  }
  return active ? kOk : complain(active.error());
}

}  // namespace

void add_isa(CLI::App& app, Run& run) {
  CLI::App* isa =
      app.add_subcommand("isa", "List the instruction sets of this machine and build, best first");
  isa->footer(
      "The star marks the one in use. JUXTA_ISA=sse4|avx2|avx3|neon chooses another; answers never change.");
  isa->callback([&run] { run = run_isa; });
}

}  // namespace juxta::tool
