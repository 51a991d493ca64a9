// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Loads what bench/agents/build_consumer.cmake built.
#include <dlfcn.h>

#include "bench/agents/contenders.h"
#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

struct Consumer {
  MakeWorld* make = nullptr;
  std::string trouble;
};

const Consumer& consumer() {
  static const Consumer loaded = [] {
    Consumer found;
    std::string file = text_setting("JUXTA_BENCH_CONSUMER");
    if (file.empty()) {
      file = JUXTA_BENCH_CONSUMER_FILE;
    }
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) {
      found.make = reinterpret_cast<MakeWorld*>(dlsym(library, kMakeWorld));
    }
    if (found.make == nullptr) {
      const char* const why = dlerror();
      found.trouble = std::string("the consumer of the installed package was not built (") +
                      (why != nullptr ? why : "no reason given") + ")";
    }
    return found;
  }();
  return loaded;
}

}  // namespace

std::unique_ptr<World> make_passes(Model model, unsigned threads) {
  return std::unique_ptr<World>(consumer().make != nullptr ? consumer().make(model, threads) : nullptr);
}

const std::string& consumer_trouble() {
  return consumer().trouble;
}

}  // namespace juxta::bench
