// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/scaling/symbols.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

namespace juxta::bench {
namespace {

constexpr std::size_t kMostNames = 3;

std::vector<std::string> lines_of(const std::string& command) {
  struct Close {
    void operator()(std::FILE* pipe) const { ::pclose(pipe); }
  };
  std::vector<std::string> lines;
  const std::unique_ptr<std::FILE, Close> pipe(::popen(command.c_str(), "r"));
  std::array<char, 4096> line{};
  while (pipe && std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) != nullptr) {
    lines.emplace_back(line.data());
    lines.back().pop_back();  // the end of the line
  }
  return lines;
}

// "juxta::(anonymous namespace)::ParallelSort<unsigned int>::sort(...) const" is "ParallelSort::sort".
std::string short_name(std::string_view name) {
  std::string kept;
  int depth = 0;
  for (const char c : name) {
    if (c == '(' || c == '<' || c == '{' || c == '[') {
      ++depth;
    } else if (c == ')' || c == '>' || c == '}' || c == ']') {
      --depth;
    } else if (depth == 0) {
      kept += c;
    }
  }
  kept.erase(kept.find_last_not_of(' ') + 1);
  if (kept.ends_with(" const")) {
    kept.resize(kept.size() - std::string_view(" const").size());
  }
  const std::size_t space = kept.find_last_of(' ');  // what it returns stands in front
  kept = kept.substr(space == std::string::npos ? 0 : space + 1);
  for (const std::string_view noise : {"juxta::", "::::"}) {
    for (std::size_t at; (at = kept.find(noise)) != std::string::npos;) {
      kept.replace(at, noise.size(), noise == "::::" ? "::" : "");
    }
  }
  return kept;
}

}  // namespace

std::string names_of(std::span<const void* const> callers) {
  if (callers.empty()) {  // addr2line would wait for input
    return "?";
  }
  std::string command = "addr2line -f -C -e /proc/" + std::to_string(::getpid()) + "/exe";
  for (const void* const caller : callers) {
    Dl_info info{};
    ::dladdr(caller, &info);
    std::array<char, 32> offset{};
    // The call is in front of the address to which it returns.
    const auto at =
        reinterpret_cast<std::uintptr_t>(caller) - reinterpret_cast<std::uintptr_t>(info.dli_fbase) - 1;
    std::snprintf(offset.data(), offset.size(), " %zx", at);
    command += offset.data();
  }
  std::string names, last;
  std::size_t count = 0;
  const std::vector<std::string> lines = lines_of(command + " 2>/dev/null");
  for (std::size_t i = 0; i < lines.size() && count < kMostNames; i += 2) {  // every other line names a file
    const std::string name = short_name(lines[i]);
    if (name != last && !name.empty()) {
      names += (count++ > 0 ? " < " : "") + name;
      last = name;
    }
  }
  return names.empty() ? "?" : names;
}

}  // namespace juxta::bench
