// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/sobol.h"

#ifdef JUXTA_WITH_SOBOL
#include <boost/random/sobol.hpp>
#endif

namespace juxta::study_detail {

#ifdef JUXTA_WITH_SOBOL

Result<std::vector<std::uint64_t>> sobol_points(std::size_t dimensions, std::size_t count) {
  std::vector<std::uint64_t> numbers(dimensions * count);  // zeros: Boost begins with the second point
  boost::random::sobol_engine<std::uint64_t, 64> engine(dimensions);
  for (std::size_t i = dimensions; i < numbers.size(); ++i) {
    numbers[i] = engine();
  }
  return numbers;
}

#else

Result<std::vector<std::uint64_t>> sobol_points(std::size_t, std::size_t) {
  return fail(
      ErrorCode::kInvalidArgument,
      "Sobol's sequence needs Boost's headers (Debian: libboost-dev), which were missing when Juxta was "
      "built: build it with them, or take a Latin hypercube");
}

#endif

}  // namespace juxta::study_detail
