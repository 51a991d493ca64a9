// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <utility>

namespace juxta {

/// The only owner of a T that a header declares and does not define: a std::unique_ptr without <memory>, a
/// third of a second of every compilation. Where the T is made, its type is known, and so is how to delete
/// it; a class that holds an Owned needs no destructor or moves of its own. Const goes along: a const owner
/// gives a const T.
template <class T>
class Owned {
 public:
  Owned() noexcept = default;
  /// Takes over what `new` gave.
  explicit Owned(T* object) noexcept : object_(object), destroy_([](T* dying) { delete dying; }) {}
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)), destroy_(other.destroy_) {}
  Owned& operator=(Owned&& other) noexcept {
    Owned taken(std::move(other));  // what this held dies with it
    std::swap(object_, taken.object_);
    std::swap(destroy_, taken.destroy_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (object_ != nullptr) {
      destroy_(object_);
    }
  }

  [[nodiscard]] explicit operator bool() const noexcept { return object_ != nullptr; }
  [[nodiscard]] T& operator*() noexcept { return *object_; }
  [[nodiscard]] const T& operator*() const noexcept { return *object_; }
  [[nodiscard]] T* operator->() noexcept { return object_; }
  [[nodiscard]] const T* operator->() const noexcept { return object_; }
  [[nodiscard]] T* get() noexcept { return object_; }
  [[nodiscard]] const T* get() const noexcept { return object_; }

 private:
  T* object_ = nullptr;
  void (*destroy_)(T*) = nullptr;
};

template <class T, class... Args>
[[nodiscard]] Owned<T> make_owned(Args&&... args) {
  return Owned<T>(new T(std::forward<Args>(args)...));
}

}  // namespace juxta
