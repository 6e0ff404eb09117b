#pragma once

// What many runs say together.

#include <cstdint>
#include <vector>

namespace foretell::bench {

// The value below which `share` (0 to 1) of `values` lie. REQUIRES: not empty.
double Quantile(std::vector<double> values, double share);
inline double Median(std::vector<double> values) { return Quantile(std::move(values), 0.5); }
double Mean(const std::vector<double>& values);

struct Interval {
  double low = 0;
  double high = 0;
};
// Where the median of what `values` were drawn from lies, with 95 % confidence: by drawing from
// `values` again and again (bootstrap). Same values, same interval. REQUIRES: not empty.
Interval MedianInterval(const std::vector<double>& values);

}  // namespace foretell::bench
