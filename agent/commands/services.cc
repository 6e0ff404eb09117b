#include "foretell/agent/commands/services.h"

#include "foretell/agent/commands/service_listing.h"
#include "foretell/agent/console/files.h"

namespace foretell::agent {

int RunServices(const ServicesArgs& args, const Parts& parts, Streams& streams) {
  const auto services = ListServices(parts.catalog);
  if (!services.ok()) return Fail(streams, services.status());
  if (args.json == "-") {
    streams.out << ListingJson(*services) << std::flush;
    return kExitNothing;
  }
  if (!args.json.empty()) {
    const absl::Status written = WriteFileAtomically(args.json, ListingJson(*services));
    return written.ok() ? static_cast<int>(kExitNothing) : Fail(streams, written);
  }
  streams.out << ListingText(*services, streams.out_look) << std::flush;
  return kExitNothing;
}

}  // namespace foretell::agent
