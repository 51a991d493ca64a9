// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace juxta {

/// What went wrong, for a program. The sentence in Error::message is for a person.
enum class ErrorCode : std::uint8_t {
  kInvalidArgument,  ///< An option or a size that makes no sense; nothing was changed.
  kNotFinite,        ///< A NaN, or an infinity where none is allowed; Error::index says which element.
  kTooLarge,         ///< More elements than an index holds (2^32 - 2).
  kUnsupportedCpu,   ///< Below SSE4.2, or JUXTA_ISA names a set that this machine lacks.
  kIo,               ///< The operating system refused: missing file, missing right, full disk.
  kCorruptFile,      ///< Not one of our files, another version, truncated, or damaged.
  kParse,            ///< A text file with a mistake; Error::line says where.
  kCancelled,        ///< A Monitor asked to stop.
  kNotFound,         ///< A dead Id, a missing column.
};

/// Why a call did not do its job. The library never prints, exits or throws (std::bad_alloc passes through).
struct Error {
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;             ///< One sentence that says what to do, without a trailing newline.
  std::uint64_t index = kNowhere;  ///< Element of the input, from 0.
  std::uint64_t line = kNowhere;   ///< Line of a text file, from 1.
  std::uint64_t byte = kNowhere;   ///< Offset in a binary file, from 0.
};

/// A value, or the reason why there is none.
template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for `return fail(ErrorCode::kIo, "...")` in a function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::uint64_t index = Error::kNowhere) {
  return tl::unexpected<Error>(Error{code, std::move(message), index, Error::kNowhere, Error::kNowhere});
}

}  // namespace juxta
