// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what more than one thread writes. Where the platform has no threads (wasm32 without -pthread,
// whose C++ library has no std::mutex either), nothing has to wait, and a lock is nothing.
#pragma once

#if !defined(__wasi__) || defined(_REENTRANT)
#include <mutex>
#endif

namespace juxta::core_detail {

#if !defined(__wasi__) || defined(_REENTRANT)

using Mutex = std::mutex;
/// Holds a mutex until it ends, or until unlock().
using Lock = std::unique_lock<std::mutex>;
inline constexpr std::try_to_lock_t kTryToLock{};

#else

struct Mutex {};
struct TryToLock {};
inline constexpr TryToLock kTryToLock;
class Lock {
 public:
  explicit Lock(Mutex& mutex) noexcept : mutex_(&mutex) {}
  Lock(Mutex& mutex, TryToLock) noexcept : mutex_(&mutex) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() = default;
  void unlock() noexcept { mutex_ = nullptr; }
  [[nodiscard]] bool owns_lock() const noexcept { return mutex_ != nullptr; }
  explicit operator bool() const noexcept { return owns_lock(); }

 private:
  Mutex* mutex_;
};

#endif

}  // namespace juxta::core_detail
