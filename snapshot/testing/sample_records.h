#pragma once

// Records, folders and damage for the tests of what is on disk.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "foretell/snapshot/protocol/recorded.h"

namespace foretell::snapshot {

// A folder that goes away with the test.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = testing::TempDir() + "/foretell-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    path_ = pattern;
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string Contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void WriteContents(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline Origin SampleOrigin() { return {"toy", "fresh", "", "7", "0.1.0"}; }

// Differs with `number` in everything. `bytes` of each state do not compress.
inline RecordedSnapshot SampleRecord(uint64_t number, size_t bytes = 16) {
  std::mt19937_64 random(number);
  RecordedSnapshot record{.taken = UnixTime(std::chrono::seconds(1'700'000'000 + number)),
                          .origin = SampleOrigin()};
  record.snapshot.number = number;
  for (int node = 0; node < 3; ++node) {
    std::string body;
    for (size_t i = 0; i < bytes; ++i) body.push_back(static_cast<char>(random()));
    record.snapshot.cut.nodes.push_back({.body = body});
  }
  for (uint64_t i = 0; i < number % 4; ++i) {
    record.snapshot.cut.in_flight.push_back({model::NodeId(0), model::NodeId(1), "message"});
  }
  if (number % 3 == 0) {
    record.snapshot.cut.nodes[2] = {.status = model::NodeStatus::kAbsent};
    record.snapshot.absent = {{model::NodeId(2), "no answer"}};
    record.snapshot.exact = false;
    record.snapshot.notes = {"node 2: no answer"};
  }
  return record;
}

inline void ExpectSame(const RecordedSnapshot& a, const RecordedSnapshot& b) {
  EXPECT_EQ(a.snapshot.number, b.snapshot.number);
  EXPECT_EQ(a.snapshot.cut, b.snapshot.cut);
  EXPECT_EQ(a.snapshot.absent, b.snapshot.absent);
  EXPECT_EQ(a.snapshot.exact, b.snapshot.exact);
  EXPECT_EQ(a.snapshot.notes, b.snapshot.notes);
  EXPECT_EQ(a.taken, b.taken);
  EXPECT_EQ(a.origin, b.origin);
}

}  // namespace foretell::snapshot
