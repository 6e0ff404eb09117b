#pragma once

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace foretell::live {

// The link between an agent and a node: a unix socket before the node's own, which passes on what
// both sides say, or does not.
class LinkRelay {
 public:
  // Listens on `path`; connects to `node`, another path, for each connection that comes.
  LinkRelay(std::string path, std::string node);
  ~LinkRelay();
  LinkRelay(const LinkRelay&) = delete;
  LinkRelay& operator=(const LinkRelay&) = delete;

  // Ends all connections, and every new one at once.
  void Cut() { cut_ = true; }
  // Passes nothing on, and ends nothing.
  void Stall() { stalled_ = true; }
  // From now on all is well; what was stalled goes on.
  void Heal() { cut_ = stalled_ = false; }

 private:
  // One direction of a connection has its end in the other.
  struct Pair {
    int agent = -1;
    int node = -1;
  };
  void Serve();
  void Take();
  // False if the pair has ended.
  static bool PassOn(int from, int to);

  const std::string path_;
  const std::string node_;
  int listener_ = -1;
  std::atomic<bool> cut_ = false;
  std::atomic<bool> stalled_ = false;
  std::atomic<bool> stopping_ = false;
  std::vector<Pair> pairs_;
  std::thread thread_;
};

}  // namespace foretell::live
