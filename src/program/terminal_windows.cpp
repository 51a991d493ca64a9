// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/terminal.h"

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// After windows.h, which it needs.
#include <shellapi.h>

#include <fcntl.h>
#include <io.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace juxta::program_detail {
namespace {

// As the console was: other programs use it after this one.
UINT code_page = 0;
DWORD error_mode = 0;

void (*when_closed)(int) = nullptr;

// For these the C runtime would call its handler of SIGBREAK and return, and the system ends a program whose
// handler returns. So this one, which is asked first, stays until the program has ended itself, or the system
// loses patience: 5 seconds after a window is closed. Of the end of a session or of the machine a program is
// not told if it has loaded user32, as this one has by shell32.
BOOL WINAPI on_control(DWORD event) {
  if (event != CTRL_CLOSE_EVENT && event != CTRL_LOGOFF_EVENT && event != CTRL_SHUTDOWN_EVENT) {
    return FALSE;  // Ctrl-C and Ctrl-Break: the C runtime's turn
  }
  when_closed(SIGBREAK);
  ::Sleep(60'000);
  return TRUE;
}

std::string narrow(const wchar_t* wide) {
  const int size = ::WideCharToMultiByte(CP_UTF8, 0, wide, -1, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(size > 0 ? size : 1), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, wide, -1, text.data(), size, nullptr, nullptr);
  text.pop_back();
  return text;
}

}  // namespace

/// Files and pipes get the bytes that were printed, no "\r\n" for "\n". A console shows UTF-8, and takes
/// "\033[K".
void prepare_streams() {
  for (std::FILE* const stream : {stdin, stdout, stderr}) {
    static_cast<void>(::_setmode(::_fileno(stream), _O_BINARY));
  }
  if (is_terminal(1) || is_terminal(2)) {
    code_page = ::GetConsoleOutputCP();
    ::SetConsoleOutputCP(CP_UTF8);
    const HANDLE error = ::GetStdHandle(STD_ERROR_HANDLE);
    if (::GetConsoleMode(error, &error_mode) != 0) {
      ::SetConsoleMode(error, error_mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    std::atexit([] { restore_terminal(); });
  }
}

void restore_terminal() noexcept {
  if (code_page != 0) {
    ::SetConsoleOutputCP(code_page);
  }
  if (error_mode != 0) {
    ::SetConsoleMode(::GetStdHandle(STD_ERROR_HANDLE), error_mode);
  }
}

void call_when_closed(void (*handler)(int)) noexcept {
  when_closed = handler;
  ::SetConsoleCtrlHandler(on_control, TRUE);
}

bool is_terminal(int stream) noexcept {
  DWORD mode = 0;
  return ::GetConsoleMode(::GetStdHandle(stream == 1 ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE), &mode) != 0;
}

void end_without_reader() noexcept {
  // errno is EINVAL for two of these, as for much else; the C library keeps what Windows said.
  const unsigned long code = _doserrno;
  const bool gone = code == ERROR_BROKEN_PIPE || code == ERROR_NO_DATA || code == ERROR_PIPE_NOT_CONNECTED;
  if (gone && ::GetFileType(::GetStdHandle(STD_OUTPUT_HANDLE)) == FILE_TYPE_PIPE) {
    restore_terminal();
    std::_Exit(128 + 13);  // as shells say of a program that SIGPIPE ended
  }
}

/// What main() gets is in the code page of the machine, which lacks most letters.
char** utf8_arguments(int& argc, char** argv) {
  static std::vector<std::string> texts;
  static std::vector<char*> pointers;
  int count = 0;
  wchar_t** const wide = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (wide == nullptr) {
    return argv;
  }
  texts.clear();
  pointers.clear();
  for (int i = 0; i < count; ++i) {
    texts.push_back(narrow(wide[i]));
  }
  ::LocalFree(wide);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  argc = count;
  return pointers.data();
}

}  // namespace juxta::program_detail
