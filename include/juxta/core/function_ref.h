// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <utility>

namespace juxta {

template <class Signature>
class FunctionRef;

/// A borrowed callable, two pointers wide: for parameters only, never to be stored beyond the call. The
/// default one is empty and converts to false.
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  FunctionRef() noexcept = default;
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<R, F&, Args...>)
      FunctionRef(F&& f)
  noexcept  // NOLINT(google-explicit-constructor): that is its purpose
      : object_(const_cast<void*>(static_cast<const void*>(__builtin_addressof(f)))),
        call_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  [[nodiscard]] explicit operator bool() const noexcept { return call_ != nullptr; }
  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_ = nullptr;
  R (*call_)(void*, Args...) = nullptr;
};

}  // namespace juxta
