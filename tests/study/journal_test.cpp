// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The journal of a sweep, torn wherever a power cut, a signal or a full disk may tear it.
#include "study/sweep_journal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "juxta/core/monitor.h"
#include "juxta/study/sweep.h"
#include "study/pond.h"
#include "study/scratch.h"
#include "support/code_of.h"

#if !defined(_WIN32)
#include <sys/wait.h>
#endif

namespace juxta {
namespace {

using study_detail::ReplicaRows;
using test::ponds;
using test::read_text;
using test::write_text;

Sweep tiny_sweep() {
  Sweep sweep;
  sweep.model = &ponds()[1];
  sweep.parameters = test::pond_with({{"fish", 4}});
  sweep.steps = 4;
  sweep.every = 2;
  sweep.seeds = {1, 2};
  sweep.vary = {{"splits_at", {2, 3}}};
  return sweep;
}

/// Ends a sweep before its first replica, and keeps how many the journal held.
class StopAtOnce final : public Monitor {
 public:
  bool on_progress(std::string_view, std::uint64_t done, std::uint64_t) override {
    found = done;
    return false;
  }
  std::size_t found = 0;
};

class StudyJournal : public ::testing::Test {
 protected:
  StudyJournal() {
    const auto done = run_sweep(tiny_sweep(), {.journal = path_.string()});
    EXPECT_TRUE(done) << done.error().message;
    table_ = done->table.csv();
    whole_ = read_text(path_);
  }
  /// The result is what it was, and so is the journal afterwards; how many replicas it still held.
  std::size_t goes_on() const {
    const auto done = run_sweep(tiny_sweep(), {.journal = path_.string()});
    EXPECT_TRUE(done) << done.error().message;
    if (!done) {
      return 0;
    }
    EXPECT_EQ(done->table.csv(), table_);
    EXPECT_EQ(read_text(path_), whole_);
    return done->resumed;
  }

  test::ScratchFolder folder_;
  std::filesystem::path path_ = folder_ / "journal";
  std::string table_, whole_;
};

TEST_F(StudyJournal, TornAnywhereGoesOnFromTheLastWholeReplica) {
  std::vector<std::size_t> held(5, 0);
  for (std::size_t size = 0; size <= whole_.size(); ++size) {
    SCOPED_TRACE(size);
    write_text(path_, std::string_view(whole_).substr(0, size));
    const std::size_t resumed = goes_on();
    ASSERT_LE(resumed, 4u);
    ++held[resumed];
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_EQ(held[4], 1u);
  for (const std::size_t count : {0u, 1u, 2u, 3u}) {
    EXPECT_GT(held[count], 50u) << count;
  }
}

TEST_F(StudyJournal, DamageAnywhereCostsTimeAlone) {
  const std::size_t first_line = whole_.find('\n') + 1;
  for (std::size_t at = first_line; at < whole_.size(); ++at) {
    SCOPED_TRACE(at);
    const char other = "0\n\t"[at % 4];  // the fourth is a zero byte
    std::string damaged = whole_;
    damaged[at] = damaged[at] == other ? 'x' : other;
    write_text(path_, damaged);
    ASSERT_LT(goes_on(), 4u);
    ASSERT_FALSE(HasFailure());
  }
  write_text(path_, whole_ + "replica\t0\t");
  EXPECT_EQ(goes_on(), 4u);
  write_text(path_, whole_ + std::string(100'000, '\0'));  // as some file systems leave it after a power cut
  EXPECT_EQ(goes_on(), 4u);
}

TEST_F(StudyJournal, OfAnotherSweepIsRefusedAndLeftAlone) {
  std::vector<Sweep> others(9, tiny_sweep());
  others[0].model = &ponds()[0];
  ASSERT_TRUE(others[1].parameters.set("fish", 5));
  others[2].steps = 5;
  others[3].every = 0;
  others[4].seeds = {2, 1};
  others[5].seeds = {1};
  others[6].vary.front().second = {3, 2};
  others[7].vary.front().first = "fails_at";
  others[8].vary.push_back({"tables", {0}});
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto refused = run_sweep(others[i], {.journal = path_.string()});
    ASSERT_FALSE(refused) << i;
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
    EXPECT_NE(refused.error().message.find("another sweep"), std::string::npos) << refused.error().message;
    EXPECT_EQ(read_text(path_), whole_);
  }
  for (const std::string text : {"My thesis\n", "juxta", "\n", "juxta sweep journal 2\t0123456789abcdef\n"}) {
    write_text(path_, text);
    const auto refused = run_sweep(tiny_sweep(), {.journal = path_.string()});
    EXPECT_EQ(refused.has_value(), text == "juxta") << text;  // the beginning of its own first line
    EXPECT_EQ(read_text(path_) == text, text != "juxta");
  }
}

TEST_F(StudyJournal, OfAModelThatReportsOtherThingsNowIsRefused) {
  std::string older = whole_;
  const std::size_t from = older.find("replica\t2"), to = older.find("end", from);
  std::string group = older.substr(from, to - from);
  group.replace(group.find("energy"), 6, "weight");
  older = older.substr(0, from) + group;
  char sum[17];
  std::snprintf(sum, sizeof sum, "%016llx", static_cast<unsigned long long>(study_detail::text_sum(group)));
  write_text(path_, older + "end\t" + sum + "\n");
  const auto refused = run_sweep(tiny_sweep(), {.journal = path_.string()});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("replica 2 reports other columns"), std::string::npos)
      << refused.error().message;
}

TEST_F(StudyJournal, HasOneSweepAtATime) {
  const auto held = core_detail::AppendFile::open(path_);
  ASSERT_TRUE(held);
  const auto refused = run_sweep(tiny_sweep(), {.journal = path_.string()});
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kIo);
  EXPECT_NE(refused.error().message.find("another program"), std::string::npos);
}

#if !defined(_WIN32)  // Windows has no fork()
// A program of its own, ended by a signal that it cannot catch.
TEST_F(StudyJournal, KilledAnywhereGoesOn) {
  Sweep sweep = tiny_sweep();
  sweep.steps = 20;
  sweep.seeds.resize(200);
  std::iota(sweep.seeds.begin(), sweep.seeds.end(), 1);
  const std::string whole = run_sweep(sweep)->table.csv();
  std::filesystem::remove(path_);
  std::size_t held = 0, kills = 0;
  for (const std::size_t bytes : {1u, 20'000u, 50'000u, 90'000u}) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      (void)run_sweep(sweep, {.journal = path_.string()});
      ::_exit(0);
    }
    std::error_code none;
    int status = 0;
    pid_t ended = 0;
    while (ended == 0 &&
           (!std::filesystem::exists(path_) || std::filesystem::file_size(path_, none) < bytes)) {
      ended = ::waitpid(child, &status, WNOHANG);
    }
    if (ended == 0) {
      ::kill(child, SIGKILL);
      ASSERT_EQ(::waitpid(child, &status, 0), child);
    }
    kills += WIFSIGNALED(status) ? 1 : 0;
    // What it had noted is found again, and more with every attempt.
    StopAtOnce monitor;
    (void)run_sweep(sweep, {.journal = path_.string()}, {.monitor = &monitor});
    EXPECT_GE(monitor.found, held);
    held = monitor.found;
  }
  EXPECT_GT(kills, 0u);
  const auto done = run_sweep(sweep, {.journal = path_.string()});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(done->resumed, held);
  EXPECT_EQ(done->table.csv(), whole);
}
#endif

TEST(StudyJournalGroups, KeepEveryNumberToTheBit) {
  const test::ScratchFolder folder;
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers = {0.0, -0.0, 0.1,  1.0 / 3,      5e-324, -1.7976931348623157e308,
                                       inf, -inf, 1e15, 123456789.125};
  const std::vector<Cell> cells(numbers.begin(), numbers.end());
  const study_detail::RowCount rows{numbers.size() / 2, numbers.size() / 2};
  {
    auto journal = study_detail::SweepJournal::open(folder / "j", 7, 9, rows, [](ReplicaRows&&) {});
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->add({8, {{"a"}, {"b c"}}, cells}));
    ASSERT_TRUE(journal->add({3, {{"a"}, {"b c"}}, cells}));
  }
  std::vector<ReplicaRows> found;
  const auto take = [&](ReplicaRows&& group) { found.push_back(std::move(group)); };
  ASSERT_TRUE(study_detail::SweepJournal::open(folder / "j", 7, 9, rows, take));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].replica, 8u);
  EXPECT_EQ(found[1].columns[1], (TableColumn{"b c", CellKind::kNumber}));
  ASSERT_EQ(found[1].values.size(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::get<double>(found[1].values[i])),
              std::bit_cast<std::uint64_t>(numbers[i]));
  }
}

