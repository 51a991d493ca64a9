// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "program/terminal.h"

namespace juxta::program_detail {
namespace {

volatile std::sig_atomic_t interrupt = 0;
std::timed_mutex output_mutex;
std::once_flag told;   // a second thread waits for the sentence of the first: either may end the program next
int output_error = 0;  // errno of the first failure to write the standard output: later calls forget it
bool output_told = false;  // that failure was complained about
bool silent = false;
std::array<char, 128> program = {"juxta"};  // before each message; watch() may outlive what has a destructor

void tell(std::string_view text) {
  if (!silent) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

constexpr std::string_view kOutputFailed = "cannot write the standard output: ";

extern "C" void on_interrupt(int number) {
  interrupt = number;
  std::signal(number, SIG_DFL);  // the second one is not negotiable
}

void tell_interrupted() {
  std::call_once(told, [] {
    tell(fmt::format("\n{}: interrupted; no output file was left half-written\n", program.data()));
  });
}

/// A handler may do next to nothing, so a thread looks at its flag. It takes the lock before it ends the
/// program, which a writer holds until its file is renamed or its temporary file removed.
void watch() {
  while (interrupt == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (!output_mutex.try_lock_for(std::chrono::seconds(2))) {
    tell(fmt::format("\n{}: will end when what is under way is done; a second Ctrl-C ends it at once\n",
                     program.data()));
    output_mutex.lock();
  }
  tell_interrupted();
  restore_terminal();
  std::_Exit(128 + interrupt);
}

Result<void> output_state() {
  if (output_error == 0) {
    return {};
  }
  return fail(ErrorCode::kIo, fmt::format("{}{}", kOutputFailed, std::strerror(output_error)));
}

}  // namespace

void begin_console(std::string_view name) {
  program = {};
  std::ranges::copy(name.substr(0, program.size() - 1), program.begin());
  prepare_streams();
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
#ifdef SIGBREAK
  std::signal(SIGBREAK, on_interrupt);  // Windows: Ctrl-Break
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit (ulimit -f) is an error to tell, like a full disk
#endif
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_DFL);  // a reader that has seen enough (| head) ends us quietly
#endif
  call_when_closed(on_interrupt);  // after the signals: the last handler is asked first
  std::thread(watch).detach();
}

bool interrupted() noexcept {
  return interrupt != 0;
}

void end_on(int signal) noexcept {
  std::signal(signal, on_interrupt);
}

void be_silent() noexcept {
  silent = true;
}

OutputLock::OutputLock() {
  output_mutex.lock();
}
OutputLock::~OutputLock() {
  output_mutex.unlock();
}

int complain(const Error& error, std::string_view file) {
  if (error.code == ErrorCode::kCancelled && interrupted()) {
    tell_interrupted();
    return 128 + interrupt;
  }
  std::string where;
  if (!file.empty() && error.message.find(file) == std::string::npos) {
    where = fmt::format("{}:", file == "-" ? "standard input" : file);
    if (error.line != Error::kNowhere) {
      where += fmt::format("{}:", error.line);
    } else if (error.byte != Error::kNowhere) {
      where += fmt::format(" byte {}:", error.byte);
    }
    where += " ";
  }
  output_told = output_told || error.message.starts_with(kOutputFailed);
  tell(fmt::format("{}: {}{}\n", program.data(), where, error.message));
  return error.code == ErrorCode::kInvalidArgument ? kUsage : kFailed;
}

int complain(std::string_view sentence) {
  tell(fmt::format("{}: {}\n", program.data(), sentence));
  return kUsage;
}

Error wrong_use(Error error) {
  error.code = ErrorCode::kInvalidArgument;
  return error;
}

Result<void> print(std::string_view text) {
  if (!silent && std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && output_error == 0) {
    output_error = errno;
    end_without_reader();
  }
  return output_state();
}

Result<void> flush_output() {
  if (std::fflush(stdout) != 0 && output_error == 0) {
    output_error = errno;
    end_without_reader();
  }
  return output_state();
}

int finish_output(int status) {
  const auto state = flush_output();
  if (state || output_told) {
    return status == kOk && !state ? kFailed : status;
  }
  const int failed = complain(state.error());
  return status == kOk ? failed : status;
}

bool error_is_terminal() noexcept {
  return !silent && is_terminal(2);
}
bool output_is_terminal() noexcept {
  return is_terminal(1);
}

ConsoleProgress::ConsoleProgress() : terminal_(error_is_terminal()) {}
ConsoleProgress::~ConsoleProgress() {
  clear();
}

void ConsoleProgress::clear() {
  if (shown_) {
    std::fputs("\r\033[K", stderr);
    shown_ = false;
  }
}

bool ConsoleProgress::on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (interrupted()) {
    return false;
  }
  const auto now = Clock::now();
  if (!terminal_ || now - started_ < std::chrono::seconds(2) ||
      now - shown_at_ < std::chrono::milliseconds(100)) {
    return true;
  }
  shown_at_ = now;
  shown_ = true;
  const std::string how_far =
      total != 0 ? fmt::format("{:3.0f} %", 100.0 * static_cast<double>(done) / static_cast<double>(total))
                 : fmt::format("{}", done);
  const std::string line = fmt::format("\r\033[K{} {}", stage, how_far);
  std::fputs(line.c_str(), stderr);
  return true;
}

}  // namespace juxta::program_detail
