#pragma once

#include <set>
#include <utility>
#include <vector>

#include "foretell/model/plain/plain_system.h"
#include "foretell/model/symmetry/exchange.h"

namespace foretell::tests {

// The least of all images, by trying all.
class Orbits {
 public:
  explicit Orbits(const model::Service& service) : service_(service) {
    for (const auto& nodes : service.Interchangeable()) {
      for (size_t i = 1; i < nodes.size(); ++i) exchanges_.push_back({nodes[i - 1], nodes[i]});
    }
  }
  model::SystemCut Least(const model::SystemCut& cut) const {
    std::set<model::SystemCut> images = {model::PlainSystem(service_, Textless(cut)).Canonical()};
    for (std::vector<model::SystemCut> open(images.begin(), images.end()); !open.empty();) {
      const model::SystemCut from = std::move(open.back());
      open.pop_back();
      for (const model::Exchange nodes : exchanges_) {
        model::SystemCut image =
            model::PlainSystem(service_, model::Exchanged(service_, from, nodes)).Canonical();
        if (images.insert(image).second) open.push_back(std::move(image));
      }
    }
    return *images.begin();
  }
  std::set<model::SystemCut> Of(const std::set<model::SystemCut>& cuts) const {
    std::set<model::SystemCut> least;
    for (const model::SystemCut& cut : cuts) least.insert(Least(cut));
    return least;
  }

 private:
  // Texts of failures name nodes, and nobody can exchange them there.
  static model::SystemCut Textless(model::SystemCut cut) {
    for (model::NodeState& node : cut.nodes) {
      if (node.status == model::NodeStatus::kFailed) node.body = "failed";
    }
    return cut;
  }

  const model::Service& service_;
  std::vector<model::Exchange> exchanges_;
};

}  // namespace foretell::tests
