#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {

std::span<const Target> AllTargets() {
  static constexpr Target kTargets[] = {{"archive", RunArchive, ArchiveSeeds},
                                        {"bundle", RunBundle, BundleSeeds},
                                        {"checkpoint", RunCheckpoint, CheckpointSeeds},
                                        {"client", RunClient, ClientSeeds},
                                        {"exec", RunExec, ExecSeeds},
                                        {"journal", RunJournal, JournalSeeds},
                                        {"peer", RunPeer, PeerSeeds},
                                        {"plugin", RunPlugin, PluginSeeds},
                                        {"rpc", RunRpc, RpcSeeds},
                                        {"service", RunService, ServiceSeeds},
                                        {"store", RunStore, StoreSeeds},
                                        {"wire", RunWire, WireSeeds}};
  return kTargets;
}

}  // namespace foretell::fuzz
