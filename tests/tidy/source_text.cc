#include "foretell/tests/tidy/source_text.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace foretell::tidy {
namespace {

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// One pass over the text, blanking what it walks over unless told otherwise.
class Blanker {
 public:
  explicit Blanker(const std::string& text) : in_(text), out_(text) {}

  std::string Run() {
    while (at_ < in_.size()) {
      if (StartsLine() && in_[at_] == '#') {
        BlankDirective();
      } else if (Sees("//")) {
        BlankTo(std::min(in_.find('\n', at_), in_.size()));
      } else if (Sees("/*")) {
        BlankPast("*/", at_ + 2);
      } else if (Sees("R\"") && (at_ == 0 || !IsWord(in_[at_ - 1]))) {
        const size_t open = in_.find('(', at_);
        BlankPast(")" + in_.substr(at_ + 2, open - at_ - 2) + "\"", open);
      } else if (in_[at_] == '"' || (in_[at_] == '\'' && !IsDigitSeparator())) {
        BlankLiteral(in_[at_]);
      } else {
        ++at_;
      }
    }
    return std::move(out_);
  }

 private:
  bool Sees(const char* what) const {
    return in_.compare(at_, std::char_traits<char>::length(what), what) == 0;
  }
  bool StartsLine() const {
    size_t i = at_;
    while (i > 0 && (in_[i - 1] == ' ' || in_[i - 1] == '\t')) --i;
    return i == 0 || in_[i - 1] == '\n';
  }
  // The ' of 1'000: the word it stands in starts with a digit.
  bool IsDigitSeparator() const {
    size_t start = at_;
    while (start > 0 && (IsWord(in_[start - 1]) || in_[start - 1] == '\'')) --start;
    return start < at_ && std::isdigit(static_cast<unsigned char>(in_[start])) != 0;
  }
  void BlankTo(size_t end) {
    for (; at_ < end; ++at_) {
      if (in_[at_] != '\n') out_[at_] = ' ';
    }
  }
  void BlankPast(const std::string& close, size_t from) {
    const size_t end = in_.find(close, from);
    BlankTo(end == std::string::npos ? in_.size() : end + close.size());
  }
  void BlankDirective() {
    size_t end = in_.find('\n', at_);
    while (end != std::string::npos && in_[end - 1] == '\\') end = in_.find('\n', end + 1);
    BlankTo(std::min(end, in_.size()));
  }
  void BlankLiteral(char quote) {
    size_t end = at_ + 1;
    while (end < in_.size() && in_[end] != quote && in_[end] != '\n') {
      end += in_[end] == '\\' ? 2 : 1;
    }
    BlankTo(std::min(end + 1, in_.size()));
  }

  const std::string& in_;
  std::string out_;
  size_t at_ = 0;
};

std::string WithoutParentheses(const std::string& text) {
  std::string out;
  int depth = 0;
  for (char c : text) {
    if (c == '(') ++depth;
    if (depth == 0) out += c;
    if (c == ')') --depth;
  }
  return out;
}

// template <...> says "class" without being one.
std::string WithoutTemplateHead(std::string text) {
  for (size_t at = text.find("template"); at != std::string::npos; at = text.find("template")) {
    size_t end = text.find('<', at);
    if (end == std::string::npos) return text;
    int depth = 0;
    do {
      depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
    } while (++end < text.size() && depth > 0);
    text.erase(at, end - at);
  }
  return text;
}

// What the block behind `head` is, when it is not inside of a function.
enum class Block { kScope, kFunction, kOther };

Block Classify(const std::string& head) {
  static const std::regex kScope(R"(\b(namespace|class|struct|union|enum)\b)");
  static const std::regex kLambda(R"(\]\s*(mutable|noexcept|->[^=]*)?\s*$)");
  const std::string bare = WithoutParentheses(WithoutTemplateHead(head));
  if (std::regex_search(bare, kScope) || bare.find("extern") != std::string::npos) {
    return Block::kScope;
  }
  if (std::regex_search(bare, kLambda)) return Block::kFunction;
  const bool assigns =
      bare.find('=') != std::string::npos && bare.find("operator") == std::string::npos;
  return head.find('(') != std::string::npos && !assigns ? Block::kFunction : Block::kOther;
}

// Walks over blocks; functions and initialisers are walked over in one go, scopes are entered.
class Finder {
 public:
  explicit Finder(const std::string& text) : text_(BlankNoise(text)) {}

  std::vector<Function> Run() {
    size_t head = 0;  // Where the text after the last ; { or } starts.
    for (size_t at = 0; at < text_.size(); ++at) {
      if (text_[at] == '{') at = Enter(head, at);
      if (text_[at] == ';' || text_[at] == '{' || text_[at] == '}') head = at + 1;
    }
    return std::move(functions_);
  }

 private:
  size_t Enter(size_t head, size_t open) {
    const Block block = Classify(text_.substr(head, open - head));
    if (block == Block::kScope) return open;
    size_t close = CloseOf(open);
    if (block == Block::kOther) return close;
    // The braces of member initialisers belong to the constructor they stand in front of.
    for (size_t next = NextInk(close); next < text_.size(); next = NextInk(close)) {
      if (text_[next] == ',') next = std::min(text_.find('{', next), text_.size() - 1);
      if (text_[next] != '{') break;
      close = CloseOf(next);
    }
    Add(head, open, close);
    return close;
  }
  void Add(size_t head, size_t open, size_t close) {
    while (std::isspace(static_cast<unsigned char>(text_[head])) != 0) ++head;
    const size_t line = LineOf(head);
    functions_.push_back(
        {text_.substr(head, std::min<size_t>(open - head, 80)), line, LineOf(close) - line + 1});
  }
  size_t CloseOf(size_t open) const {
    int depth = 0;
    for (size_t at = open; at < text_.size(); ++at) {
      depth += text_[at] == '{' ? 1 : text_[at] == '}' ? -1 : 0;
      if (depth == 0) return at;
    }
    return text_.size() - 1;
  }
  size_t NextInk(size_t at) const {
    return std::min(text_.find_first_not_of(" \n", at + 1), text_.size());
  }
  size_t LineOf(size_t at) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(at);
    return 1 + static_cast<size_t>(std::count(text_.begin(), end, '\n'));
  }

  std::string text_;
  std::vector<Function> functions_;
};

}  // namespace

std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string BlankNoise(const std::string& text) { return Blanker(text).Run(); }

std::vector<Function> FindFunctions(const std::string& text) { return Finder(text).Run(); }

}  // namespace foretell::tidy
