#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/service.h"

namespace foretell::integration::sdk {

// Counts what happens at a live node by kind and name, for the weights of random walks
// (`foretell check --weights FILE`). What is adverse is left out: nobody counts on it.
class EventCounter {
 public:
  explicit EventCounter(const model::Service& service);

  void Count(const model::Event& event);
  // A line for each that happened: "timer Retransmit 12".
  std::vector<std::string> Lines() const;

 private:
  // One count per name; one in all if the service has no names.
  struct Row {
    std::string word;
    std::vector<std::string> names;
    std::vector<uint64_t> counts;
  };
  static Row MakeRow(std::string word, std::vector<std::string> names);

  const model::Service& service_;
  Row deliveries_;
  Row timers_;
  Row calls_;
  Row restarts_;
};

}  // namespace foretell::integration::sdk
