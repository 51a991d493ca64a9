// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Each way to write a sweep file wrongly is named, with its line.
#include "study/sweep_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "study/pond.h"
#include "study/scratch.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using study_detail::parse_sweep;
using test::ponds;

constexpr const char* kGood = R"(# A sweep with everything in it.
model = "pond"
preset = "crowd"
steps = 20
every = 5
seeds = [3, 5, 0]

[set]
splits_at = 3
fails_at = 0

[vary]
tables = [1, 0]
fish = { from = 10, to = 30, count = 3 }
)";

TEST(StudySweepFile, HoldsASweep) {
  const auto sweep = parse_sweep(kGood, ponds());
  ASSERT_TRUE(sweep) << sweep.error().line << ": " << sweep.error().message;
  EXPECT_EQ(sweep->model, &ponds()[1]);
  EXPECT_EQ(sweep->steps, 20u);
  EXPECT_EQ(sweep->every, 5u);
  EXPECT_EQ(sweep->seeds, (std::vector<std::uint64_t>{3, 5, 0}));
  EXPECT_EQ(sweep->parameters["splits_at"], 3);
  EXPECT_EQ(sweep->parameters["fish"], 40);  // of the preset
  ASSERT_EQ(sweep->vary.size(), 2u);         // in the order of the file, not of the alphabet
  EXPECT_EQ(sweep->vary[0].first, "tables");
  EXPECT_EQ(sweep->vary[0].second, (std::vector<double>{1, 0}));
  EXPECT_EQ(sweep->vary[1].first, "fish");
  EXPECT_EQ(sweep->vary[1].second, (std::vector<double>{10, 20, 30}));
  EXPECT_EQ(sweep->replicas(), 18u);
}

