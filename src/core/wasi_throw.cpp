// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Debian's C++ library for WebAssembly has no exceptions, and the compiler turns every `throw` into these
// calls. All that the library throws is std::bad_alloc, so the program ends and says so.
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {

void* __cxa_allocate_exception(std::size_t /*bytes*/) noexcept {
  alignas(16) static std::byte thrown[256];  // nothing catches it
  return thrown;
}

[[noreturn]] void __cxa_throw(void* /*thrown*/, void* /*type*/, void (* /*destroy*/)(void*)) {
  static_cast<void>(std::fputs("juxta: out of memory\n", stderr));
  std::abort();
}

}  // extern "C"
