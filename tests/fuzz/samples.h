#pragma once

// Values with something in every part of them.

#include <string>
#include <utility>
#include <vector>

#include "foretell/snapshot/node/filter.h"
#include "foretell/snapshot/protocol/checkpoint.h"
#include "foretell/snapshot/protocol/recorded.h"
#include "foretell/snapshot/storage/testing/faulty_file_system.h"

namespace foretell::fuzz {

inline model::SystemCut SampleCut() {
  using model::NodeId;
  return {{{model::NodeStatus::kUp, {{model::FaultKind::kBreak, 1}}, "first"},
           {model::NodeStatus::kDown, {{model::FaultKind::kCrash, 2}}, "left"},
           {model::NodeStatus::kAbsent, {}, ""}},
          {{NodeId(0), NodeId(1), "message"}, {NodeId(1), NodeId(0), ""}}};
}

inline snapshot::Checkpoint SampleCheckpoint(uint32_t node) {
  snapshot::Checkpoint checkpoint;
  checkpoint.node = model::NodeId(node);
  checkpoint.number = 7;
  checkpoint.state = SampleCut().nodes[0];
  checkpoint.sent.push_back({model::NodeId(2), 5, 2, {{1, "hello", 3}, {2, "again", 7}}});
  checkpoint.received.push_back({model::NodeId(2), 9, 3, {2}});
  checkpoint.life = 1;
  return checkpoint;
}

inline snapshot::Filter SampleFilter() {
  return {"d-1",
          "agreement",
          snapshot::FilterKind::kDrop,
          snapshot::Mode::kShadow,
          model::NodeId(2),
          {model::EventKind::kDeliver, model::NodeId(1), "message"},
          std::chrono::milliseconds(1500)};
}

inline snapshot::RecordedSnapshot SampleRecorded() {
  snapshot::RecordedSnapshot recorded{
      .taken = snapshot::UnixTime(std::chrono::seconds(1'700'000'000)),
      .origin = {"toy", "fresh", "", "7", "0.1.0"}};
  recorded.snapshot.number = 5;
  recorded.snapshot.cut = SampleCut();
  recorded.snapshot.absent = {{model::NodeId(2), "no answer"}};
  recorded.snapshot.exact = false;
  recorded.snapshot.notes = {"node 2: no answer"};
  return recorded;
}

// A file in memory.
inline void PutFile(snapshot::FileSystem& files, const std::string& path,
                    const std::string& bytes) {
  const auto file = files.Open(path, {snapshot::Access::kFresh});
  static_cast<void>((*file)->WriteAt(0, bytes));
}

inline std::string FileBytes(snapshot::FileSystem& files, const std::string& path) {
  const auto file = files.Open(path, {snapshot::Access::kRead});
  if (!file.ok()) return "";
  return *(*file)->ReadAt(0, (*file)->Stat()->size);
}

}  // namespace foretell::fuzz
