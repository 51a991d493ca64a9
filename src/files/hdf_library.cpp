// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/hdf_library.h"

#include <string>

#include "core/os.h"

namespace juxta::files_detail {
namespace {

#if defined(JUXTA_HDF5_SONAME)

/// The name of what a macro names.
#define JUXTA_HDF5_TEXT(name) JUXTA_HDF5_TEXT_OF(name)
#define JUXTA_HDF5_TEXT_OF(name) #name

tl::unexpected<Error> not_loaded(const std::string& why) {
  return fail(ErrorCode::kIo, "HDF5 cannot be loaded: " + why + ": install " JUXTA_HDF5_SONAME);
}

Result<Hdf5> find_hdf5() {
  const auto loaded = core_detail::load_library(JUXTA_HDF5_SONAME);
  if (!loaded) {
    return not_loaded(loaded.error().message);
  }
  const auto find = [&](const char* name) { return core_detail::find_symbol(*loaded, name); };
  const auto start = reinterpret_cast<decltype(&::H5open)>(find("H5open"));
  if (start == nullptr || start() < 0) {
    return not_loaded("it does not start");
  }
  Hdf5 all;
  bool whole = true;
#define JUXTA_HDF5_FIND(name)                                                  \
  all.name = reinterpret_cast<decltype(&::name)>(find(JUXTA_HDF5_TEXT(name))); \
  whole = whole && all.name != nullptr;
  JUXTA_HDF5_FUNCTIONS(JUXTA_HDF5_FIND)
#undef JUXTA_HDF5_FIND
#define JUXTA_HDF5_FIND(name, id)                                       \
  if (const auto* const found = static_cast<const hid_t*>(find(#id))) { \
    all.name = *found;                                                  \
  }                                                                     \
  whole = whole && all.name >= 0;
  JUXTA_HDF5_IDS(JUXTA_HDF5_FIND)
#undef JUXTA_HDF5_FIND
  if (!whole) {
    return not_loaded("it lacks functions that Juxta was built with");
  }
  return all;
}

#else  // linked

Result<Hdf5> find_hdf5() {
  if (H5open() < 0) {
    return fail(ErrorCode::kIo, "HDF5 does not start");
  }
  Hdf5 all;
#define JUXTA_HDF5_FIND(name) all.name = &::name;
  JUXTA_HDF5_FUNCTIONS(JUXTA_HDF5_FIND)
#undef JUXTA_HDF5_FIND
#define JUXTA_HDF5_FIND(name, id) all.name = id;
  JUXTA_HDF5_IDS(JUXTA_HDF5_FIND)
#undef JUXTA_HDF5_FIND
  return all;
}

#endif

const Result<Hdf5>& found_hdf5() {
  static const Result<Hdf5> found = find_hdf5();
  return found;
}

}  // namespace

Result<void> load_hdf5() {
  const Result<Hdf5>& found = found_hdf5();
  return found ? Result<void>() : tl::unexpected<Error>(found.error());
}

const Hdf5& hdf5() noexcept {
  return *found_hdf5();
}

}  // namespace juxta::files_detail
