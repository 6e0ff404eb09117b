#include "foretell/agent/debug/saved_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/check/check_record.h"
#include "foretell/agent/debug/testing/toy_session.h"

namespace foretell::agent {
namespace {

TEST(SavedPathTest, AViolationIsOne) {
  Debugged toy(ToySubject());
  const auto text = SavedPath(toy.session().subject(), toy.session().execution());
  ASSERT_TRUE(text.ok()) << text.status();
  const auto record = FromJson(*text);
  ASSERT_TRUE(record.ok()) << record.status();
  ASSERT_EQ(record->report.violations.size(), 1u);
  EXPECT_EQ(record->report.violations[0].invariant, "never-elected");
  EXPECT_EQ(record->report.violations[0].path, ToyPath());
  EXPECT_EQ(record->start, toy.session().subject().start);
}

TEST(SavedPathTest, WhatBreaksNothingClaimsNothing) {
  Debugged toy(ToySubject());
  toy.Run("jump 1");
  toy.Run("take 'node 1: Ask.*chooses 1'");
  const auto text = SavedPath(toy.session().subject(), toy.session().execution());
  ASSERT_TRUE(text.ok()) << text.status();
  const auto record = FromJson(*text);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_TRUE(record->report.violations.empty());
  EXPECT_EQ(record->report.outcome, model::Outcome::kNone);
  const auto path = ReadSavedPath(*text);
  ASSERT_TRUE(path.ok()) << path.status();
  EXPECT_EQ(*path, toy.session().execution().path());
  EXPECT_EQ(path->size(), 2u);
}

TEST(SavedPathTest, RefusesADamagedOne) {
  EXPECT_TRUE(ReadSavedPath("{}")->empty());
  EXPECT_FALSE(ReadSavedPath(R"({"path": 7})").ok());
  EXPECT_FALSE(ReadSavedPath(R"({"path": {"steps": 7}})").ok());
}

}  // namespace
}  // namespace foretell::agent
