// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Errors of the library become exceptions of Python (juxta/errors.py).
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "juxta/core/error.h"

namespace juxta::python {

namespace py = pybind11;

/// Looks up the exception classes, once, when the module is imported.
void load_errors();

/// Raises the exception of error.code, with its message, code, index, line and byte.
[[noreturn]] void raise(const Error& error);

/// ValueError: an argument that Python cannot hand on. The sentence names it.
[[noreturn]] void raise_value(const std::string& sentence);
/// TypeError: an argument of the wrong kind.
[[noreturn]] void raise_type(const std::string& sentence);

/// The value of a Result, or its error as an exception.
template <class T>
T unwrap(Result<T>&& result) {
  if (!result) {
    raise(result.error());
  }
  if constexpr (!std::is_void_v<T>) {
    return *std::move(result);
  }
}

}  // namespace juxta::python
