// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Points that are kept: opened again, killed at any moment, on a full disk.
#include "ranked/kept_points.h"
#include "support/code_of.h"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <thread>

#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/wait.h>
#endif

namespace juxta {
namespace {

using namespace test;

TEST_F(LiveFiles, OpensWhatWasKept) {
  for (const std::size_t size : {0U, 500U}) {
    SCOPED_TRACE(size);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    LiveRankedPoints memory = make_points(size);
    History twin(1);
    {
      LiveRankedPoints live = make_points(size);
      History history(1);
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(history.step(live) && twin.step(memory));
      }
      ASSERT_TRUE(live.keep(path()));
      EXPECT_EQ(files(), (std::vector<std::string>{"points.jxr", "points.jxr.1.log"}));
      EXPECT_EQ(test::code_of(live.keep(path())), ErrorCode::kInvalidArgument);
      EXPECT_EQ(test::code_of(LiveRankedPoints::open(path())), ErrorCode::kIo);  // it is held
      for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(history.step(live) && twin.step(memory));
        if (i == 250) {
          ASSERT_TRUE(live.merge());
          EXPECT_EQ(files(), (std::vector<std::string>{"points.jxr", "points.jxr.2.log"}));
        }
      }
      EXPECT_TRUE(live.sync());
    }
    for (int round = 0; round < 3; ++round) {
      LiveRankedPoints live = LiveRankedPoints::open(path(), kByHand).value();
      ASSERT_TRUE(same(look(live), look(memory)));
      for (int i = 0; i < 50; ++i) {  // and goes on as if it had never been closed: the same Ids
        const auto a = live.insert({static_cast<double>(i), 1, i}),
                   b = memory.insert({static_cast<double>(i), 1, i});
        ASSERT_TRUE(a && b && *a == *b);
        ASSERT_TRUE(i % 2 == 0 || (live.remove(*a) && memory.remove(*b)));
      }
      ASSERT_TRUE(same(look(live), look(memory)));
      if (round == 1) {
        ASSERT_TRUE(live.merge());
      }
    }
  }
}

// Numbers are in the file of points and in the log, which has version 2 then. Without numbers, files are
// those of before there were any.
TEST_F(LiveFiles, KeepsNumbers) {
  const std::vector<double> at = {1, 2, 3};
  const std::vector<std::int64_t> rank = {3, 2, 1}, time = {10, 20, std::int64_t{1} << 60};
  const std::vector<float> price = {0.5F, std::numeric_limits<float>::quiet_NaN(), 2.5F};
  const ValueColumn values[] = {price, time};
  const auto cheap_of = [](const LiveRankedPoints& live) {
    Ids ids(10);
    RankedFilter cheap;
    cheap.ranges[0] = {.most = 1};
    ids.resize(live.snapshot().top(kEverywhere, 10, ids, cheap).written);
    return ids;
  };
  Id added;
  {
    auto live = LiveRankedPoints::build({at, at, rank, {}, values}, kByHand).value();
    ASSERT_TRUE(live.keep(path()));
    RankedPoint point = {.x = 4, .y = 4, .rank = 0};
    point.values[0] = 0.25;
    point.values[1] = 30;
    added = live.insert(point).value();
    ASSERT_TRUE(live.set_value(Id{1, 1}, 0, 0.75));
    ASSERT_TRUE(live.remove(Id{2, 1}));
  }
  EXPECT_EQ(bytes("points.jxr.1.log")[8], 2);
  EXPECT_EQ(bytes("points.jxr.1.log").size(), 64U + 3 * (40 + 64));
  std::vector<double> prices;
  ASSERT_TRUE(read_live_log(path(), [&](const LiveLogRow& row) {
    prices.push_back(row.point.values[0].real());
    return true;
  }));
  ASSERT_EQ(prices.size(), 3U);
  EXPECT_EQ(prices[0], 0.25);
  EXPECT_EQ(prices[1], 0.75);
  EXPECT_TRUE(std::isnan(prices[2]));
  for (int round = 0; round < 3; ++round) {
    auto live = LiveRankedPoints::open(path(), kByHand).value();
    EXPECT_EQ(cheap_of(live), (Ids{added, {1, 1}, {0, 1}}));
    EXPECT_EQ(live.find(added)->values[1].integer(), 30);
    EXPECT_EQ(live.find(Id{1, 1})->values[0].real(), 0.75);
    EXPECT_EQ(live.find(Id{1, 1})->values[1].integer(), 20);
    if (round == 1) {
      ASSERT_TRUE(live.merge());
      EXPECT_EQ(cheap_of(live), (Ids{added, {1, 1}, {0, 1}}));
    }
  }
}

