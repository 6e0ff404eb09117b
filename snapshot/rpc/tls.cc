#include "foretell/snapshot/rpc/tls.h"

#include <kj/vector.h>

#include <fstream>
#include <sstream>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/snapshot/rpc/status.h"

namespace foretell::snapshot {
namespace {

const char* const kBegin = "-----BEGIN CERTIFICATE-----";
const char* const kEnd = "-----END CERTIFICATE-----";

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) return absl::NotFoundError(absl::StrCat("TLS file ", path, " cannot be read"));
  return text.str();
}

std::vector<std::string> SplitCertificates(const std::string& pem) {
  std::vector<std::string> result;
  size_t from = 0;
  while ((from = pem.find(kBegin, from)) != std::string::npos) {
    const size_t end = pem.find(kEnd, from);
    if (end == std::string::npos) break;
    const size_t to = end + std::string(kEnd).size();
    result.push_back(pem.substr(from, to - from) + "\n");
    from = to;
  }
  return result;
}

// Throws what kj throws.
kj::Own<kj::TlsContext> MakeContext(const std::string& certificate, const std::string& key,
                                    const std::vector<std::string>& authorities) {
  const kj::TlsKeypair keypair{kj::TlsPrivateKey(kj::StringPtr(key.c_str())),
                               kj::TlsCertificate(kj::StringPtr(certificate.c_str()))};
  kj::Vector<kj::TlsCertificate> trusted;
  for (const std::string& pem : authorities) {
    trusted.add(kj::TlsCertificate(kj::StringPtr(pem.c_str())));
  }
  kj::TlsContext::Options options;
  options.useSystemTrustStore = false;
  options.verifyClients = true;
  options.trustedCertificates = trusted.asPtr();
  options.minVersion = kj::TlsVersion::TLS_1_2;
  options.defaultKeypair = keypair;
  return kj::heap<kj::TlsContext>(kj::mv(options));
}

}  // namespace

absl::StatusOr<kj::Maybe<kj::Own<kj::TlsContext>>> LoadTls(const Address& address,
                                                           const TlsFiles& tls) {
  using Result = kj::Maybe<kj::Own<kj::TlsContext>>;
  const absl::Status secure = CheckSecurity(address, tls);
  if (!secure.ok()) return secure;
  if (!address.tcp || tls.empty()) return Result(nullptr);
  std::string texts[3];
  const std::string* const paths[] = {&tls.certificate, &tls.key, &tls.authority};
  for (size_t i = 0; i < 3; ++i) {
    absl::StatusOr<std::string> text = ReadFile(*paths[i]);
    if (!text.ok()) return text.status();
    texts[i] = std::move(*text);
  }
  const std::vector<std::string> authorities = SplitCertificates(texts[2]);
  if (authorities.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(tls.authority, " has no certificate"));
  }
  Result result;
  KJ_IF_MAYBE (exception, kj::runCatchingExceptions(
                              [&] { result = MakeContext(texts[0], texts[1], authorities); })) {
    return Annotate(absl::InvalidArgumentError(ToStatus(*exception).message()),
                    absl::StrCat("TLS with ", tls.certificate, ", ", tls.key, ", ", tls.authority));
  }
  return result;
}

std::string ExplainTls(const std::string& message) {
  // The words of OpenSSL that matter here; "alert" is what the other side says about us.
  for (const auto& [words, meaning] :
       {std::pair("alert unknown ca", "it does not trust who signed our certificate"),
        {"alert certificate expired", "our certificate has expired"},
        {"alert certificate required", "it wants a certificate of ours"},
        {"alert", "it does not accept our certificate"},
        {"certificate verify failed",
         "its certificate is not of our authority, not for this host, or has expired"},
        {"did not return a certificate", "it has none to show"},
        {"wrong version number", "it does not speak TLS"},
        {"http request", "it does not speak TLS"}}) {
    if (message.find(words) != std::string::npos) {
      return absl::StrCat("TLS: ", meaning, " (", message, ")");
    }
  }
  return absl::StrCat("TLS: ", message);
}

}  // namespace foretell::snapshot
