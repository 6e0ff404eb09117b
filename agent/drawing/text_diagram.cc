#include "foretell/agent/drawing/text_diagram.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/drawing/wording.h"

namespace foretell::agent {
namespace {

using model::EventKind;
using model::NodeStatus;

struct Signs {
  const char* lane;
  const char* lane_down;
  const char* line;
  const char* early_line;  // Sent before the start.
  const char* head_right;
  const char* head_left;
  const char* tail_right;  // The sender's lane, arrow leaving to the right.
  const char* tail_left;
  const char* self;
  const char* failure;
  const char* becomes;
};

constexpr Signs kUnicode = {"│", "┊", "─", "╌", "▶", "◀", "├", "┤", "↩", "✖", "→"};
constexpr Signs kAscii = {"|", ":", "-", ".", ">", "<", "+", "+", "@", "X", "->"};

constexpr size_t kFirstLane = 7;   // Room for step numbers.
constexpr size_t kBesideMin = 34;  // Room for what stands beside the lanes.

class TextDrawing {
 public:
  TextDrawing(const SpaceTime& picture, const TerminalStyle& style)
      : picture_(picture), style_(style), signs_(style.utf8 ? kUnicode : kAscii) {
    for (const Lane& lane : picture_.lanes) status_.push_back(lane.status);
    common_ = Clean(CommonPrefix(picture_));
    PlaceLanes();
  }

  std::string Draw() {
    DrawStart();
    DrawHeader();
    for (size_t i = 0; i < picture_.moments.size(); ++i) DrawMoment(i);
    DrawEnd();
    return std::move(text_);
  }

 private:
  std::string Clean(const std::string& text) const { return Printable(text, style_.utf8); }
  const char* Shown(const model::Sign& sign) const {
    return style_.utf8 ? sign.unicode : sign.ascii;
  }
  std::string Header(const Lane& lane) const {
    return Shorten(Clean(HeaderText(lane)), kHeaderMax, style_.utf8);
  }
  size_t LaneAt(size_t lane) const { return kFirstLane + lane * gap_; }
  static bool IsArrow(const Moment& m) { return model::HasPeer(m.kind) && m.peer != m.lane; }
  static size_t Span(const Moment& m) {
    return m.lane > m.peer ? m.lane - m.peer : m.peer - m.lane;
  }

  void PlaceLanes();
  static size_t GapFor(const Moment& m, const std::string& label);
  void PutLanes(TextRow& row) const;
  void PutMark(TextRow& row, const Moment& moment, const std::string& label) const;
  void PutArrow(TextRow& row, const Moment& moment, const std::string& label) const;
  std::vector<std::string> Origin(size_t index) const;
  std::vector<std::string> Changes(std::vector<Change> changes, const std::string& arrow) const;
  std::vector<std::pair<std::string, Colour>> Beside(size_t index) const;
  void Write(const std::string& text, Colour colour, const std::string& indent = "");
  void DrawStart();
  void DrawHeader();
  void DrawMoment(size_t index);
  void DrawEnd();

