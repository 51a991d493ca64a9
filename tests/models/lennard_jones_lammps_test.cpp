// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The same atoms given to LAMMPS, where it is installed: it prints the same energies and pressures.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

#include "tests/models/melt.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;
using test::Melt;

void write_start(const Melt& melt, const fs::path& path) {
  std::ofstream out(path);
  out << std::setprecision(17) << "atoms as they begin\n\n" << melt.size() << " atoms\n1 atom types\n\n";
  for (const char axis : {'x', 'y', 'z'}) {
    out << -melt.half() << ' ' << melt.half() << ' ' << axis << "lo " << axis << "hi\n";
  }
  const auto write = [&](const char* title, const char* kind, const std::vector<scalar::Vector>& values) {
    out << "\n" << title << "\n\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
      out << i + 1 << kind << values[i][0] << ' ' << values[i][1] << ' ' << values[i][2] << '\n';
    }
  };
  out << "\nMasses\n\n1 1.0\n";
  write("Atoms # atomic", " 1 ", melt.places());
  write("Velocities", " ", melt.velocities());
}

/// The numbers of a log, a row every ten steps.
std::vector<std::array<double, 5>> rows_of_log(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::array<double, 5>> rows;
  bool table = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::array<double, 5> row{};
    if (table && words >> row[0] >> row[1] >> row[2] >> row[3] >> row[4]) {
      rows.push_back(row);
    } else {
      table = line.find("Step") != std::string::npos && line.find("Temp") != std::string::npos;
    }
  }
  return rows;
}

TEST(LennardJonesAndLammps, GoTheSameWay) {
  if (std::system("command -v lmp > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "lmp is not installed (Debian: lammps)";
  }
  const fs::path folder = fs::path(testing::TempDir()) / ("juxta_lammps_" + std::to_string(getpid()));
  fs::create_directories(folder);
  Melt melt(test::melt_parameters({}));
  write_start(melt, folder / "start.data");
  std::ofstream(folder / "in.melt") << "units lj\natom_style atomic\nread_data start.data\n"
                                       "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\n"
                                       "neighbor 0.3 bin\nneigh_modify delay 0 every 1 check yes\n"
                                       "fix 1 all nve\ntimestep 0.005\nthermo 10\n"
                                       "thermo_style custom step temp pe etotal press\n"
                                       "thermo_modify norm yes format float %.12g\nrun 100\n";
  const std::string command = "cd '" + folder.string() +
                              "' && OMP_NUM_THREADS=1 lmp -in in.melt -log log.melt -screen none > out 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const auto rows = rows_of_log(folder / "log.melt");
  fs::remove_all(folder);
  ASSERT_EQ(rows.size(), 11U);
  melt.run(100);
  for (const auto& [step, temperature, potential, energy, pressure] : rows) {
    // Both round, and paths part: by 5e-5 after 100 steps, which the mean over 4000 atoms hides.
    const auto at = static_cast<std::size_t>(step);
    EXPECT_NEAR(melt.reported("temperature")[at], temperature, 1e-5) << step;
    EXPECT_NEAR(melt.reported("potential")[at], potential, 1e-5) << step;
    EXPECT_NEAR(melt.reported("energy")[at], energy, 1e-5) << step;
    EXPECT_NEAR(melt.reported("pressure")[at], pressure, 1e-4) << step;
  }
}

}  // namespace
}  // namespace juxta
