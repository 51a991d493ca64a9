// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Words for the values of an enum.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <string>

#include "errors.h"

namespace juxta::python {

template <class E>
struct Choice {
  const char* word;
  E value;
};

/// The value that a word stands for. Raises ValueError with all words.
template <class E, std::size_t kCount>
E choice_of(pybind11::handle given, const char* name, const std::array<Choice<E>, kCount>& choices) {
  std::string words;
  const bool is_word = pybind11::isinstance<pybind11::str>(given);
  for (const Choice<E>& choice : choices) {
    if (is_word && pybind11::cast<std::string>(given) == choice.word) {
      return choice.value;
    }
    words += (words.empty() ? "'" : ", '") + std::string(choice.word) + "'";
  }
  raise_value(std::string(name) + " is " + std::string(pybind11::repr(given)) + ". Give one of " + words);
}

template <class E, std::size_t kCount>
const char* word_of(E value, const std::array<Choice<E>, kCount>& choices) {
  for (const Choice<E>& choice : choices) {
    if (choice.value == value) {
      return choice.word;
    }
  }
  return "";
}

}  // namespace juxta::python
