// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/c/core.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "c/call.h"
#include "juxta/core/try.h"
#include "juxta/version.h"

static_assert(JUXTA_C_VERSION == juxta::header_version());

/// Threads of oneTBB, and what they look like from C.
struct juxta_threads {
  explicit juxta_threads(juxta::TbbExecutor started) : threads(std::move(started)) {}
  juxta::TbbExecutor threads;
  juxta_executor executor{};
};

namespace juxta::c_detail {
namespace {

// JUXTA_OK is 0, and the others follow in the order of ErrorCode.
static_assert(JUXTA_INVALID_ARGUMENT == static_cast<int>(ErrorCode::kInvalidArgument) + 1);
static_assert(JUXTA_CANCELLED == static_cast<int>(ErrorCode::kCancelled) + 1);
static_assert(JUXTA_NOT_FOUND == static_cast<int>(ErrorCode::kNotFound) + 1);
static_assert(JUXTA_NOWHERE == Error::kNowhere);

// As much of a text as fits, with a 0 behind; never half of a character.
void copy_text(std::string_view text, std::span<char> out) noexcept {
  std::size_t length = std::min(text.size(), out.size() - 1);
  if (length < text.size()) {
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
      --length;
    }
  }
  std::copy_n(text.begin(), length, out.begin());
  out[length] = '\0';
}

void run_body(void* body, std::size_t first, std::size_t last) {
  (*static_cast<const Executor::Body*>(body))(first, last);
}

// What a juxta_executor of juxta_threads calls.
void run_on_threads(void* threads, std::size_t count, std::size_t grain, juxta_body body, void* body_user) {
  static_cast<juxta_threads*>(threads)->threads.parallel_for(
      count, grain, [&](std::size_t first, std::size_t last) { body(body_user, first, last); });
}

// Its own threads run loops without a way through C.
const Executor* own_threads(const juxta_executor& executor) noexcept {
  return executor.parallel_for == run_on_threads ? &static_cast<juxta_threads*>(executor.user)->threads
                                                 : nullptr;
}

}  // namespace

juxta_status report(const Error& error, juxta_error* out) noexcept {
  const auto code = static_cast<juxta_status>(static_cast<int>(error.code) + 1);
  if (out != nullptr) {
    *out = {code, error.index, error.line, error.byte, {}};
    copy_text(error.message, out->message);
  }
  return code;
}

Error wrong_cookie(const char* struct_name) {
  return {ErrorCode::kInvalidArgument,
          std::string("the ") + struct_name +
              " does not come from its juxta_default function, or of another version"};
}

void CExecutor::parallel_for(std::size_t count, std::size_t grain, Body body) const {
  executor_->parallel_for(executor_->user, count, std::max<std::size_t>(grain, 1), run_body, &body);
}

bool CMonitor::on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  std::array<char, 96> name;
  copy_text(stage, name);
  return monitor_->on_progress(monitor_->user, name.data(), done, total);
}

CallContext::CallContext(const juxta_context* given) noexcept
    : CallContext(given, given != nullptr && given->cookie == static_cast<std::uint32_t>(Cookie::kContext)
                             ? *given
                             : juxta_context{}) {}

CallContext::CallContext(const juxta_context* given, const juxta_context& fine) noexcept
    : given_(given),
      executor_(fine.executor),
      monitor_(fine.monitor),
      context_{fine.executor == nullptr ? nullptr : own_threads(*fine.executor),
               fine.workspace != nullptr ? &fine.workspace->workspace : &own_,
               fine.monitor != nullptr ? &monitor_ : nullptr},
      scope_(*context_.workspace) {
  if (fine.executor != nullptr && context_.executor == nullptr) {
    context_.executor = &executor_;
  }
}

Result<void> CallContext::check() const {
  JUXTA_TRY(check_cookie(given_, Cookie::kContext, "juxta_context"));
  if (given_ != nullptr && given_->executor != nullptr && given_->executor->parallel_for == nullptr) {
    return fail(ErrorCode::kInvalidArgument, "the executor has no function parallel_for");
  }
  if (given_ != nullptr && given_->monitor != nullptr && given_->monitor->on_progress == nullptr) {
    return fail(ErrorCode::kInvalidArgument, "the monitor has no function on_progress");
  }
  return {};
}

}  // namespace juxta::c_detail

using namespace juxta::c_detail;

int juxta_version(void) {
  return juxta::library_version();
}

juxta_workspace* juxta_workspace_build(void) {
  return new (std::nothrow) juxta_workspace;
}
void juxta_workspace_free(juxta_workspace* workspace) {
  delete workspace;
}
size_t juxta_workspace_memory_bytes(const juxta_workspace* workspace) {
  return workspace->workspace.memory_bytes();
}

juxta_context juxta_default_context(void) {
  return {static_cast<std::uint32_t>(Cookie::kContext), nullptr, nullptr, nullptr};
}

juxta_status juxta_threads_build(unsigned count, juxta_threads** out, juxta_error* error) {
  return guarded(error, [&]() -> juxta::Result<void> {
    JUXTA_TRY_LET(juxta::TbbExecutor started, juxta::TbbExecutor::build(count));
    auto* threads = new juxta_threads(std::move(started));
    threads->executor = {threads, run_on_threads};
    *out = threads;
    return {};
  });
}
void juxta_threads_free(juxta_threads* threads) {
  delete threads;
}
unsigned juxta_threads_count(const juxta_threads* threads) {
  return threads->threads.threads();
}
const juxta_executor* juxta_threads_executor(const juxta_threads* threads) {
  return &threads->executor;
}
