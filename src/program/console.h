// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a person at a terminal sees: errors, progress, and what Ctrl-C does.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"

namespace juxta::program_detail {

inline constexpr int kOk = 0, kFailed = 1, kUsage = 2;

/// Once, before anything is opened. From now on Ctrl-C and a termination request end the program with a
/// message and 128 + signal, but never in the middle of an OutputLock. A second Ctrl-C ends it at once.
/// Messages begin with `program`.
void begin_console(std::string_view program = "juxta");
[[nodiscard]] bool interrupted() noexcept;
/// Another signal that ends the program as Ctrl-C does.
void end_on(int signal) noexcept;
/// From now on this process shows nothing, since another one of the same job does.
void be_silent() noexcept;

/// Held while an output file is being written: an interrupt waits until the file is whole or gone.
class OutputLock {
 public:
  OutputLock();
  ~OutputLock();
  OutputLock(const OutputLock&) = delete;
  OutputLock& operator=(const OutputLock&) = delete;
};

/// Prints "juxta: cities.csv:17: what to do" and returns the exit code.
int complain(const Error& error, std::string_view file = {});
int complain(std::string_view sentence);
/// What is wrong on the command line is wrong use, whatever the library calls it.
[[nodiscard]] Error wrong_use(Error error);

/// Writes to the standard output. Error: kIo, of this call or an earlier one; who goes on all the same may
/// leave it to finish_output().
Result<void> print(std::string_view text);
/// Hands over what was printed so far. Errors: as print(). Flush in no other way: the error would be lost.
Result<void> flush_output();
/// The last flush, of every command: an error (full disk) becomes the exit code unless the command failed
/// anyhow, and is complained about unless it was.
[[nodiscard]] int finish_output(int status);

[[nodiscard]] bool error_is_terminal() noexcept;
[[nodiscard]] bool output_is_terminal() noexcept;

/// A line on the error output that says how far a long call is: on a terminal only, and only after two
/// seconds. Asks the call to stop after an interrupt.
class ConsoleProgress final : public Monitor {
 public:
  ConsoleProgress();
  ~ConsoleProgress() override;
  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override;
  /// Wipes the line, so that other text may be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_ = Clock::now(), shown_at_{};
  bool terminal_, shown_ = false;
};

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }

 private:
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace juxta::program_detail
