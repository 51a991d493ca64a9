// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A target must have a file to precompile headers for other targets.