TEST(StudySweepFile, NeedsLittle) {
  const auto sweep = parse_sweep("model = 'pond'\nseeds = 4", ponds());
  ASSERT_TRUE(sweep) << sweep.error().message;
  EXPECT_EQ(sweep->steps, 9u);  // of the model
  EXPECT_EQ(sweep->every, 0u);
  EXPECT_EQ(sweep->seeds, (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(sweep->parameters["fish"], 12);
  EXPECT_EQ(sweep->replicas(), 4u);
  const auto crowd = parse_sweep("model = 'pond'\npreset = 'crowd'\nseeds = 1", ponds());
  ASSERT_TRUE(crowd) << crowd.error().message;
  EXPECT_EQ(crowd->steps, 5u);  // of the preset
}

TEST(StudySweepFile, MayBeginWithAMarkAndHoldCommentsInAnyLanguage) {
  const auto sweep = parse_sweep("\xEF\xBB\xBFmodel = 'pond' # \xc3\xa9t\xc3\xa9\nseeds = 4", ponds());
  ASSERT_TRUE(sweep) << sweep.error().message;
  EXPECT_EQ(sweep->seeds.size(), 4u);
}

TEST(StudySweepFile, SpacesValuesEvenlyBothEndsIncluded) {
  const auto values = [](const std::string& spacing) {
    const auto sweep = parse_sweep("model = 'pond'\nseeds = 1\n[vary]\nsplits_at = " + spacing, ponds());
    EXPECT_TRUE(sweep) << sweep.error().message;
    return sweep ? sweep->vary[0].second : std::vector<double>();
  };
  EXPECT_EQ(values("{ from = 0.5, to = 0.9, count = 5 }"), (std::vector<double>{0.5, 0.6, 0.7, 0.8, 0.9}));
  EXPECT_EQ(values("{ from = 1, to = 2.5, count = 2 }"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(values("{ from = 2, to = 2, count = 1 }"), (std::vector<double>{2}));
  const auto many = values("{ from = 0.5, to = 10, count = 1000 }");
  ASSERT_EQ(many.size(), 1000u);
  EXPECT_EQ(many.front(), 0.5);
  EXPECT_EQ(many.back(), 10);
  EXPECT_TRUE(std::is_sorted(many.begin(), many.end()));
}

void refuses(const std::string& text, std::uint64_t line, const std::string& words) {
  const auto sweep = parse_sweep(text, ponds());
  ASSERT_FALSE(sweep) << text;
  EXPECT_EQ(test::code_of(sweep), ErrorCode::kParse);
  EXPECT_EQ(sweep.error().line, line) << text << sweep.error().message;
  EXPECT_NE(sweep.error().message.find(words), std::string::npos) << text << sweep.error().message;
}

/// kGood with one line in place of another.
void refuses_line(std::uint64_t line, const std::string& with, const std::string& words) {
  std::string text = kGood;
  std::size_t at = 0;
  for (std::uint64_t i = 1; i < line; ++i) {
    at = text.find('\n', at) + 1;
  }
  text.replace(at, text.find('\n', at) - at, with);
  refuses(text, line, words);
}

TEST(StudySweepFile, NamesTheLineOfTheTop) {
  refuses_line(2, "model = \"bog\"", "no model 'bog': give one of lake, pond");
  refuses_line(2, "model = 3", "name the model");
  refuses("seeds = 3", 1, "name the model");
  refuses_line(3, "preset = \"desert\"", "no preset 'desert': give one of crowd");
  refuses_line(3, "preset = 1", "name the preset");
  refuses_line(4, "steps = -1", "steps: give a whole number from 0 to 4294967294");
  refuses_line(4, "steps = 4294967295", "steps");
  refuses_line(4, "steps = 2.5", "steps");
  refuses_line(4, "step = 2",
               "'step' is not known here: give model, preset, steps, every, until, seeds, sample, set, vary");
  refuses_line(4, "seed.a = 2", "'seed' is not known");
  refuses_line(5, "every = 0", "every: give a whole number from 1");
  refuses_line(6, "seeds = 0", "from 1 to 1000000");
  refuses_line(6, "seeds = 1000001", "from 1 to 1000000");
  refuses_line(6, "seeds = []", "seeds");
  refuses_line(6, "seeds = 'a'", "seeds");
  refuses_line(6, "seeds = [1, 2.5]", "a seed is a whole number from 0 to 9007199254740992");
  refuses_line(6, "seeds = [9007199254740993]", "a seed is a whole number");
  refuses_line(6, "seeds = [-1]", "a seed is a whole number");
  refuses_line(6, "seeds = [4, 1, 4]", "the seed 4 is there twice");
  refuses("model = 'pond'", 1, "say how often");
}

TEST(StudySweepFile, NamesTheLineOfAParameter) {
  refuses_line(9, "whales = 3", "no parameter 'whales'");
  refuses_line(9, "splits_at = 11", "splits_at = 11 is not allowed: give a number from 0.5 to 10");
  refuses_line(9, "splits_at = nan", "a number from 0.5 to 10");
  refuses_line(9, "splits_at = -inf", "a number from 0.5 to 10");
  refuses_line(9, "splits_at = [1, 2]", "lists belong in [vary]");
  refuses_line(9, "splits_at = true", "give one number");
  refuses_line(10, "fails_at = 1.5", "a whole number from 0 to 1000");
  refuses_line(13, "tables = []", "give a list of numbers");
  refuses_line(13, "tables = 1", "a single number belongs in [set]");
  refuses_line(13, "tables = [1, 'a']", "give a list of numbers");
  refuses_line(13, "tables = [1, 2]", "a whole number from 0 to 1");
  refuses_line(13, "splits_at = [1, 2]", "splits_at stands in [set] too");
  refuses_line(13, "whales = [1, 2]", "no parameter 'whales'");
  refuses_line(14, "fish = { from = 1, to = 2, count = 3 }", "a whole number from 0 to 1000");
  refuses_line(14, "fish = { from = 1, to = 2 }", "from = number, to = number, count = number");
  refuses_line(14, "fish = { from = 2, to = 1, count = 2 }", "from = number");
  refuses_line(14, "fish = { from = 1, to = 'a', count = 2 }", "from = number");
  refuses_line(14, "fish = { from = 1, to = 2, count = 1 }", "a whole count from 2 to 1000000");
  refuses_line(14, "fish = { from = 1, to = 2, count = 2.5 }", "a whole count");
  refuses_line(14, "fish = { from = 1, to = 2, count = 1e18 }", "a whole count");
  refuses_line(14, "fish = { from = nan, to = 2, count = 2 }", "from = number");
  refuses_line(14, "fish = { from = 1, to = 2, count = 2, log = 1 }",
               "'log' is not known here: give from, to, count");
  refuses("model = 'pond'\nseeds = 2\nset = 3", 3, "[set] is a table");
  refuses("model = 'pond'\nseeds = 2\nvary = [3]", 3, "[vary] is a table");
  refuses("model = 'pond'\nseeds = 2\n[[set]]\nfish = 3", 3, "[set] is a table");
  refuses(
      "model = 'pond'\nseeds = 1000\n[vary]\nfish = [1, 2]\nsplits_at = { from = 1, to = 2, count = 1000 }",
      5, "2000000 replicas with this line, more than 1000000");
}

TEST(StudySweepFile, HoldsAStopCondition) {
  const auto sweep = parse_sweep("model = 'pond'\nseeds = 1\nuntil = 'fish==0'", ponds());
  ASSERT_TRUE(sweep) << sweep.error().message;
  EXPECT_EQ(sweep->until->text(), "fish == 0");
  EXPECT_FALSE(parse_sweep(kGood, ponds())->until);
  refuses_line(4, "until = 0", "give a condition in quotes: until = \"infected == 0\"");
  refuses_line(4, "until = 'fish'", "until: 'fish' is no stop condition: give REPORT OP NUMBER");
}

TEST(StudySweepFile, HoldsASample) {
  const std::string head = "model = 'pond'\nseeds = 1\nsample = ", vary = "\n[vary]\nfish = ";
  const std::string latin = "{ kind = 'latin', count = 4 }", range = "{ from = 1, to = 9 }";
  const auto sweep = parse_sweep(head + latin + vary + range, ponds());
  ASSERT_TRUE(sweep) << sweep.error().message;
  EXPECT_EQ(sweep->replicas(), 4u);
  EXPECT_FALSE(parse_sweep(kGood, ponds())->together);
  const std::string form = "give { kind = \"latin\" or \"sobol\", count = 1 to 1000000";
  for (const char* wrong :
       {"4", "{ count = 4 }", "{ kind = 'random', count = 4 }", "{ kind = 'latin' }",
        "{ kind = 'latin', count = 0 }", "{ kind = 'latin', count = 1000001 }",
        "{ kind = 'latin', count = 4.5 }", "{ kind = 'latin', count = 4, seed = -1 }",
        "{ kind = 'latin', count = 4, seed = 9007199254740993 }", "{ kind = 1, count = 4 }"}) {
    refuses(head + wrong + vary + range, 3, form);
  }
  refuses(head + "{ kind = 'latin', count = 4, scramble = 1 }" + vary + range, 3,
          "'scramble' is not known here: give kind, count, seed");
  refuses(head + latin, 3, "one parameter that varies");
  for (const char* wrong : {"[1, 2]", "3", "{ from = 1, to = 9, count = 3 }", "{ from = 1 }",
                            "{ from = 'a', to = 3 }", "{ from = 1, two = 3 }"}) {
    refuses(head + latin + vary + wrong, 5,
            "fish: with sample, give { from = number, to = number } and no more");
  }
  refuses(head + latin + vary + "{ from = 9, to = 1 }", 5, "from = 9 is above to = 1");
  refuses(head + latin + vary + "{ from = 1, to = 1.5 }", 5, "a whole number from 0 to 1000");
  refuses(head + latin + "\n[vary]\nwhales = " + range, 5, "no parameter 'whales'");
  refuses(head + latin + "\n[set]\nfish = 3" + vary + range, 7, "fish stands in [set] too");
  refuses("model = 'pond'\nseeds = 2000\nsample = { kind = 'latin', count = 1000 }" + vary + range, 3,
          "2000000 replicas with this line");
}

TEST(StudySweepFile, NamesTheLineOfASlipInTheLanguage) {
  refuses_line(4, "steps = ", "this is no TOML");
  refuses_line(4, "steps 20", "this is no TOML");
  refuses_line(5, "steps = 20", "this is no TOML");  // twice
  refuses("model = 'pond'\nseeds = [3, 5", 2, "this is no TOML");
  refuses_line(8, "[set", "this is no TOML");
  refuses_line(12, "[set]", "this is no TOML");
  refuses_line(9, std::string("splits_at = \0", 13), "this is no TOML");
  refuses_line(9, "splits_at = \xff", "this is no TOML");
  refuses_line(9, "\xc3\xa9 = 1", "this is no TOML");
}

// Deep nesting would end the program in the parser: both limits stand between.
TEST(StudySweepFile, RefusesWhatIsBuiltToBreakTheReader) {
  std::string key = "a";
  for (int i = 0; i < 200'000; ++i) {
    key += ".1";
  }
  refuses("model = 'pond'\n" + key + " = 1\n", 2, "more than 64 dots");
  refuses("model = 'pond'\n[" + key + "]\n", 2, "more than 64 dots");
  std::string quoted = "a";
  for (int i = 0; i < 100'000; ++i) {
    quoted += " . '='";
  }
  refuses("model = 'pond'\n" + quoted + " = 1\n", 2, "more than 64 dots");
  refuses("model = 'pond'\nseeds = " + std::string(100'000, '['), 2, "this is no TOML");
  refuses("model = 'pond'\n#" + std::string(2'000'000, 'x'), 1, "at most");
  // Many numbers in a line are no such thing.
  std::string numbers = "model = 'pond'\nseeds = 1\n[vary]\nsplits_at = [1.5";
  for (int i = 0; i < 1000; ++i) {
    numbers += ",1.25";
  }
  EXPECT_TRUE(parse_sweep(numbers + "]", ponds()));
}

TEST(StudySweepFile, IsReadFromAPath) {
  const test::ScratchFolder folder;
  test::write_text(folder / "sweep.toml", kGood);
  const auto sweep = read_sweep((folder / "sweep.toml").string(), ponds());
  ASSERT_TRUE(sweep) << sweep.error().message;
  EXPECT_EQ(sweep->replicas(), 18u);
  const auto none = read_sweep((folder / "none.toml").string(), ponds());
  ASSERT_FALSE(none);
  EXPECT_EQ(test::code_of(none), ErrorCode::kIo);
  test::write_text(folder / "sweep.toml", "model = 'pond'\nseeds = no");
  EXPECT_EQ(read_sweep((folder / "sweep.toml").string(), ponds()).error().line, 2u);
}

}  // namespace
}  // namespace juxta
