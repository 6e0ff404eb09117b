#include "foretell/tests/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "foretell/model/check.h"

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

Ratio RatioOfMeans(const std::vector<double>& a, const std::vector<double>& b) {
  FORETELL_CHECK(a.size() == b.size());
  constexpr int kDraws = 10'000;
  std::mt19937_64 random(1);
  std::vector<double> ratios;
  for (int i = 0; i < kDraws; ++i) {
    double sum_a = 0;
    double sum_b = 0;
    for (size_t n = 0; n < a.size(); ++n) {
      const size_t drawn = random() % a.size();
      sum_a += a[drawn];
      sum_b += b[drawn];
    }
    ratios.push_back(sum_a / sum_b);
  }
  return {Mean(a) / Mean(b), {Quantile(ratios, 0.025), Quantile(ratios, 0.975)}};
}

}  // namespace foretell::bench
