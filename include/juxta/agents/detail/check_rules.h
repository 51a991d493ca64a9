// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: says in one sentence what is wrong with the struct of an interaction or an action.
//
// Without these checks a mistake shows up deep in the loops over pairs, hundreds of lines away from the
// struct. They look at the struct with F = float, and generate no code.
#pragma once

#include <cstddef>

namespace juxta {

template <class F>
struct Neighbour;

namespace agents_detail {

template <class Rules>
inline constexpr bool kNever = false;

/// Stand for the value of one field, whatever its type is; a float; a Sum, a Least, a Most or an ArgLeast.
struct AnyField {
  template <class T>
  operator T() const noexcept;  // NOLINT(google-explicit-constructor): it stands for a value
};
struct FloatField {
  operator float() const noexcept;  // NOLINT(google-explicit-constructor)
};
template <class T>
concept Total = requires(T t) {
  T::kNobody;
  t.total;
  t.near;
};
/// A total that has an Id as its result.
template <class T>
concept IdTotal = Total<T> && requires(T t) {
  t.who;
  t.candidate;
};
struct TotalField {
  template <Total T>
  operator T() const noexcept;  // NOLINT(google-explicit-constructor)
};

template <std::size_t count>
struct Numbers {};
template <class Struct, class Field, class... Fields>
consteval bool takes(Numbers<0> /*left*/) {
  return requires {
    Struct{Fields{}...};
  };
}
/// Whether a struct can be made of `count` such fields.
template <class Struct, class Field, class... Fields, std::size_t count>
consteval bool takes(Numbers<count> /*left*/) {
  return takes<Struct, Field, Fields..., Field>(Numbers<count - 1>());
}
template <class Struct>
inline constexpr std::size_t kNameCount = Struct::kNames.size();
/// As many fields as names: with one field more the struct could be made of one value more.
template <class Struct>
inline constexpr bool kNamesMatch = takes<Struct, AnyField>(Numbers<kNameCount<Struct>>()) &&
                                    !takes<Struct, AnyField>(Numbers<kNameCount<Struct> + 1>());
template <class Struct, class Field>
inline constexpr bool kAllFields = takes<Struct, Field>(Numbers<kNameCount<Struct>>());

/// One function for each part of a rule: a static_assert needs its sentence spelled out.
#define JUXTA_CHECK_PART(function, Part, Field, what, field)                                             \
  template <class Rules>                                                                                 \
  consteval bool function() {                                                                            \
    if constexpr (!requires { typename Rules::template Part<float>; }) {                                 \
      static_assert(kNever<Rules>, "the rules have no template " #Part "<F>: " what);                    \
      return false;                                                                                      \
    } else if constexpr (!requires { Rules::template Part<float>::kNames.size(); }) {                    \
      static_assert(kNever<Rules>, #Part                                                                 \
                    "<F> has no kNames: the names of its columns, as "                                   \
                    "static constexpr auto kNames = juxta::names(\"a\", \"b\")");                        \
      return false;                                                                                      \
    } else if constexpr (Rules::template Part<float>::kNames.size() > 16) {                              \
      static_assert(kNever<Rules>, #Part "<F> has more than 16 columns: use two passes");                \
      return false;                                                                                      \
    } else if constexpr (!kNamesMatch<typename Rules::template Part<float>>) {                           \
      static_assert(kNever<Rules>, "the names of " #Part                                                 \
                                   "<F> do not match its fields: it is a plain "                         \
                                   "struct, and kNames has one name for each field, in the same order"); \
      return false;                                                                                      \
    } else if constexpr (!kAllFields<typename Rules::template Part<float>, Field>) {                     \
      static_assert(kNever<Rules>, "a field of " #Part "<F> has another type: every field is " field);   \
      return false;                                                                                      \
    } else {                                                                                             \
      return true;                                                                                       \
    }                                                                                                    \
  }
JUXTA_CHECK_PART(check_seer, Seer, FloatField,
                 "the columns that it reads of the seer, or juxta::NoColumns<F>", "an F")
JUXTA_CHECK_PART(check_seen, Seen, FloatField,
                 "the columns that it reads of the neighbour, or juxta::NoColumns<F>", "an F")
JUXTA_CHECK_PART(check_found, Found, TotalField, "the columns of the seer that the pass fills",
                 "a juxta::Sum<F>, a juxta::Least<F>, a juxta::Most<F> or a juxta::ArgLeast<F>")
JUXTA_CHECK_PART(check_reads, Reads, FloatField, "the columns that the action reads, or juxta::NoColumns<F>",
                 "an F")
JUXTA_CHECK_PART(check_writes, Writes, FloatField, "the columns that the action writes", "an F")
#undef JUXTA_CHECK_PART

template <class Rules, class... Arguments>
concept Calls = requires(Rules& rules, Arguments&... arguments) {
  rules(arguments...);
};

template <class Rules>
consteval bool check_pair_function() {
  using Pair = const Neighbour<float>;
  using Seer = const typename Rules::template Seer<float>;
  using Seen = const typename Rules::template Seen<float>;
  using Found = typename Rules::template Found<float>;
  if constexpr (Calls<const Rules, Pair, Seer, Seen, Found>) {
    return true;
  } else if constexpr (Calls<Rules, Pair, Seer, Seen, Found>) {
    static_assert(kNever<Rules>,
                  "the function of an interaction is not const: write `const` behind the "
                  "parameters of its operator()");
    return false;
  } else {
    static_assert(kNever<Rules>,
                  "an interaction needs this function: template <class F> void operator()(const "
                  "juxta::Neighbour<F>&, const Seer<F>&, const Seen<F>&, Found<F>&) const");
    return false;
  }
}

template <class Rules>
consteval bool check_agent_function() {
  using Reads = const typename Rules::template Reads<float>;
  using Writes = typename Rules::template Writes<float>;
  if constexpr (Calls<const Rules, Reads, Writes>) {
    return true;
  } else if constexpr (Calls<Rules, Reads, Writes>) {
    static_assert(kNever<Rules>,
                  "the function of an action is not const: write `const` behind the parameters "
                  "of its operator()");
    return false;
  } else {
    static_assert(kNever<Rules>,
                  "an action needs this function: template <class F> void operator()(const "
                  "Reads<F>&, Writes<F>&) const");
    return false;
  }
}

/// Whether the struct is an interaction. If not, the first mistake is the error of the compilation, alone.
template <class Rules>
consteval bool check_interaction() {
  if constexpr (check_seer<Rules>()) {
    if constexpr (check_seen<Rules>()) {
      if constexpr (check_found<Rules>()) {
        return check_pair_function<Rules>();
      }
    }
  }
  return false;
}

/// The same for an action.
template <class Rules>
consteval bool check_action() {
  if constexpr (check_reads<Rules>()) {
    if constexpr (check_writes<Rules>()) {
      return check_agent_function<Rules>();
    }
  }
  return false;
}

}  // namespace agents_detail
}  // namespace juxta
