// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Calls release the GIL, so two threads of Python can be inside one object. Reading calls may be; a changing
// call must be alone. The second one is refused: it raises RuntimeError and never waits, since a thread that
// waited could hold what the first one needs.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace juxta::python {

/// The base of every wrapped object. Memory of a wrapped object begins as zeros: pybind11 hands out the
/// memory of an object whose __init__ never ran (`Layer.__new__(Layer)`), and `born_` tells.
class Guarded {
 public:
  Guarded() = default;
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { born_ = 0; }

  static void* operator new(std::size_t bytes) {
    void* memory = std::calloc(1, bytes);
    if (memory == nullptr) {
      throw std::bad_alloc();
    }
    return memory;
  }
  static void operator delete(void* memory) { std::free(memory); }

 private:
  friend class Reading;
  friend class Writing;
  static constexpr std::uint32_t kBorn = 0x6a757874;

  void check_born() const {
    if (born_ != kBorn) {
      throw pybind11::value_error("this object was not initialised: call its class, not __new__");
    }
  }

  std::uint32_t born_ = kBorn;
  // Readers inside, or -1: a writer.
  mutable std::atomic<int> inside_{0};
};

/// Held while a call reads an object.
class Reading {
 public:
  explicit Reading(const Guarded& object) : object_(object) {
    object.check_born();
    int inside = object.inside_.load(std::memory_order_relaxed);
    do {
      if (inside < 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "another call is changing this object; wait until it has returned");
        throw pybind11::error_already_set();
      }
    } while (!object.inside_.compare_exchange_weak(inside, inside + 1, std::memory_order_acquire,
                                                   std::memory_order_relaxed));
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { object_.inside_.fetch_sub(1, std::memory_order_release); }

 private:
  const Guarded& object_;
};

/// Held while a call changes an object.
class Writing {
 public:
  explicit Writing(const Guarded& object) : object_(object) {
    object.check_born();
    int nobody = 0;
    if (!object.inside_.compare_exchange_strong(nobody, -1, std::memory_order_acquire,
                                                std::memory_order_relaxed)) {
      PyErr_SetString(PyExc_RuntimeError,
                      "another call is using this object, so it cannot be changed now; wait until it has "
                      "returned");
      throw pybind11::error_already_set();
    }
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() { object_.inside_.store(0, std::memory_order_release); }

 private:
  const Guarded& object_;
};

}  // namespace juxta::python
