// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// fmt 9 compiles vformat_to(), which is nearly all of it, again in every file that formats a text: half of
// what such a file costs. Where libfmt has the function (JUXTA_FMT_HAS_VFORMAT_TO), that one is used.
#pragma once

#include <fmt/format.h>

#ifdef JUXTA_FMT_HAS_VFORMAT_TO
extern template void fmt::detail::vformat_to<char>(fmt::detail::buffer<char>&, fmt::string_view,
                                                   fmt::basic_format_args<FMT_BUFFER_CONTEXT(char)>,
                                                   fmt::detail::locale_ref);
#endif
