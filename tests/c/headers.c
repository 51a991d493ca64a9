/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* The headers are C99, alone and twice. */
#include <juxta.h>
#include <juxta.h>

typedef int juxta_headers_are_c99;