  const SpaceTime& picture_;
  const TerminalStyle& style_;
  const Signs& signs_;
  std::vector<NodeStatus> status_;
  std::string common_;               // What the names of changes leave out.
  std::vector<std::string> labels_;  // One per moment, as short as the room wants it.
  size_t gap_ = 0;
  size_t beside_ = 0;  // Column where the text beside the lanes begins.
  std::string text_;
};

size_t TextDrawing::GapFor(const Moment& m, const std::string& label) {
  return IsArrow(m) ? (Width(label) + 7 + Span(m)) / Span(m) : Width(label) + 4;
}

// Lanes stand as far apart as the longest label needs and the width allows. A label that no width
// would fit is cut to its name, and the rest stands beside.
void TextDrawing::PlaceLanes() {
  const size_t columns = std::max<size_t>(style_.columns, 60);
  const size_t lanes = std::max<size_t>(picture_.lanes.size(), 1);
  const size_t gap_max = std::max<size_t>((columns - kFirstLane - kBesideMin) / lanes, 4);
  size_t wanted = std::min<size_t>(10, gap_max);
  size_t last_room = 6;
  for (const Moment& m : picture_.moments) {
    std::string label = Clean(m.label);
    if (GapFor(m, label) > gap_max) label = ShortLabel(label);
    if (GapFor(m, label) > gap_max) label = "";
    wanted = std::max(wanted, std::min(GapFor(m, label), gap_max));
    if (!IsArrow(m) && m.lane + 1 == lanes) last_room = std::max(last_room, Width(label) + 4);
    labels_.push_back(std::move(label));
  }
  for (const Lane& lane : picture_.lanes) {
    if (lane.role.empty()) continue;
    const size_t header = Width(Header(lane));
    wanted = std::max(wanted, std::min(header + 2, gap_max));
    if (&lane == &picture_.lanes.back()) last_room = std::max(last_room, header);
  }
  gap_ = wanted;
  beside_ = LaneAt(lanes - 1) + last_room;
}

void TextDrawing::PutLanes(TextRow& row) const {
  for (size_t n = 0; n < status_.size(); ++n) {
    if (status_[n] == NodeStatus::kFailed) continue;
    row.Put(LaneAt(n), status_[n] == NodeStatus::kUp ? signs_.lane : signs_.lane_down,
            Colour::kDim);
  }
}

void TextDrawing::PutArrow(TextRow& row, const Moment& moment, const std::string& label) const {
  const size_t from = LaneAt(moment.peer);
  const size_t to = LaneAt(moment.lane);
  const bool right = to > from;
  const size_t begin = std::min(from, to) + 1;
  const size_t end = std::max(from, to);
  const bool early = moment.kind == EventKind::kDeliver && !moment.sent_at;
  for (size_t i = begin; i < end; ++i) {
    row.Put(i, early ? signs_.early_line : signs_.line, Colour::kArrow);
  }
  row.Put(from, right ? signs_.tail_right : signs_.tail_left, Colour::kArrow);
  const char* const head = right ? signs_.head_right : signs_.head_left;
  row.Put(right ? end - 1 : begin,
          model::IsOfStream(moment.kind) ? Shown(model::InfoOf(moment.kind).head) : head,
          Colour::kArrow);
  if (label.empty()) return;
  const std::string spaced = absl::StrCat(" ", label, " ");
  // In the middle of the line, to which the head does not belong.
  row.Put(begin + (right ? 0 : 1) + (end - begin - 1 - Width(spaced)) / 2, spaced);
}

void TextDrawing::PutMark(TextRow& row, const Moment& moment, const std::string& label) const {
  const size_t at = LaneAt(moment.lane);
  const bool failed = moment.status == NodeStatus::kFailed;
  if (IsArrow(moment)) {
    PutArrow(row, moment, label);
  } else {
    const std::string sign = moment.kind == EventKind::kDeliver ? signs_.self : " ";
    row.Put(at + 1, sign, Colour::kArrow);
    row.Put(at + 2, absl::StrCat(sign == " " ? "" : " ", label));
  }
  const model::EventKindInfo& kind = model::InfoOf(moment.kind);
  row.Put(at, failed ? signs_.failure : Shown(kind.mark),
          failed || kind.alarming ? Colour::kBad : Colour::kMark);
}

// What made the step turn out as it did, where the picture does not show it.
std::vector<std::string> TextDrawing::Origin(size_t index) const {
  const Moment& moment = picture_.moments[index];
  std::vector<std::string> origin;
  const bool late =
      moment.kind == EventKind::kDeliver && moment.sent_at && *moment.sent_at + 1 < index;
  if (late) origin.push_back(absl::StrCat("sent in step ", picture_.moments[*moment.sent_at].step));
  if (!moment.choices.empty()) origin.push_back(ChoicesText(moment));
  return origin;
}

// The arrow is not cleaned: it is already what the reader can see.
std::vector<std::string> TextDrawing::Changes(std::vector<Change> changes,
                                              const std::string& arrow) const {
  for (Change& c : changes)
    c = {Clean(c.name), Clean(c.before), Clean(c.after), c.appears, c.vanishes};
  return ChangeLines(changes, common_, arrow);
}

std::vector<std::pair<std::string, Colour>> TextDrawing::Beside(size_t index) const {
  const Moment& moment = picture_.moments[index];
  const size_t width = std::max(style_.columns, beside_ + 24) - beside_;
  std::vector<std::pair<std::string, Colour>> lines;
  const auto add = [&](const std::string& text, Colour colour) {
    for (std::string& line : Wrap(Clean(text), width)) lines.emplace_back(std::move(line), colour);
  };
  if (index + 1 == picture_.cycle_from) add(kCycleText, Colour::kBad);
  std::string origin = absl::StrJoin(Origin(index), ", ");
  if (labels_[index] != Clean(moment.label)) {
    add(absl::StrCat(moment.label, origin.empty() ? "" : ", ", origin), Colour::kPlain);
    origin.clear();
  }
  for (const std::string& change : Changes(moment.changes, signs_.becomes)) {
    for (std::string& line : Wrap(change, width))
      lines.emplace_back(std::move(line), Colour::kChange);
  }
  if (!moment.does.empty()) add(moment.does, Colour::kPlain);
  if (!origin.empty()) add(origin, Colour::kDim);
  for (const std::string& sent : SendTexts(moment)) add("sends " + sent, Colour::kDim);
  return lines;
}

void TextDrawing::DrawMoment(size_t index) {
  const Moment& moment = picture_.moments[index];
  const auto beside = Beside(index);
  const bool last = index + 1 == picture_.moments.size();
  for (size_t i = 0; i < std::max<size_t>(beside.size(), 1); ++i) {
    TextRow row;
    PutLanes(row);
    if (i == 0) {
      const std::string number = std::to_string(moment.step);
      row.Put(4 - std::min<size_t>(number.size(), 4), number, last ? Colour::kBad : Colour::kDim);
      PutMark(row, moment, labels_[index]);
      status_[moment.lane] = moment.status;
    }
    if (i < beside.size()) row.Put(beside_, beside[i].first, beside[i].second);
    text_ += row.Finish(style_);
  }
}

void TextDrawing::Write(const std::string& text, Colour colour, const std::string& indent) {
  for (const std::string& line : Wrap(text, std::max<size_t>(style_.columns, 60) - indent.size())) {
    text_ += indent + Coloured(line, colour, style_) + "\n";
  }
}

void TextDrawing::DrawStart() {
  bool any = false;
  for (const Lane& lane : picture_.lanes) {
    if (lane.at_start.empty()) continue;
    any = true;
    Write(absl::StrCat(Clean(lane.name), " starts with ",
                       absl::StrJoin(Changes(lane.at_start, ""), "; ")),
          Colour::kPlain);
  }
  if (picture_.in_flight_at_start > 0) {
    any = true;
    Write(absl::StrCat("In flight at the start: ", picture_.in_flight_at_start,
                       picture_.in_flight_at_start == 1 ? " message" : " messages",
                       "; when one arrives, its arrow is ", signs_.early_line, signs_.early_line,
                       signs_.early_line, signs_.head_right, "."),
          Colour::kPlain);
  }
  if (picture_.bystanders > 0) {
    any = true;
    Write(BystandersText(picture_) + ".", Colour::kDim);
  }
  if (picture_.hidden > 0) {
    any = true;
    Write(HiddenText(picture_) + ".", Colour::kDim);
  }
  if (!common_.empty()) {
    any = true;
    Write(absl::StrCat("Names are those of ", common_, "."), Colour::kDim);
  }
  if (any) text_ += "\n";
}

void TextDrawing::DrawHeader() {
  TextRow names;
  names.Put(0, "step", Colour::kDim);
  for (size_t n = 0; n < picture_.lanes.size(); ++n) {
    const Lane& lane = picture_.lanes[n];
    const std::string name =
        gap_ < 8 ? std::to_string(lane.node)
                 : (lane.role.empty() ? lane.name : Shorten(Header(lane), gap_ - 1, style_.utf8));
    names.Put(LaneAt(n) - std::min<size_t>(Width(name) / 3, 2), name, Colour::kHead);
  }
  names.Put(beside_, "what it does", Colour::kDim);
  text_ += names.Finish(style_);
  TextRow row;
  PutLanes(row);
  text_ += row.Finish(style_);
}

void TextDrawing::DrawEnd() {
  TextRow row;
  PutLanes(row);
  text_ += row.Finish(style_) + "\n";
  if (picture_.invariant.empty()) return;
  Write(absl::StrCat(style_.utf8 ? "✗ " : "! ", Clean(picture_.invariant),
                     " does not hold: ", Clean(picture_.why)),
        Colour::kBad);
  for (const Lane& lane : picture_.lanes) {
    const std::string fields = absl::StrJoin(Changes(lane.at_end, ""), "; ");
    if (!fields.empty()) Write(absl::StrCat(Clean(lane.name), ": ", fields), Colour::kPlain, "  ");
  }
}

}  // namespace

std::string DrawText(const SpaceTime& picture, const TerminalStyle& style) {
  return TextDrawing(EasiestToRead(picture), style).Draw();
}

}  // namespace foretell::agent
