// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Prints the best instruction set of the machine that it runs on, as juxta::Isa names it.
#include <cstdio>

int main() {
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                    __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
  const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                    __builtin_cpu_supports("avx512bw") != 0;
  std::fputs(avx3 ? "kAvx3" : avx2 ? "kAvx2" : "kSse4", stdout);
}
