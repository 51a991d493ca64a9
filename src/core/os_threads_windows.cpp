// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many threads this process may run, how many the system starts, what a thread used, and who called.
#if defined(_WIN32)

#include "core/os_windows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <thread>
#include <vector>

#include "core/os.h"

namespace juxta::core_detail {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// CPUs of the calling thread's affinity mask, in its processor group; 0: the system does not say.
unsigned cpus_of_mask() noexcept {
  GROUP_AFFINITY affinity{};
  return ::GetThreadGroupAffinity(::GetCurrentThread(), &affinity) != 0
             ? static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(affinity.Mask)))
             : 0;
}

/// CPUs' worth of time that the job of this process may use. Windows' containers have their limit as a hard
/// cap of a job: hundredths of a percent of all CPUs.
double job_cpus() noexcept {
  JOBOBJECT_CPU_RATE_CONTROL_INFORMATION rate{};
  if (::QueryInformationJobObject(nullptr, JobObjectCpuRateControlInformation, &rate, sizeof rate, nullptr) ==
      0) {
    return kNoLimit;
  }
  constexpr DWORD kCapped = JOB_OBJECT_CPU_RATE_CONTROL_ENABLE | JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP;
  const DWORD all = ::GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return (rate.ControlFlags & kCapped) == kCapped && rate.CpuRate > 0 ? rate.CpuRate / 10000.0 * all
                                                                      : kNoLimit;
}

struct Gate {
  Handle passed{::CreateEventW(nullptr, FALSE, FALSE, nullptr)};  // for one thread at a time
  Handle open{::CreateEventW(nullptr, TRUE, FALSE, nullptr)};     // for all, from then on
};

DWORD WINAPI wait_at_gate(void* argument) {
  auto* const gate = static_cast<Gate*>(argument);
  void* volatile block = std::malloc(64);  // as a thread that works does
  std::free(block);
  ::SetEvent(gate->passed.get());
  ::WaitForSingleObject(gate->open.get(), INFINITE);
  return 0;
}

}  // namespace

double cgroup_cpus(const std::filesystem::path& /*root*/) {
  return kNoLimit;
}

unsigned usable_cpus() {
  unsigned cpus = cpus_of_mask();
  if (cpus == 0) {
    cpus = std::thread::hardware_concurrency();
  }
  const double quota = std::ceil(job_cpus());
  return std::max(quota < static_cast<double>(cpus) ? static_cast<unsigned>(quota) : cpus, 1U);
}

double thread_seconds() noexcept {
  FILETIME created{}, ended{}, kernel{}, user{};
  if (::GetThreadTimes(::GetCurrentThread(), &created, &ended, &kernel, &user) == 0) {
    return 0;
  }
  const auto seconds = [](const FILETIME& time) {
    return 1e-7 * static_cast<double>(std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
  };
  return seconds(kernel) + seconds(user);
}

unsigned startable_threads(unsigned count, std::size_t stack_bytes) {
  Gate gate;
  std::vector<HANDLE> threads;
  threads.reserve(count);
  while (gate.passed.valid() && gate.open.valid() && threads.size() < count) {
    const HANDLE thread =
        ::CreateThread(nullptr, stack_bytes, wait_at_gate, &gate, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
    if (thread == nullptr) {
      break;
    }
    threads.push_back(thread);
    // One after the other, so that a later start meets the same memory or more.
    ::WaitForSingleObject(gate.passed.get(), INFINITE);
  }
  ::SetEvent(gate.open.get());
  for (const HANDLE thread : threads) {
    ::WaitForSingleObject(thread, INFINITE);
    ::CloseHandle(thread);
  }
  return static_cast<unsigned>(threads.size());
}

void call_chain(std::span<const void*> chain, const void* innermost) noexcept {
  std::ranges::fill(chain, nullptr);
  if (chain.empty()) {
    return;
  }
  chain[0] = innermost;
  constexpr DWORD kDeepest = 62;
  std::array<void*, kDeepest> frames{};
  const auto end = frames.begin() + ::RtlCaptureStackBackTrace(0, kDeepest, frames.data(), nullptr);
  const auto first = std::find(frames.begin(), end, innermost);
  std::copy(first, first + std::min(end - first, static_cast<std::ptrdiff_t>(chain.size())), chain.begin());
}

}  // namespace juxta::core_detail

#endif
