// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "common.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

// The host throws a JavaScript error, which unwinds every frame of the module without running any destructor.
// It takes no further calls into this instance.
extern "C" {
__attribute__((import_module("juxta"), import_name("out_of_memory"), noreturn)) void host_out_of_memory();
__attribute__((import_module("juxta"), import_name("abort"), noreturn)) void host_abort(const char* text,
                                                                                        std::size_t size);
}

namespace juxta::core_detail {
// What wasi_throw.cpp calls for `throw std::bad_alloc()`.
void out_of_memory() noexcept {
  host_out_of_memory();
}
}  // namespace juxta::core_detail

namespace {

void* take(std::size_t bytes, std::size_t alignment) {
  const std::size_t size = bytes == 0 ? 1 : bytes;
  void* const block = alignment <= alignof(std::max_align_t)
                          ? std::malloc(size)
                          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (block == nullptr) {
    host_out_of_memory();
  }
  return block;
}

}  // namespace

// Debian's operator new prints and ends the program when there is no memory.
void* operator new(std::size_t bytes) {
  return take(bytes, 1);
}
void* operator new[](std::size_t bytes) {
  return take(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return take(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete[](void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  std::free(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept {
  std::free(block);
}

// What the C++ library calls where it would throw, or gives up. The text is enough: its own functions bring
// printf.
void std::__libcpp_verbose_abort(const char* format, ...) {
  host_abort(format, std::strlen(format));
}
extern "C" {
[[noreturn]] void abort_message(const char* format, ...) {
  host_abort(format, std::strlen(format));
}
[[noreturn]] void __cxa_pure_virtual() {
  std::abort();
}

// Of libc, loops of some hundred instructions; here one each.
void* memcpy(void* to, const void* from, std::size_t size) {
  return __builtin_memcpy(to, from, size);
}
void* memmove(void* to, const void* from, std::size_t size) {
  return __builtin_memmove(to, from, size);
}
void* memset(void* to, int value, std::size_t size) {
  return __builtin_memset(to, value, size);
}

// Pages have no environment.
char* getenv(const char*) {
  return nullptr;
}

// The vtables of std::type_info's classes. The C++ library's own objects have type information that leads to
// them, and with them to dynamic_cast. Nobody here asks for a type.
extern const void* const type_of_class[3] __asm__("_ZTVN10__cxxabiv117__class_type_infoE");
extern const void* const type_of_derived[3] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern const void* const type_of_several[3] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");
const void* const type_of_class[3] = {};
const void* const type_of_derived[3] = {};
const void* const type_of_several[3] = {};
}

namespace juxta::wasm {
namespace {

// Never destroyed: a module ends with its page.
Error& last_error() noexcept {
  alignas(Error) static std::byte place[sizeof(Error)];
  static Error* const error = ::new (place) Error;
  return *error;
}

}  // namespace

void keep_error(Error&& error) noexcept {
  last_error() = std::move(error);
}

std::byte* scratch_bytes() noexcept {
  alignas(64) static std::byte bytes[kScratchBytes];
  return bytes;
}

}  // namespace juxta::wasm

JUXTA_JS(void*, juxta_alloc)(std::size_t bytes) {
  if (bytes > SIZE_MAX - 128) {
    return nullptr;
  }
  return std::aligned_alloc(64, (bytes + 64) / 64 * 64);  // never empty
}
JUXTA_JS(void, juxta_release)(void* block) {
  std::free(block);
}
JUXTA_JS(std::byte*, juxta_scratch)() {
  return juxta::wasm::scratch_bytes();
}
JUXTA_JS(unsigned, juxta_error_code)() {
  return static_cast<unsigned>(juxta::wasm::last_error().code);
}
JUXTA_JS(const char*, juxta_error_text)() {
  return juxta::wasm::last_error().message.data();
}
JUXTA_JS(std::size_t, juxta_error_size)() {
  return juxta::wasm::last_error().message.size();
}
// Of the input, or of the file; -1: none.
JUXTA_JS(double, juxta_error_index)() {
  const std::uint64_t index = juxta::wasm::last_error().index;
  return index == juxta::Error::kNowhere ? -1 : static_cast<double>(index);
}
JUXTA_JS(double, juxta_error_byte)() {
  const std::uint64_t byte = juxta::wasm::last_error().byte;
  return byte == juxta::Error::kNowhere ? -1 : static_cast<double>(byte);
}
