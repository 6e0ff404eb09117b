#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dir/journal.h"

namespace foretell::dir {

// A journal in a file: append-only, every record with a checksum, on the disk when Write returns.
class JournalFile final : public Journal {
 public:
  // Creates it, or goes on with what is there; a torn tail is cut off. `identity` says what is
  // explored, and how: FailedPrecondition, naming both, if the file was made for something else.
  // AlreadyExists if another process goes on with it.
  // The lexicon outlives the journal.
  static absl::StatusOr<std::unique_ptr<JournalFile>> Open(const std::string& path,
                                                           const std::string& identity,
                                                           const Components& components,
                                                           Lexicon& lexicon);
  ~JournalFile() override;

  // What was in the file, once.
  std::vector<UnitResult> TakeResults();
  uint64_t torn_bytes() const { return torn_bytes_; }

  void Write(const UnitResult& result) override;
  // The first thing that went wrong. The exploration does not suffer from it.
  const absl::Status& status() const { return status_; }

 private:
  struct Impl;
  JournalFile(std::unique_ptr<Impl> impl, const Lexicon& lexicon);
  void Append(const std::string& bytes);

  std::unique_ptr<Impl> impl_;
  const Lexicon& lexicon_;
  std::vector<UnitResult> results_;
  uint64_t torn_bytes_ = 0;
  absl::Status status_;
};

}  // namespace foretell::dir
