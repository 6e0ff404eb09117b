#include "tests/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "model/check.h"

namespace foretell::bench {

double Quantile(std::vector<double> values, double share) {
  FORETELL_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

double Mean(const std::vector<double>& values) {
  FORETELL_CHECK(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Interval MedianInterval(const std::vector<double>& values) {
  constexpr int kDraws = 10'000;
  std::mt19937_64 random(1);
  std::vector<double> medians;
  std::vector<double> drawn(values.size());
  for (int i = 0; i < kDraws; ++i) {
    for (double& value : drawn) value = values[random() % values.size()];
    medians.push_back(Median(drawn));
  }
  return {Quantile(medians, 0.025), Quantile(medians, 0.975)};
}

}  // namespace foretell::bench
