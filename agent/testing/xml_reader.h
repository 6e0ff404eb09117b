#pragma once

// A strict little reader of XML, to tell that what we write is well-formed and says what it should.
// Knows elements, attributes and the five entities; no comments, no CDATA: we write none.

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace foretell::agent {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // Its own, without that of its children.
  std::vector<XmlElement> children;

  // Those of that name, at any depth.
  std::vector<const XmlElement*> All(const std::string& wanted) const {
    std::vector<const XmlElement*> found;
    for (const XmlElement& child : children) {
      if (child.name == wanted) found.push_back(&child);
      for (const XmlElement* deeper : child.All(wanted)) found.push_back(deeper);
    }
    return found;
  }
};

class XmlReader {
 public:
  explicit XmlReader(std::string text) : text_(std::move(text)) {}

  // The root, behind a declaration or a document type. Throws what is wrong.
  XmlElement Read() {
    for (const unsigned char c : text_) {
      if (c < 0x20 && c != '\n' && c != '\t' && c != '\r') Fail("a control character");
    }
    if (text_.find("\xef\xbf\xbe") != std::string::npos ||
        text_.find("\xef\xbf\xbf") != std::string::npos) {
      Fail("no character");
    }
    while (Has("<?") || Has("<!")) at_ = text_.find('>', at_) + 1, Space();
    XmlElement root = Element();
    Space();
    if (at_ != text_.size()) Fail("something behind the root");
    return root;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw std::runtime_error(what + " at " + std::to_string(at_) + ": " + text_.substr(at_, 40));
  }
  bool Has(const std::string& word) const { return text_.compare(at_, word.size(), word) == 0; }
  void Expect(const std::string& word) {
    if (!Has(word)) Fail("expected " + word);
    at_ += word.size();
  }
  void Space() {
    while (at_ < text_.size() && std::string(" \n\t\r").find(text_[at_]) != std::string::npos)
      ++at_;
  }
  std::string Name() {
    const size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '-' || text_[at_] == ':')) {
      ++at_;
    }
    if (begin == at_) Fail("expected a name");
    return text_.substr(begin, at_ - begin);
  }
  char Entity() {
    static const std::map<std::string, char> kEntities = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (const auto& [entity, c] : kEntities) {
      if (!Has(entity)) continue;
      at_ += entity.size();
      return c;
    }
    Fail("unknown entity");
  }
  std::string Until(char end) {
    std::string value;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == '<') Fail("unexpected <");
      value += text_[at_] == '&' ? Entity() : text_[at_++];
    }
    return value;
  }
  XmlElement Element() {
    Expect("<");
    XmlElement element{.name = Name()};
    for (Space(); !Has(">") && !Has("/>"); Space()) {
      const std::string name = Name();
      Expect("=\"");
      if (!element.attributes.emplace(name, Until('"')).second) Fail("twice: " + name);
      Expect("\"");
    }
    if (Has("/>")) {
      at_ += 2;
      return element;
    }
    for (Expect(">"); !Has("</");) {
      if (at_ >= text_.size()) Fail("not closed: " + element.name);
      if (Has("<")) {
        element.children.push_back(Element());
      } else {
        element.text += Until('<');
      }
    }
    Expect("</" + element.name + ">");
    return element;
  }

  const std::string text_;
  size_t at_ = 0;
};

}  // namespace foretell::agent