TEST(StudyJournalGroups, KeepCellsOfAllKinds) {
  const ReplicaRows rows{4,
                         {{"w", CellKind::kWhole}, {"i:d", CellKind::kId}, {"text", CellKind::kText}, {"n"}},
                         {std::numeric_limits<std::int64_t>::min(), Id{7, 0xFFFF'FFFF}, "a\tb\n\\t,\"", 0.5,
                          std::numeric_limits<std::int64_t>::max(), Id{}, "", -0.0}};
  const std::string text = study_detail::group_text(rows);
  std::size_t found = 0;
  EXPECT_EQ(study_detail::read_groups(text, 5, {2, 2},
                                      [&](ReplicaRows&& read) {
                                        EXPECT_EQ(read.columns, rows.columns);
                                        EXPECT_EQ(read.values, rows.values);
                                        ++found;
                                      }),
            text.size());
  EXPECT_EQ(found, 1u);
}

TEST_F(StudyJournal, OfAnOlderVersionIsRefused) {
  std::string older = whole_;
  older[std::string_view("juxta sweep journal ").size()] = '1';
  write_text(path_, older);
  const auto done = run_sweep(tiny_sweep(), {.journal = path_.string()});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("the journal of an older version of Juxta"), std::string::npos);
  EXPECT_EQ(read_text(path_), older);
}

TEST(StudyJournalGroups, MayHaveAsManyRowsAsTheSweepAllows) {
  const std::string text = study_detail::group_text({0, {{"a"}}, {1.0, 2.0, 3.0}});
  for (const auto& [least, most, taken] : {std::tuple{3, 3, 1}, {1, 3, 1}, {1, 2, 0}, {4, 9, 0}}) {
    std::size_t found = 0;
    const auto read = study_detail::read_groups(
        text, 1, {static_cast<std::size_t>(least), static_cast<std::size_t>(most)}, [&](ReplicaRows&& rows) {
          EXPECT_EQ(rows.values, (std::vector<Cell>{1.0, 2.0, 3.0}));
          ++found;
        });
    EXPECT_EQ(found, static_cast<std::size_t>(taken));
    EXPECT_EQ(read, taken == 1 ? text.size() : 0);
  }
}

}  // namespace
}  // namespace juxta
