// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <juxta/version.h>

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(Version, HeadersAndLibraryAgree) {
  EXPECT_EQ(juxta::library_version(), juxta::header_version());
}

TEST(Version, TheTextHasTheNumbers) {
  EXPECT_EQ(JUXTA_VERSION_STRING, std::to_string(juxta::header_version() / 10000) + "." +
                                      std::to_string(juxta::header_version() / 100 % 100) + "." +
                                      std::to_string(juxta::header_version() % 100));
}

}  // namespace
