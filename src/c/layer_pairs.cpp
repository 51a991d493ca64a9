// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "c/layer.h"
#include "juxta/layer/find_pairs.h"

namespace juxta::c_detail {
namespace {

static_assert(sizeof(juxta_pair) == sizeof(Pair));

const juxta_pair* c_pairs(std::span<const Pair> pairs) noexcept {
  return reinterpret_cast<const juxta_pair*>(pairs.data());
}

// Calls ask(one, other or nullptr, options, context), which gives a Result<QueryResult>.
template <class F>
juxta_status ask_pairs(const juxta_layer* layer, const juxta_layer* other, const juxta_pair_options* given,
                       const juxta_context* context, juxta_query_result* result, juxta_error* error,
                       F&& ask) {
  return guarded(error, [&] {
    return with_layer(*layer, [&](const auto& one) -> Result<void> {
      using L = std::remove_cvref_t<decltype(one)>;
      const CallContext call(context);
      JUXTA_TRY(call.check());
      JUXTA_TRY(check_cookie(given, Cookie::kPairOptions, "juxta_pair_options"));
      const L* two = other != nullptr ? std::get_if<L>(&other->of) : nullptr;
      if (other != nullptr && two == nullptr) {
        return fail(ErrorCode::kInvalidArgument, "the two layers have different dimensions");
      }
      if (two == &one) {
        return fail(ErrorCode::kInvalidArgument,
                    "both layers are the same; for pairs within one, give NULL as the other");
      }
      JUXTA_TRY_LET(const QueryResult found, ask(one, two, pair_options(given, one, two), *call));
      store(found, result);
      return {};
    });
  });
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;

juxta_pair_options juxta_default_pair_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kPairOptions), false, nullptr, nullptr};
}

juxta_status juxta_layer_find_pairs(const juxta_layer* layer, const juxta_layer* other, juxta_pair* out,
                                    size_t most, const juxta_pair_options* options,
                                    const juxta_context* context, juxta_query_result* result,
                                    juxta_error* error) {
  return ask_pairs(layer, other, options, context, result, error,
                   [&](const auto& one, const auto* two, const auto& how,
                       const juxta::Context& where) -> juxta::Result<juxta::QueryResult> {
                     JUXTA_TRY_LET(const auto pairs, answers<juxta::Pair>(out, most));
                     return two == nullptr ? find_pairs(one, pairs, how, where)
                                           : find_pairs(one, *two, pairs, how, where);
                   });
}

juxta_status juxta_layer_visit_pairs(const juxta_layer* layer, const juxta_layer* other,
                                     juxta_pair_visitor visitor, void* user,
                                     const juxta_pair_options* options, const juxta_context* context,
                                     juxta_query_result* result, juxta_error* error) {
  const auto hand = [&](std::span<const juxta::Pair> pairs) {
    return visitor(user, c_pairs(pairs), pairs.size());
  };
  return ask_pairs(layer, other, options, context, result, error,
                   [&](const auto& one, const auto* two, const auto& how, const juxta::Context& where) {
                     return two == nullptr ? visit_pairs(one, hand, how, where)
                                           : visit_pairs(one, *two, hand, how, where);
                   });
}

juxta_status juxta_layer_visit_pairs_exclusive(const juxta_layer* layer, const juxta_layer* other,
                                               juxta_exclusive_visitor visitor, void* user,
                                               const juxta_pair_options* options,
                                               const juxta_context* context, juxta_query_result* result,
                                               juxta_error* error) {
  const auto hand = [&](std::span<const juxta::Pair> pairs) { visitor(user, c_pairs(pairs), pairs.size()); };
  return ask_pairs(layer, other, options, context, result, error,
                   [&](const auto& one, const auto* two, const auto& how, const juxta::Context& where) {
                     return two == nullptr ? visit_pairs_exclusive(one, hand, how, where)
                                           : visit_pairs_exclusive(one, *two, hand, how, where);
                   });
}

juxta_status juxta_layer_visit_pairs_by_first(const juxta_layer* layer, const juxta_layer* other,
                                              juxta_exclusive_visitor visitor, void* user,
                                              const juxta_pair_options* options, const juxta_context* context,
                                              juxta_query_result* result, juxta_error* error) {
  const auto hand = [&](std::span<const juxta::Pair> pairs) { visitor(user, c_pairs(pairs), pairs.size()); };
  return ask_pairs(layer, other, options, context, result, error,
                   [&](const auto& one, const auto* two, const auto& how,
                       const juxta::Context& where) -> juxta::Result<juxta::QueryResult> {
                     if (two == nullptr) {
                       return juxta::fail(juxta::ErrorCode::kInvalidArgument,
                                          "pairs by the first body need two layers");
                     }
                     return visit_pairs_by_first(one, *two, hand, how, where);
                   });
}
