// Journals of engine dir.

#include "foretell/dir/journal/file.h"
#include "foretell/dir/journal/records.h"
#include "foretell/tests/fuzz/samples.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

using model::EventKind;
using model::NodeId;

constexpr char kJournal[] = "/d/journal";

// The first byte: the rest is the file, or parts that become records whose checksums fit.
constexpr char kRaw = 0;
constexpr char kRecords = 1;

auto OpenJournal(snapshot::FileSystem& files, dir::EventNumbers& numbers) {
  return dir::JournalFile::Open(
      kJournal, "me", dir::Components::Nodes(2), numbers, [] { return dir::JournalFile::Time(); },
      files);
}

dir::UnitResult SampleResult(dir::EventNumbers& numbers) {
  dir::TraceStep first;
  first.number = numbers.Number({NodeId(0), {EventKind::kAction, NodeId(0), "go"}});
  dir::TraceStep second;
  second.number = numbers.Number({NodeId(0), {EventKind::kDeliver, NodeId(1), "hi"}});
  second.outcome = 1;
  second.received = {3, 4};
  second.past.Set(0);
  dir::Behaviour behaviour;
  behaviour.signature = {7, 8};
  behaviour.transitions = {{{7, 8}, 1}};
  behaviour.trace = {first, second};
  return {dir::ComponentId(0), {1, 2}, {{behaviour, 5}}};
}

// A journal with nothing in it.
std::string Head() {
  snapshot::FaultyFileSystem files;
  dir::EventNumbers numbers;
  static_cast<void>(OpenJournal(files, numbers));
  return FileBytes(files, kJournal);
}

}  // namespace

void RunJournal(const std::string& bytes) {
  static const std::string head = Head();
  Input input(bytes);
  std::string file = head;
  if (input.Byte() % 2 == kRaw) {
    file = input.Rest();
  } else {
    while (!input.empty()) file += dir::MakeRecord(input.Part());
  }
  snapshot::FaultyFileSystem files;
  PutFile(files, kJournal, file);
  dir::EventNumbers numbers;
  const auto journal = OpenJournal(files, numbers);
  if (!journal.ok()) return;
  for (const dir::UnitResult& result : (*journal)->TakeResults()) (*journal)->Write(result);
}

std::vector<std::string> JournalSeeds() {
  dir::EventNumbers numbers;
  const std::string result = dir::EncodeResult(SampleResult(numbers), numbers);
  return {kRaw + Head() + dir::MakeRecord(result), kRecords + AsPart(result) + AsPart(result)};
}

}  // namespace foretell::fuzz
