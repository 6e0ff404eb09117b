// Line editing by libedit, which is BSD-licensed.

#include <histedit.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include "foretell/agent/debug/lines.h"

namespace foretell::agent {
namespace {

constexpr int kHistoryMax = 1000;

class TerminalLines final : public Lines {
 public:
  explicit TerminalLines(TerminalOptions options) : options_(std::move(options)) {
    HistEvent event;
    history_ = history_init();
    ::history(history_, &event, H_SETSIZE, kHistoryMax);
    ::history(history_, &event, H_SETUNIQUE, 1);
    if (!options_.history.empty()) ::history(history_, &event, H_LOAD, options_.history.c_str());
    edit_ = el_init("foretell", options_.in, options_.out, stderr);
    if (edit_ == nullptr) return;
    el_set(edit_, EL_CLIENTDATA, this);
    el_set(edit_, EL_PROMPT, &Prompt);
    el_set(edit_, EL_EDITOR, "emacs");
    // An interrupt gives the terminal back before it ends the process.
    el_set(edit_, EL_SIGNAL, 1);
    el_set(edit_, EL_HIST, ::history, history_);
    el_set(edit_, EL_ADDFN, "foretell-complete", "complete the word", &Complete);
    el_set(edit_, EL_BIND, "^I", "foretell-complete", nullptr);
    el_source(edit_, nullptr);  // The user's own .editrc.
  }

  ~TerminalLines() override {
    Save();
    if (edit_ != nullptr) el_end(edit_);
    history_end(history_);
  }

  std::optional<std::string> Next(const std::string& prompt) override {
    if (edit_ == nullptr) return std::nullopt;
    prompt_ = prompt;
    int count = 0;
    const char* const read = el_gets(edit_, &count);
    if (read == nullptr || count <= 0) {
      std::fputs("\n", options_.out);
      return std::nullopt;
    }
    std::string line(read, static_cast<size_t>(count));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    HistEvent event;
    if (!line.empty()) ::history(history_, &event, H_ENTER, line.c_str());
    return line;
  }

 private:
  static TerminalLines& Of(EditLine* edit) {
    void* self = nullptr;
    el_get(edit, EL_CLIENTDATA, &self);
    return *static_cast<TerminalLines*>(self);
  }
  static char* Prompt(EditLine* edit) { return Of(edit).prompt_.data(); }

  static unsigned char Complete(EditLine* edit, int /*key*/) {
    const TerminalLines& self = Of(edit);
    const LineInfo* const info = el_line(edit);
    const std::string line(info->buffer, static_cast<size_t>(info->cursor - info->buffer));
    const std::vector<std::string> words = self.options_.complete(line);
    const std::string completed = Completed(line, words);
    if (completed.size() > line.size()) {
      return el_insertstr(edit, completed.c_str() + line.size()) == 0 ? CC_REFRESH : CC_ERROR;
    }
    if (words.size() < 2) return CC_REFRESH_BEEP;
    std::fputs("\n", self.options_.out);
    for (const std::string& word : words) std::fprintf(self.options_.out, "%s  ", word.c_str());
    std::fputs("\n", self.options_.out);
    return CC_REDISPLAY;
  }

  // A history that cannot be kept is nobody's trouble: the session is over.
  void Save() const {
    if (options_.history.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(options_.history).parent_path(),
                                        ignored);
    HistEvent event;
    ::history(history_, &event, H_SAVE, options_.history.c_str());
  }

  const TerminalOptions options_;
  std::string prompt_;
  History* history_ = nullptr;
  EditLine* edit_ = nullptr;
};

}  // namespace

std::unique_ptr<Lines> MakeTerminalLines(TerminalOptions options) {
  return std::make_unique<TerminalLines>(std::move(options));
}

}  // namespace foretell::agent
