// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what every call of the C interface needs. No exception leaves; errors become juxta_error;
// contexts and arrays become those of C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

#include "juxta/c/core.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/id.h"
#include "juxta/core/monitor.h"
#include "juxta/core/query_result.h"
#include "juxta/core/workspace.h"

/// The C handle of a Workspace.
struct juxta_workspace {
  juxta::Workspace workspace;
};

namespace juxta::c_detail {

/// What the first member of a struct must hold: numbers that memory rarely has by chance, one for each
/// struct, so that one struct in place of another is noticed too.
enum class Cookie : std::uint32_t {
  kContext = 0x6a780001,
  kLayerOptions,
  kPairOptions,
  kQueryOptions,
  kBatchOptions,
  kRankedOptions,
  kFlockOptions,
  kWorld,
  kSortOptions,
  kSeeOptions,
  kBoidRules,
  kNeighbourListOptions,
  kRankedLabelsOptions,
  kRankedNearestOptions,
  kLivePointsOptions,
  kFieldOptions,
  kDiffusion,
  kFieldAccess,
  kHierarchyOptions,
  kGridSpaceOptions,
};

/// Writes what went wrong; returns its code.
juxta_status report(const Error& error, juxta_error* out) noexcept;

/// Runs a call that returns a Result<void>, and turns whatever stops it into a status.
template <class F>
juxta_status guarded(juxta_error* error, F&& call) noexcept {
  try {
    const Result<void> done = call();
    return done ? JUXTA_OK : report(done.error(), error);
  } catch (const std::bad_alloc&) {
    if (error != nullptr) {
      *error = {JUXTA_OUT_OF_MEMORY, JUXTA_NOWHERE, JUXTA_NOWHERE, JUXTA_NOWHERE, "out of memory"};
    }
    return JUXTA_OUT_OF_MEMORY;
  }
}

/// The error of a struct that did not come from its juxta_default_...().
[[nodiscard]] Error wrong_cookie(const char* struct_name);

template <class T>
[[nodiscard]] Result<void> check_cookie(const T* options, Cookie cookie, const char* name) {
  if (options != nullptr && options->cookie != static_cast<std::uint32_t>(cookie)) {
    return tl::unexpected(wrong_cookie(name));
  }
  return {};
}

/// A job system given as C functions.
class CExecutor final : public Executor {
 public:
  explicit CExecutor(const juxta_executor* executor) noexcept : executor_(executor) {}
  void parallel_for(std::size_t count, std::size_t grain, Body body) const override;

 private:
  const juxta_executor* executor_;
};

/// A monitor given as a C function.
class CMonitor final : public Monitor {
 public:
  explicit CMonitor(const juxta_monitor* monitor) noexcept : monitor_(monitor) {}
  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override;

 private:
  const juxta_monitor* monitor_;
};

/// A juxta_context as a Context, for the length of a call; with scratch memory in any case, which arrays with
/// strides are packed into.
class CallContext {
 public:
  explicit CallContext(const juxta_context* context) noexcept;
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  /// Errors: kInvalidArgument (wrong cookie, an executor or a monitor without a function).
  [[nodiscard]] Result<void> check() const;
  [[nodiscard]] const Context& operator*() const noexcept { return context_; }
  [[nodiscard]] Workspace& workspace() const noexcept { return *context_.workspace; }

 private:
  // `fine` is what is given, or nothing where that has a wrong cookie: its pointers may be anything.
  CallContext(const juxta_context* given, const juxta_context& fine) noexcept;

  const juxta_context* given_;
  CExecutor executor_;
  CMonitor monitor_;
  Workspace own_;
  Context context_;
  Workspace::Scope scope_;
};

/// A value of T as C gives it: floats without a type.
template <class T>
[[nodiscard]] T read_one(const void* from) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(value));
  return value;
}

/// `count` values of T that stand `stride` bytes apart: as they are where they are packed and aligned, else a
/// packed copy in the workspace. Copies value by value, so nothing behind the last one is read. Errors:
/// kInvalidArgument (NULL with a count, a stride that is too short).
template <class T>
[[nodiscard]] Result<std::span<const T>> packed(const void* data, std::size_t stride, std::size_t count,
                                                Workspace& workspace) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (count == 0) {
    return std::span<const T>();
  }
  if (data == nullptr) {
    return fail(ErrorCode::kInvalidArgument, "an array of more than no elements is NULL");
  }
  if (stride == 0 || stride == sizeof(T)) {
    if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0) {
      return std::span<const T>(static_cast<const T*>(data), count);
    }
  } else if (stride < sizeof(T)) {
    return fail(ErrorCode::kInvalidArgument,
                "the stride is shorter than an element; give bytes, or 0 for packed elements");
  }
  const std::size_t step = stride == 0 ? sizeof(T) : stride;
  const std::span<T> copy = workspace.take<T>(count);
  const char* from = static_cast<const char*>(data);
  for (std::size_t i = 0; i < count; ++i) {
    copy[i] = read_one<T>(from + i * step);
  }
  return std::span<const T>(copy);
}

/// An array for answers. Errors: kInvalidArgument (NULL with a size).
template <class T, class C>
[[nodiscard]] Result<std::span<T>> answers(C* out, std::size_t size) {
  static_assert(sizeof(T) == sizeof(C) && alignof(T) == alignof(C));
  if (out == nullptr && size != 0) {
    return fail(ErrorCode::kInvalidArgument,
                "an array for answers is NULL; give it, or say that it holds none");
  }
  return std::span<T>(reinterpret_cast<T*>(out), size);
}

/// The same where nothing can fail: NULL holds no answers.
template <class T, class C>
[[nodiscard]] std::span<T> answers_or_none(C* out, std::size_t size) noexcept {
  static_assert(sizeof(T) == sizeof(C) && alignof(T) == alignof(C));
  return {reinterpret_cast<T*>(out), out == nullptr ? 0 : size};
}

[[nodiscard]] inline juxta_query_result c_result(const QueryResult& result) noexcept {
  return {result.found, result.written, result.tested, result.visited};
}
/// The result of `call`, a QueryResult, written where the caller of the C function wants it. Copied by
/// c_result() it takes 10 ns more: the four numbers are written one by one and would be read two at a time,
/// which the processor cannot do before all of them are in the cache.
template <class F>
[[nodiscard]] juxta_query_result result_in_place(F&& call) {
  static_assert(sizeof(juxta_query_result) == sizeof(QueryResult) &&
                alignof(juxta_query_result) == alignof(QueryResult) &&
                offsetof(juxta_query_result, found) == offsetof(QueryResult, found) &&
                offsetof(juxta_query_result, written) == offsetof(QueryResult, written) &&
                offsetof(juxta_query_result, tested) == offsetof(QueryResult, tested) &&
                offsetof(juxta_query_result, visited) == offsetof(QueryResult, visited));
  juxta_query_result result;
  ::new (static_cast<void*>(&result)) QueryResult(call());
  return result;
}
inline void store(const QueryResult& result, juxta_query_result* out) noexcept {
  if (out != nullptr) {
    *out = c_result(result);
  }
}
[[nodiscard]] inline Id cpp_id(juxta_id id) noexcept {
  return {id.slot, id.generation};
}
[[nodiscard]] inline juxta_id c_id(Id id) noexcept {
  return {id.slot, id.generation};
}

}  // namespace juxta::c_detail
