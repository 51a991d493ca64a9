// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Debian's C++ library for WebAssembly has no exceptions, and the compiler turns every `throw` into these
// calls. All that the library throws is std::bad_alloc, so the program ends and says so.
#if defined(__wasi__)

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace juxta::core_detail {

/// Does not return. A program may have one of its own: js/wasm/common.cpp throws a JavaScript error.
[[gnu::weak]] void out_of_memory() noexcept {
  static_cast<void>(std::fputs("juxta: out of memory\n", stderr));
  std::abort();
}

}  // namespace juxta::core_detail

extern "C" {

void* __cxa_allocate_exception(std::size_t /*bytes*/) noexcept {
  alignas(16) static std::byte thrown[256];  // nothing catches it
  return thrown;
}

[[noreturn]] void __cxa_throw(void* /*thrown*/, void* /*type*/, void (* /*destroy*/)(void*)) {
  juxta::core_detail::out_of_memory();
  std::abort();
}

}  // extern "C"

#endif
