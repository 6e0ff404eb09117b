#include "foretell/agent/formats/formats.h"

#include "foretell/agent/formats/github.h"
#include "foretell/agent/formats/html.h"
#include "foretell/agent/formats/junit.h"
#include "foretell/agent/formats/sarif.h"

namespace foretell::agent {

std::span<const ResultFormat> ResultFormats() {
  static constexpr ResultFormat kFormats[] = {
      {"--junit", "FILE", "Write it as JUnit XML: a test case per invariant", WriteJunit},
      {"--sarif", "FILE", "Write it as SARIF 2.1.0: a rule per invariant, a code flow per path",
       WriteSarif},
      {"--html", "FILE", "Write it as one page with pictures, for a browser", WriteHtml},
      {"--github", "", "Print annotations for GitHub Actions behind the verdict", WriteGithub},
  };
  return kFormats;
}

}  // namespace foretell::agent
