#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/sidecar/report/agent_log.h"
#include "foretell/agent/sidecar/report/audit_log.h"
#include "foretell/agent/sidecar/steering/kill_switch.h"
#include "foretell/snapshot/storage/line_file.h"

namespace foretell::agent {
namespace {

std::string TempPath(const std::string& name) {
  std::string folder = testing::TempDir() + "/sidecarXXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  return folder + "/" + name;
}

TEST(AuditLogTest, AppendsLinesThatSurviveReopening) {
  const std::string path = TempPath("audit.jsonl");
  for (int i = 0; i < 2; ++i) {
    auto log = AuditLog::Open({.path = path}, "c0ffee", [] { return snapshot::UnixTime(); });
    ASSERT_TRUE(log.ok()) << log.status();
    ASSERT_TRUE((*log)->Write({.action = "applied", .decision = "d1", .why = "\xff odd"}).ok());
  }
  std::ifstream file(path);
  std::string line;
  int count = 0;
  while (std::getline(file, line)) {
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json["action"], "applied");
    EXPECT_EQ(json["config_hash"], "c0ffee");
    ++count;
  }
  EXPECT_EQ(count, 2);
}

TEST(AuditLogTest, AFullDiskIsAnErrorNotACrash) {
  auto log = AuditLog::Open({.path = "/dev/full"}, "", [] { return snapshot::UnixTime(); });
  ASSERT_TRUE(log.ok());
  const absl::Status status = (*log)->Write({.action = "applied"});
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("/dev/full"));
  EXPECT_FALSE(AuditLog::Open({.path = "/nowhere/at/all"}, "", WallNow).ok());
}

TEST(AuditLogTest, WhatAFullDiskHasLeftOfALineStaysALineOfItsOwn) {
  const std::string path = TempPath("audit.jsonl");
  auto log = AuditLog::Open({.path = path}, "", [] { return snapshot::UnixTime(); });
  ASSERT_TRUE(log.ok());
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small = {10, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const absl::Status torn = (*log)->Write({.action = "applied"});
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  EXPECT_THAT(std::string(torn.message()), testing::HasSubstr("took 10 of"));
  ASSERT_TRUE((*log)->Write({.action = "removed"}).ok());
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line.size(), 10u);
  std::getline(file, line);
  EXPECT_EQ(nlohmann::json::parse(line)["action"], "removed");
}

std::string TempFolder() {
  std::string pattern = testing::TempDir() + "linesXXXXXX";
  return mkdtemp(pattern.data());
}

TEST(LineFileTest, EventsOfAJournalGoThroughIt) {
  const std::string folder = TempFolder();
  auto file =
      snapshot::LineFile::Open({.path = folder + "/events", .size_max = 200, .files_max = 2});
  ASSERT_TRUE(file.ok()) << file.status();
  std::ostringstream log;
  snapshot::LineStream events(*std::move(file));
  Journal journal(log, &events, [] { return snapshot::UnixTime(); });
  for (int i = 0; i < 20; ++i) journal.Event("foretell.round", "{\"round\":7}");
  for (const char* name : {"/events", "/events.1"}) {
    std::ifstream lines(folder + name);
    std::string line;
    int count = 0;
    for (; std::getline(lines, line); ++count) EXPECT_EQ(nlohmann::json::parse(line)["round"], 7);
    EXPECT_GT(count, 0) << name;
    EXPECT_LE(std::filesystem::file_size(folder + name), 200u);
  }
  std::filesystem::remove_all(folder);
}

TEST(JournalTest, GoesOnAfterAFullDisk) {
  std::ostringstream log;
  std::ostringstream events;
  Journal journal(log, &events, [] { return snapshot::UnixTime(); });
  log.setstate(std::ios::badbit);
  events.setstate(std::ios::badbit);
  journal.Log("there is room again");
  journal.Event("foretell.round", "{}");
  EXPECT_THAT(log.str(), testing::HasSubstr("there is room again"));
  EXPECT_THAT(events.str(), testing::HasSubstr("foretell.round"));
}

// Waits for calls of `changed`, one after the other.
class Changes {
 public:
  std::function<void(const std::string&)> sink() {
    return [this](const std::string& reason) {
      const std::lock_guard lock(mutex_);
      reasons_.push_back(reason);
      wake_.notify_all();
    };
  }
  std::string Next() {
    std::unique_lock lock(mutex_);
    const bool came =
        wake_.wait_for(lock, std::chrono::seconds(60), [this] { return seen_ < reasons_.size(); });
    return came ? reasons_[seen_++] : "nothing came";
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::string> reasons_;
  size_t seen_ = 0;
};

TEST(KillSwitchTest, ByRpc) {
  Changes changes;
  KillSwitch kill({.changed = changes.sink()});
  EXPECT_EQ(kill.reason(), "");
  kill.Throw("looks wrong");
  EXPECT_EQ(kill.reason(), "by RPC: looks wrong");
  EXPECT_EQ(changes.Next(), "by RPC: looks wrong");
  kill.Release();
  EXPECT_EQ(changes.Next(), "");
  EXPECT_EQ(kill.reason(), "");
}

TEST(KillSwitchTest, ByFile) {
  const std::string path = TempPath("kill");
  Changes changes;
  KillSwitch kill({.file = path, .changed = changes.sink()});
  std::ofstream(path).flush();
  EXPECT_EQ(changes.Next(), "by file " + path);
  unlink(path.c_str());
  EXPECT_EQ(changes.Next(), "");
}

TEST(KillSwitchTest, ByAFileThatCannotBeLookedFor) {
  const std::string path = TempPath("kill");
  ASSERT_EQ(symlink(path.c_str(), path.c_str()), 0);
  Changes changes;
  KillSwitch kill({.file = path, .changed = changes.sink()});
  EXPECT_THAT(changes.Next(), testing::HasSubstr(path + ", which cannot be looked for"));
}

TEST(KillSwitchTest, BySignalAndFromTheStart) {
  Changes changes;
  std::atomic<bool> signalled = true;
  KillSwitch kill({.signalled = [&] { return signalled.load(); }, .changed = changes.sink()});
  EXPECT_EQ(kill.reason(), "by signal");
  EXPECT_EQ(changes.Next(), "by signal");
  signalled = false;
  EXPECT_EQ(changes.Next(), "");
}

}  // namespace
}  // namespace foretell::agent
