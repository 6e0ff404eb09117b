#include "foretell/agent/drawing/bystanders.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace foretell::agent {
void DropBystanders(SpaceTime& picture) {
  if (picture.lanes.size() <= kAllLanesMax) return;
  std::vector<bool> takes_part;
  for (const Lane& lane : picture.lanes) {
    takes_part.push_back(lane.breaks || !lane.at_start.empty() || !lane.at_end.empty() ||
                         lane.status != model::NodeStatus::kUp);
  }
  for (const Moment& moment : picture.moments) {
    takes_part[moment.lane] = true;
    if (model::HasPeer(moment.kind)) takes_part[moment.peer] = true;
  }
  if (std::find(takes_part.begin(), takes_part.end(), true) == takes_part.end()) return;
  std::vector<uint32_t> now_at(picture.lanes.size());
  std::vector<Lane> lanes;
  for (size_t n = 0; n < picture.lanes.size(); ++n) {
    now_at[n] = static_cast<uint32_t>(lanes.size());
    if (takes_part[n]) lanes.push_back(std::move(picture.lanes[n]));
  }
  picture.bystanders = picture.lanes.size() - lanes.size();
  picture.lanes = std::move(lanes);
  for (Moment& moment : picture.moments) {
    moment.lane = now_at[moment.lane];
    moment.peer = now_at[moment.peer];
  }
}

}  // namespace foretell::agent
