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
// mean(a) / mean(b) of values that were measured in pairs, and where it lies with 95 % confidence:
// by drawing pairs again and again (bootstrap). Same values, same interval.
// REQUIRES: equally many, at least one.
struct Ratio {
  double value = 0;
  Interval sure;
};
Ratio RatioOfMeans(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace foretell::bench
