#pragma once

// Only .cc files of this folder may include this: it brings in kj.

#include <kj/compat/tls.h>

#include <string>

#include "absl/status/statusor.h"
#include "foretell/snapshot/node/address.h"

namespace foretell::snapshot {

// For both roles: shows our certificate, and trusts a peer only if the authority signed its. Null
// if `address` needs none. Certificates and keys are read now; a new one needs a restart.
//
// Peculiarities of kj's TLS (0.9.2):
// - A client compares the server's certificate with the host it connects to, always as a DNS name,
//   also if it is an IP address. The certificate of a node that is reached by its address therefore
//   names that address as DNS:192.0.2.7, not only as IP:192.0.2.7.
// - Of each element of trustedCertificates only the first certificate is trusted, so a file with
//   several authorities (as during a change of them) has to be taken apart, as we do.
// - With TLS 1.3 a client's handshake is over before the server has looked at the client's
//   certificate: a refused client sees a connection that breaks, not a failed handshake.
// - Of a certificate that is not good enough, whether expired, of another authority or of another
//   host, it only says "certificate verify failed"; `openssl verify` tells which it is.
// - TlsContext::wrapPort would do handshakes inside of accept(); we do them beside it, so that a
//   peer that stalls in its handshake delays nobody.
absl::StatusOr<kj::Maybe<kj::Own<kj::TlsContext>>> LoadTls(const Address& address,
                                                           const TlsFiles& tls);

// The meaning of OpenSSL's `message` about a handshake that failed, and the message.
std::string ExplainTls(const std::string& message);

}  // namespace foretell::snapshot
