// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many threads this process may run, how many the system starts, what a thread used, and who called.
#if !defined(_WIN32) && !defined(__wasi__)

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/os.h"

namespace juxta::core_detail {
namespace {

namespace fs = std::filesystem;

/// CPUs of the calling thread's affinity mask; 0: the system does not say.
unsigned cpus_of_mask() {
#if defined(__linux__)
  for (std::size_t cpus = 1024; cpus <= (std::size_t{1} << 20);
       cpus *= 4) {  // the mask may be longer than ours
    const std::size_t bytes = CPU_ALLOC_SIZE(cpus);
    std::vector<std::uint64_t> words((bytes + 7) / 8, 0);
    auto* const mask = reinterpret_cast<cpu_set_t*>(words.data());
    if (::sched_getaffinity(0, bytes, mask) == 0) {
      return static_cast<unsigned>(CPU_COUNT_S(bytes, mask));
    }
  }
#endif
  return 0;
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// CPUs' worth of time that one control group may use, by version 2 or 1.
double limit_of_group(const fs::path& folder, bool version2) {
  double quota = -1, period = 0;
  if (version2) {
    std::ifstream(folder / "cpu.max") >> quota >> period;  // "max 100000" fails at the word
  } else {
    std::ifstream(folder / "cpu.cfs_quota_us") >> quota;
    std::ifstream(folder / "cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : kNoLimit;
}

/// A word of a list with commas.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == word) {
      return true;
    }
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

/// The tightest limit of a group and of those that it is in, up to the root of the mounted hierarchy.
double limit_up_from(const fs::path& mount, std::string_view below, bool version2) {
  double limit = limit_of_group(mount, version2);
  fs::path folder = mount;
  std::istringstream parts{std::string(below)};
  for (std::string part; std::getline(parts, part, '/');) {
    if (part == "..") {
      return limit;  // this process is outside of what is mounted here
    }
    if (!part.empty()) {
      folder /= part;
      limit = std::min(limit, limit_of_group(folder, version2));
    }
  }
  return limit;
}

/// The limit of one line of /proc/self/cgroup, "4:cpu,cpuacct:/docker/9f0", by where its hierarchy is
/// mounted:
///   31 23 0:28 /docker/9f0 /sys/fs/cgroup/cpu rw,relatime shared:1 - cgroup cgroup rw,cpu,cpuacct
double limit_of_line(const std::string& line, const fs::path& root) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) {
    return kNoLimit;
  }
  const std::string_view controllers = std::string_view(line).substr(first + 1, second - first - 1);
  const bool version2 = controllers.empty();
  if (!version2 && !lists(controllers, "cpu")) {
    return kNoLimit;
  }
  double limit = kNoLimit;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string mount; std::getline(mounts, mount);) {
    std::string word, from, at, type, source, options;
    std::istringstream words(mount);
    words >> word >> word >> word >> from >> at;
    while (words >> word && word != "-") {
    }
    words >> type >> source >> options;
    if (version2 ? type != "cgroup2" : type != "cgroup" || !lists(options, "cpu")) {
      continue;
    }
    std::string_view below = std::string_view(line).substr(second + 1);
    from = from == "/" ? "" : from;
    below = below.starts_with(from) ? below.substr(from.size()) : std::string_view();
    limit = std::min(limit, limit_up_from(root / fs::path(at).relative_path(), below, version2));
  }
  return limit;
}

struct Gate {
  std::atomic<std::uint32_t> passed{0};  // threads that are under way
  std::atomic<bool> open{false};
};

/// A thread that allocates makes the C library reserve 64 MB of addresses for it, so that a limit on them is
/// reached earlier than by stacks alone: what is tried must do as much.
extern "C" void* wait_at_gate(void* argument) {
  auto* const gate = static_cast<Gate*>(argument);
  void* volatile block = std::malloc(64);
  std::free(block);
  gate->passed.fetch_add(1);
  gate->passed.notify_one();
  gate->open.wait(false);
  return nullptr;
}

}  // namespace

double cgroup_cpus(const fs::path& root) {
  double limit = kNoLimit;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    limit = std::min(limit, limit_of_line(line, root));
  }
  return limit;
}

unsigned usable_cpus() {
  unsigned cpus = cpus_of_mask();
  if (cpus == 0) {
    cpus = std::thread::hardware_concurrency();
  }
  const double quota = std::ceil(cgroup_cpus("/"));
  return std::max(quota < static_cast<double>(cpus) ? static_cast<unsigned>(quota) : cpus, 1U);
}

double thread_seconds() noexcept {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  std::timespec used{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0) {
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  }
#endif
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

unsigned startable_threads(unsigned count, std::size_t stack_bytes) {
  std::vector<pthread_t> threads;
  threads.reserve(count);
  pthread_attr_t attributes;
  if (::pthread_attr_init(&attributes) != 0) {
    return 0;
  }
  Gate gate;
  if (::pthread_attr_setstacksize(&attributes, stack_bytes) == 0) {
    for (pthread_t thread{};
         threads.size() < count && ::pthread_create(&thread, &attributes, wait_at_gate, &gate) == 0;) {
      threads.push_back(thread);
      for (std::uint32_t passed; (passed = gate.passed.load()) < threads.size();) {
        gate.passed.wait(passed);  // one after the other, so that a later start meets the same memory or more
      }
    }
  }
  ::pthread_attr_destroy(&attributes);
  gate.open = true;
  gate.open.notify_all();
  for (const pthread_t thread : threads) {
    ::pthread_join(thread, nullptr);
  }
  return static_cast<unsigned>(threads.size());
}

void call_chain(std::span<const void*> chain, const void* innermost) noexcept {
  std::ranges::fill(chain, nullptr);
  if (chain.empty()) {
    return;
  }
  chain[0] = innermost;
#if __has_include(<execinfo.h>)
  constexpr std::size_t kDeepest = 64;
  std::array<void*, kDeepest> frames{};
  const auto end = frames.begin() + ::backtrace(frames.data(), static_cast<int>(kDeepest));
  const auto first = std::find(frames.begin(), end, innermost);
  std::copy(first, first + std::min(end - first, static_cast<std::ptrdiff_t>(chain.size())), chain.begin());
#endif
}

}  // namespace juxta::core_detail

#endif
