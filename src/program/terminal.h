// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// What a program asks of the terminal and the system that started it (terminal_posix.cpp,
// terminal_windows.cpp).

namespace juxta::program_detail {

/// Makes the standard streams ready: bytes as they are, UTF-8, none that is closed. Before anything is
/// printed.
void prepare_streams();

/// As the terminal was before prepare_streams(). At a normal end it is done anyway; before std::_Exit() it is
/// not. Any thread.
void restore_terminal() noexcept;

/// On Windows: calls `handler` with SIGBREAK, on a thread of its own, when the window of the console is
/// closed, and holds up the end until the program has ended itself, for the five seconds that the system
/// allows. POSIX has signals for that.
void call_when_closed(void (*handler)(int)) noexcept;

/// Whether a person sees it: 1 is the standard output, 2 the standard error.
[[nodiscard]] bool is_terminal(int stream) noexcept;

/// Right after the standard output could not be written: ends the program, quietly, if its reader has seen
/// enough (| head), and does nothing if there is another reason. POSIX has a signal for that, which does the
/// same earlier.
void end_without_reader() noexcept;

/// The arguments of main() in UTF-8, to the end of the program; `argc` too is another one, if the system says
/// so.
[[nodiscard]] char** utf8_arguments(int& argc, char** argv);

}  // namespace juxta::program_detail
