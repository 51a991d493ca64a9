// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#if !defined(_WIN32) && !defined(__wasi__)

#include <dlfcn.h>

#include <string>

#include "core/os.h"

namespace juxta::core_detail {

Result<void*> load_library(const char* name) {
  if (void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
    return library;
  }
  const char* const why = ::dlerror();
  return fail(ErrorCode::kIo, why != nullptr ? why : "cannot load " + std::string(name));
}

void* find_symbol(void* library, const char* name) noexcept {
  return ::dlsym(library, name);
}

}  // namespace juxta::core_detail

#endif
