// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns of a rule, named once: fields and kNames in one line. For structs that are templates over F.
//
//   template <class F>
//   struct Seen {
//     JUXTA_COLUMNS(vx, vy);                        //  F vx, vy;
//   };                                              //  static constexpr auto kNames = names("vx", "vy");
//   template <class F>
//   struct Found {
//     JUXTA_TOTALS(Sum(n), Sum(mass), Least(gap));  //  Sum<F> n;  Sum<F> mass;  Least<F> gap;  and kNames
//   };
//
// The same structs in one line each:
//
//   JUXTA_COLUMN_STRUCT(Seen, vx, vy);
//   JUXTA_TOTAL_STRUCT(Found, Sum(n), Sum(mass), Least(gap));
//
// Up to 16 names. Standard C++20 (`__VA_OPT__`); MSVC needs /Zc:preprocessor.
#pragma once

/// Fields of type F, and kNames.
#define JUXTA_COLUMNS(...) \
  F __VA_ARGS__;           \
  static constexpr auto kNames = ::juxta::names(JUXTA_EACH(JUXTA_COLUMN_NAME, JUXTA_COMMA, __VA_ARGS__))

/// Totals: Sum(name), Least(name), Most(name) and ArgLeast(name), and kNames.
#define JUXTA_TOTALS(...)                                   \
  JUXTA_EACH(JUXTA_TOTAL_FIELD, JUXTA_NOTHING, __VA_ARGS__) \
  static constexpr auto kNames = ::juxta::names(JUXTA_EACH(JUXTA_TOTAL_NAME, JUXTA_COMMA, __VA_ARGS__))

/// A template over F with such fields.
#define JUXTA_COLUMN_STRUCT(Name, ...) \
  template <class F>                   \
  struct Name {                        \
    JUXTA_COLUMNS(__VA_ARGS__);        \
  }
#define JUXTA_TOTAL_STRUCT(Name, ...) \
  template <class F>                  \
  struct Name {                       \
    JUXTA_TOTALS(__VA_ARGS__);        \
  }

// What follows is internal.

// macro(a) join() macro(b) join() macro(c)
#define JUXTA_EACH(macro, join, ...) __VA_OPT__(JUXTA_SCAN(JUXTA_EACH_OF(macro, join, __VA_ARGS__)))
#define JUXTA_EACH_OF(macro, join, a, ...) \
  macro(a) __VA_OPT__(join() JUXTA_EACH_AGAIN JUXTA_PARENTHESES(macro, join, __VA_ARGS__))
#define JUXTA_EACH_AGAIN() JUXTA_EACH_OF
#define JUXTA_PARENTHESES ()
// A macro is not expanded within itself: each scan of the text does one more argument.
#define JUXTA_SCAN(...) JUXTA_SCAN_9(JUXTA_SCAN_9(__VA_ARGS__))
#define JUXTA_SCAN_9(...) JUXTA_SCAN_3(JUXTA_SCAN_3(JUXTA_SCAN_3(__VA_ARGS__)))
#define JUXTA_SCAN_3(...) JUXTA_SCAN_1(JUXTA_SCAN_1(JUXTA_SCAN_1(__VA_ARGS__)))
#define JUXTA_SCAN_1(...) __VA_ARGS__

#define JUXTA_COLUMN_NAME(name) #name
#define JUXTA_TOTAL_FIELD(total) JUXTA_FIELD_##total
#define JUXTA_FIELD_Sum(name) ::juxta::Sum<F> name;
#define JUXTA_FIELD_Least(name) ::juxta::Least<F> name;
#define JUXTA_FIELD_Most(name) ::juxta::Most<F> name;
#define JUXTA_FIELD_ArgLeast(name) ::juxta::ArgLeast<F> name;
#define JUXTA_TOTAL_NAME(total) JUXTA_NAME_##total
#define JUXTA_NAME_Sum(name) #name
#define JUXTA_NAME_Least(name) #name
#define JUXTA_NAME_Most(name) #name
#define JUXTA_NAME_ArgLeast(name) #name
#define JUXTA_COMMA() ,
#define JUXTA_NOTHING()
