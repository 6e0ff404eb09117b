#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace foretell::dir::testing {

// A new folder that nobody else uses, whatever runs beside this.
inline std::string TempFolder() {
  std::string folder = ::testing::TempDir() + "dirXXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  return folder;
}

}  // namespace foretell::dir::testing
