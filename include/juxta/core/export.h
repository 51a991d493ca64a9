// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

/// JUXTA_API marks what a shared build exports; everything else is hidden.
#if defined(JUXTA_SHARED) && defined(_WIN32)
#if defined(JUXTA_BUILDING)
#define JUXTA_API __declspec(dllexport)
#else
#define JUXTA_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define JUXTA_API __attribute__((visibility("default")))
#else
#define JUXTA_API
#endif
