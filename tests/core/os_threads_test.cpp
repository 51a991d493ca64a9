// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many threads a process may use, and what happens when the system starts no more.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/os.h"
#include "juxta/core/executor.h"
#include "support/code_of.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;

class Cgroups : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "juxta_cgroup_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }
  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  [[nodiscard]] double cpus() const { return core_detail::cgroup_cpus(root_); }

  fs::path root_;
};

TEST_F(Cgroups, WithoutOnesThereIsNoLimit) {
  EXPECT_TRUE(std::isinf(cpus()));
  put("proc/self/cgroup", "nonsense\n0::/\n3:\n");
  EXPECT_TRUE(std::isinf(cpus()));
  put("proc/self/mountinfo", "35 24 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\nshort line\n");
  EXPECT_TRUE(std::isinf(cpus()));
  put("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(cpus()));
}

TEST_F(Cgroups, TheTightestOfVersion2Holds) {
  put("proc/self/cgroup", "0::/jobs/mine\n");
  put("proc/self/mountinfo",
      "35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 master:1 - cgroup2 cgroup2 rw\n");
  put("sys/fs/cgroup/jobs/mine/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(cpus()));
  put("sys/fs/cgroup/jobs/cpu.max", "350000 100000\n");
  EXPECT_EQ(cpus(), 3.5);
  put("sys/fs/cgroup/jobs/mine/cpu.max", "50000 100000\n");
  EXPECT_EQ(cpus(), 0.5);
  put("sys/fs/cgroup/jobs/mine/cpu.max", "800000 100000\n");
  EXPECT_EQ(cpus(), 3.5) << "of the group around it";
}

/// As in a container: the hierarchy is mounted from the container's own group on.
TEST_F(Cgroups, Version1KnowsItsMount) {
  put("proc/self/cgroup", "9:memory:/docker/9f0\n4:cpu,cpuacct:/docker/9f0/in\n2:cpuset:/docker/9f0\n0::/\n");
  put("proc/self/mountinfo",
      "30 24 0:30 /docker/9f0 /sys/fs/cgroup/cpu,cpuacct ro,nosuid - cgroup cgroup rw,cpu,cpuacct\n"
      "31 24 0:31 / /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory\n");
  put("sys/fs/cgroup/memory/cpu.cfs_quota_us", "100\n");
  put("sys/fs/cgroup/memory/cpu.cfs_period_us", "100\n");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_TRUE(std::isinf(cpus()));
  put("sys/fs/cgroup/cpu,cpuacct/in/cpu.cfs_quota_us", "150000\n");
  put("sys/fs/cgroup/cpu,cpuacct/in/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus(), 1.5);
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(cpus(), 1);
}

TEST(UsableThreads, FollowTheAffinityMask) {
  const unsigned before = usable_threads();
  EXPECT_GE(before, 1U);
  unsigned inside = 0;
  std::thread([&inside] {  // the mask is the thread's own
    cpu_set_t mask;
    ASSERT_EQ(::sched_getaffinity(0, sizeof(mask), &mask), 0);
    int cpu = 0;
    while (CPU_ISSET(cpu, &mask) == 0) {
      ++cpu;
    }
    CPU_ZERO(&mask);
    CPU_SET(cpu, &mask);
    ASSERT_EQ(::sched_setaffinity(0, sizeof(mask), &mask), 0);
    inside = usable_threads();
  })
      .join();
  EXPECT_EQ(inside, 1U);
  EXPECT_EQ(usable_threads(), before);
}

TEST(StartableThreads, CountsThoseThatTheSystemStarts) {
  EXPECT_EQ(core_detail::startable_threads(0, 1 << 20), 0U);
  EXPECT_EQ(core_detail::startable_threads(5, 1 << 20), 5U);
}

/// Sets the address space's limit to what there is and `more` bytes.
class SmallSpace {
 public:
  explicit SmallSpace(rlim_t more) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    EXPECT_EQ(::getrlimit(RLIMIT_AS, &before_), 0);
    rlimit limited = before_;
    limited.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more;
    EXPECT_EQ(::setrlimit(RLIMIT_AS, &limited), 0);
  }
  SmallSpace(const SmallSpace&) = delete;
  SmallSpace& operator=(const SmallSpace&) = delete;
  ~SmallSpace() { ::setrlimit(RLIMIT_AS, &before_); }

 private:
  rlimit before_{};
};

TEST(StartableThreads, AnExecutorOfTooManyIsAnError) {
  const auto warm = TbbExecutor::build(1);
  if (!warm) {
    GTEST_SKIP() << warm.error().message;
  }
  for (const rlim_t megabytes : {40, 100, 300}) {
    const SmallSpace space(megabytes << 20);
    const auto executor = TbbExecutor::build(1000);
    ASSERT_FALSE(executor) << megabytes;
    EXPECT_EQ(test::code_of(executor), ErrorCode::kIo);
    EXPECT_NE(executor.error().message.find("does not start 1000 threads: ask for at most "),
              std::string::npos);
    const auto few = TbbExecutor::build(2);
    ASSERT_TRUE(few) << few.error().message;
    few->parallel_for(100, 1, [](std::size_t, std::size_t) {});
  }
}

}  // namespace
}  // namespace juxta
