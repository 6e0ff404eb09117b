#include "foretell/search/liveness/live_explorer.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/live_search.h"

namespace foretell::search {
namespace {

absl::Status NoSuchProperty(const model::Service& service, const std::string& name) {
  std::vector<std::string> names;
  for (const model::InvariantInfo& info : service.invariants()) {
    if (info.name == name && !info.eventually) {
      return absl::InvalidArgumentError(absl::StrCat(
          name, " must always hold; a liveness predicate is one that must hold eventually"));
    }
    if (info.eventually) names.push_back(info.name);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no liveness predicate ", name,
                   names.empty() ? "; the service has none"
                                 : absl::StrCat("; there is ", absl::StrJoin(names, ", "))));
}

class LiveExplorer final : public model::Explorer {
 public:
  LiveExplorer(const model::Service& service, LiveOptions options)
      : service_(service), options_(std::move(options)) {}

  absl::StatusOr<model::Report> Explore(const model::SystemCut& start,
                                        model::Budget& budget) override {
    if (absl::Status status = model::ValidateCut(service_, start); !status.ok()) return status;
    const std::optional<size_t> property = PropertyView::Find(service_, options_.property);
    if (!property) return NoSuchProperty(service_, options_.property);
    return LiveSearch(service_, *property, options_, start).Run(budget);
  }

 private:
  const model::Service& service_;
  const LiveOptions options_;
};

}  // namespace

std::unique_ptr<model::Explorer> MakeLiveExplorer(const model::Service& service,
                                                  LiveOptions options) {
  return std::make_unique<LiveExplorer>(service, std::move(options));
}

}  // namespace foretell::search
