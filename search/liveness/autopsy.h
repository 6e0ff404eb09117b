#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/report.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/recovery/oracle.h"

namespace foretell::search {

// What there is to say about a way into death: the proof, checked again; what else could have
// happened; what would help; what never changes.
class Autopsy {
 public:
  // All outlive this. The oracle is one for predicate number `property` of `service`.
  Autopsy(const model::Service& service, size_t property, Loss loss, Oracle& oracle,
          RecoveryMoves& moves)
      : service_(service), property_(property), loss_(loss), oracle_(oracle), moves_(moves) {}

  // The finished violation: `path` replays from `start` through the plain semantics, and its end is
  // dead, or is once messages in flight are lost, if that is counted with. Nothing if it is not, or
  // nobody could tell. Fails if a certificate does not stand its check, which is a bug of ours.
  absl::StatusOr<std::optional<model::Violation>> Examine(const model::SystemCut& start,
                                                          const model::Path& path,
                                                          model::Budget& budget);

 private:
  struct Dead {
    model::SystemCut cut;  // What is dead: the end of the path, less what is lost.
    Oracle::Answer answer;
    std::vector<model::Message> lost;
    bool by_loss = false;
  };
  std::optional<Dead> Judge(const model::SystemCut& end, model::Budget& budget);
  Dead LoseLess(const model::SystemCut& end, Dead emptied, model::Budget& budget);
  absl::Status Prove(const Dead& dead, model::Death& death);
  // `shared`, and then a shortest way to live; empty if none was found.
  model::Path Twin(const model::SystemCut& start, model::Path shared, model::Budget& budget);
  bool LooksTheSame(const std::vector<model::SystemCut>& region, uint32_t node) const;
  void Blame(const std::vector<model::SystemCut>& region, model::Death& death) const;
  std::string Text(const Dead& dead, const model::Death& death) const;

  const model::Service& service_;
  const size_t property_;
  const Loss loss_;
  Oracle& oracle_;
  RecoveryMoves& moves_;
};

}  // namespace foretell::search
