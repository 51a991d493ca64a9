// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "errors.h"

#include <array>
#include <cstdint>

namespace juxta::python {
namespace {

// In the order of ErrorCode. Kept until the process ends: exceptions may be raised while the interpreter is
// being taken down.
constexpr std::array<const char*, 9> kClasses = {"InvalidArgument", "NotFinite", "TooLarge",
                                                 "UnsupportedCpu",  "IoError",   "CorruptFile",
                                                 "ParseError",      "Cancelled", "NotFound"};
std::array<PyObject*, kClasses.size()> classes{};

py::object place(std::uint64_t number) {
  return number == Error::kNowhere ? py::object(py::none()) : py::object(py::int_(number));
}

}  // namespace

void load_errors() {
  const py::module_ errors = py::module_::import("juxta.errors");
  for (std::size_t i = 0; i < kClasses.size(); ++i) {
    classes[i] = py::object(errors.attr(kClasses[i])).release().ptr();
  }
}

void raise(const Error& error) {
  const py::handle type = classes[static_cast<std::size_t>(error.code)];
  const py::object exception = type(error.message);
  exception.attr("index") = place(error.index);
  exception.attr("line") = place(error.line);
  exception.attr("byte") = place(error.byte);
  PyErr_SetObject(type.ptr(), exception.ptr());
  throw py::error_already_set();
}

void raise_value(const std::string& sentence) {
  throw py::value_error(sentence);
}

void raise_type(const std::string& sentence) {
  throw py::type_error(sentence);
}

}  // namespace juxta::python