TEST_F(LiveFiles, WithoutNumbersFilesAreTheOldOnes) {
  auto live = make_points(5);
  ASSERT_TRUE(live.keep(path()));
  ASSERT_TRUE(live.remove(Id{2, 1}));
  EXPECT_EQ(bytes("points.jxr.1.log")[8], 1);
  EXPECT_EQ(bytes("points.jxr.1.log").size(), 64U + 40 + 48);
}

#if !defined(_WIN32)  // Windows has no fork()
/// Runs a history in a process of its own, which is killed after some time; returns how many changes it
/// acknowledged.
std::size_t run_until_killed(const std::string& path, unsigned seed, bool merges, unsigned microseconds) {
  int ends[2];
  if (::pipe(ends) != 0) {
    std::abort();
  }
  const pid_t child = ::fork();
  if (child == 0) {
    LiveRankedPoints live = LiveRankedPoints::open(path, kByHand).value();
    History history(seed);
    std::thread merging;
    if (merges) {
      merging = std::thread([&] {
        while (true) {
          (void)live.merge();
        }
      });
    }
    while (history.step(live)) {
      const char done = 1;
      if (::write(ends[1], &done, 1) != 1) {
        break;
      }
    }
    std::_Exit(1);
  }
  ::close(ends[1]);
  std::size_t acknowledged = 0;
  char buffer[4096];
  // The time counts from the first change on: it takes a while to open.
  for (ssize_t got; acknowledged == 0 && (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    acknowledged += static_cast<std::size_t>(got);
  }
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    acknowledged += static_cast<std::size_t>(got);
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return acknowledged;
}
#endif

#if !defined(_WIN32)  // Windows has no fork()
// Nothing that was acknowledged is lost, and of the change that was being made all or nothing is there.
TEST_F(LiveFiles, KilledAtAnyMoment) {
  const char* const many = std::getenv("JUXTA_KILLS");
  const unsigned kills = many != nullptr ? static_cast<unsigned>(std::atoi(many)) : 30;
  std::mt19937 random(1);
  for (unsigned kill = 0; kill < kills; ++kill) {
    SCOPED_TRACE(kill);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    ASSERT_TRUE(make_points(200).keep(path()));
    const std::size_t done =
        run_until_killed(path(), kill, kill % 2 == 1, static_cast<unsigned>(random() % 20'000));
    const LiveRankedPoints live = LiveRankedPoints::open(path(), kByHand).value();
    const Seen got = look(live);
    LiveRankedPoints twin = make_points(200);
    History history(kill);
    for (std::size_t i = 0; i < done; ++i) {
      ASSERT_TRUE(history.step(twin));
    }
    if (!same(got, look(twin))) {
      ASSERT_TRUE(history.step(twin));
      ASSERT_TRUE(same(got, look(twin))) << done << " changes were acknowledged";
    }
  }
}
#endif

TEST_F(LiveFiles, FilesThatDoNotBelongTogether) {
  ASSERT_TRUE(make_points(10).keep(path()));
  const std::string other = (folder_ / "other.jxr").string();
  {
    LiveRankedPoints live = make_points(30);
    ASSERT_TRUE(live.keep(other));
    ASSERT_TRUE(live.remove(Id{25, 1}));
  }
  fs::remove(folder_ / "points.jxr.1.log");  // GCC's library for Windows does not overwrite
  fs::copy_file(folder_ / "other.jxr.1.log", folder_ / "points.jxr.1.log");
  EXPECT_EQ(test::code_of(LiveRankedPoints::open(path())), ErrorCode::kCorruptFile);
  EXPECT_EQ(test::code_of(LiveRankedPoints::open((folder_ / "none.jxr").string())), ErrorCode::kIo);
  const auto plain =
      RankedPoints::build(std::vector<float>{1}, std::vector<float>{1}, std::vector<int>{1}).value();
  ASSERT_TRUE(plain.save((folder_ / "plain.jxr").string()));
  EXPECT_EQ(test::code_of(LiveRankedPoints::open((folder_ / "plain.jxr").string())), ErrorCode::kCorruptFile);
  EXPECT_EQ(test::code_of(make_points(3).keep(path())), ErrorCode::kInvalidArgument);  // it is there
  EXPECT_EQ(test::code_of(make_points(3).keep((folder_ / "no" / "folder.jxr").string())), ErrorCode::kIo);
}

TEST_F(LiveFiles, KilledWhileTheyWereMade) {
  write("points.jxr.0.log", "the beginning of a log");
  write("points.jxr.1.log", "");
  write("points.jxr.99-1.tmp", "the beginning of the points");
  EXPECT_EQ(test::code_of(LiveRankedPoints::open(path())), ErrorCode::kIo);
  {
    LiveRankedPoints live = make_points(10);
    ASSERT_TRUE(live.keep(path()));
    ASSERT_TRUE(live.insert({1, 2, 3}));
  }
  EXPECT_EQ(LiveRankedPoints::open(path())->size(), 11U);
  EXPECT_EQ(files(), (std::vector<std::string>{"points.jxr", "points.jxr.1.log"}));
}

/// As AtomicFile on Windows leaves the folder when it is killed between two renames, but on every system.
TEST_F(LiveFiles, KilledWhileTheFileWasSetAside) {
  {
    LiveRankedPoints live = make_points(10);
    ASSERT_TRUE(live.keep(path()));
    fs::copy_file(folder_ / "points.jxr", folder_ / "points.jxr.7-3.old");  // of an earlier merge: a reader's
    ASSERT_TRUE(live.insert({1, 2, 3}));
    ASSERT_TRUE(live.merge());
    ASSERT_TRUE(live.insert({4, 5, 6}));
  }
  write("points.jxr.2024-05-01.old", "a copy that the user made");
  write("points.jxr.x.old", "another one");
  const std::vector<std::string> whole = {"points.jxr", "points.jxr.2.log", "points.jxr.2024-05-01.old",
                                          "points.jxr.x.old"};
  for (const bool several : {true, false}) {
    fs::rename(folder_ / "points.jxr", folder_ / "points.jxr.7-12.old");
    write("points.jxr.7-13.tmp", "the next one");
    if (several) {
      write("points.jxr.7-1.old", "damaged");
    }
    EXPECT_EQ(test::code_of(make_points(3).keep(path())), ErrorCode::kInvalidArgument);  // does not lose them
    EXPECT_TRUE(fs::exists(path()));
    fs::rename(folder_ / "points.jxr", folder_ / "points.jxr.7-12.old");
    EXPECT_EQ(LiveRankedPoints::open(path(), kByHand).value().size(), 12U);
    EXPECT_EQ(files(), whole) << several;
  }
  fs::copy_file(folder_ / "points.jxr",
                folder_ / "points.jxr.7-14.old");  // PATH is there: it is no more than that
  EXPECT_EQ(LiveRankedPoints::open(path(), kByHand).value().size(), 12U);
  EXPECT_EQ(files(), whole);
}

/// What was set aside is not put back where somebody holds the points: that program is between two renames.
TEST_F(LiveFiles, SetAsideByAProgramThatRuns) {
  LiveRankedPoints live = make_points(10);
  ASSERT_TRUE(live.keep(path()));
  fs::rename(folder_ / "points.jxr", folder_ / "points.jxr.7-12.old");
  EXPECT_EQ(test::code_of(LiveRankedPoints::open(path())), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(make_points(3).keep(path())), ErrorCode::kIo);
  EXPECT_FALSE(fs::exists(path()));
}

// Where a file cannot be written, the points are not kept, and may be kept elsewhere.
TEST_F(LiveFiles, KeepThatFails) {
  LiveRankedPoints live = make_points(10, {.merge_in_background = true, .sync = LiveSync::kDisk});
  fs::create_directories(folder_ / "points.jxr.0.log");
  EXPECT_EQ(test::code_of(live.keep(path())), ErrorCode::kIo);
  ASSERT_TRUE(live.insert({1, 2, 3}));
  const std::string other = (folder_ / "other.jxr").string();
  ASSERT_TRUE(live.keep(other));
  ASSERT_TRUE(live.insert({1, 2, 3}));
  live = make_points(0);
  EXPECT_EQ(LiveRankedPoints::open(other)->size(), 12U);
}

// A relative path means the folder that the program was in.
TEST_F(LiveFiles, ProgramsThatGoElsewhere) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  LiveRankedPoints live = make_points(10);
  ASSERT_TRUE(live.keep("points.jxr"));
  fs::current_path(before);
  ASSERT_TRUE(live.insert({1, 2, 3}));
  ASSERT_TRUE(live.merge());
  EXPECT_EQ(files(), (std::vector<std::string>{"points.jxr", "points.jxr.2.log"}));
  live = make_points(0);
  EXPECT_EQ(LiveRankedPoints::open(path())->size(), 11U);
}

// The largest coordinates, and logs whose checksums are right but whose numbers are not.
TEST_F(LiveFiles, Extremes) {
  {
    LiveRankedPoints live = make_points(1);
    ASSERT_TRUE(live.keep(path()));
    ASSERT_TRUE(live.insert({1.7e308, 1.7e308, 3}));
  }
  EXPECT_EQ(LiveRankedPoints::open(path())->size(), 2U);
}

#if !defined(_WIN32)  // Windows has no limit for the size of a file
// Beyond the limit of its size no log grows: the change is refused, and the points are as they were.
TEST_F(LiveFiles, FullDisk) {
  LiveRankedPoints live = make_points(100);
  ASSERT_TRUE(live.keep(path()));
  (void)std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = fs::file_size(folder_ / "points.jxr.1.log") + 200;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::size_t made = 0;
  auto id = live.insert({1, 1, 1});
  for (; id; id = live.insert({1, 1, 1})) {
    ++made;
  }
  EXPECT_EQ(test::code_of(id), ErrorCode::kIo);
  EXPECT_EQ(test::code_of(live.merge()), ErrorCode::kIo);  // its file is too large; the points are fine
  EXPECT_EQ(live.size(), 100 + made);
  EXPECT_EQ(live.snapshot().count(kEverywhere).found, 100 + made);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_TRUE(live.insert({1, 1, 1}));
  const Seen seen = look(live);
  live = make_points(0);  // lets go of the files
  EXPECT_TRUE(same(look(LiveRankedPoints::open(path(), kByHand).value()), seen));
}
#endif

TEST_F(LiveFiles, OnTheDiskBeforeItReturns) {
  LiveRankedPoints live = make_points(100, {.merge_in_background = true, .sync = LiveSync::kDisk});
  ASSERT_TRUE(live.keep(path()));
  std::vector<std::thread> writers;
  for (int w = 0; w < 3; ++w) {
    writers.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(live.insert({1, 1, 1}));
      }
    });
  }
  for (std::thread& writer : writers) {
    writer.join();
  }
  ASSERT_TRUE(live.sync());
  const Seen seen = look(live);
  live = make_points(0);
  EXPECT_TRUE(same(look(LiveRankedPoints::open(path()).value()), seen));
}

}  // namespace
}  // namespace juxta
