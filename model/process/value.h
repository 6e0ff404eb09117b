#pragma once

// Messages are values, and people read them: numbers and texts travel as they are written, lists
// of numbers with spaces in between, anything else with fields as hexadecimal digits of its bytes.

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "foretell/model/typed/fields.h"

namespace foretell::model::process {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = std::is_integral_v<T> && !std::is_same_v<T, bool>;

std::string ToHex(std::string_view bytes);
std::optional<std::string> FromHex(std::string_view digits);

template <class T>
std::string ToText(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_integral_v<T>) {
    char digits[24];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, +value).ptr);
  } else if constexpr (kIsList<T>) {
    std::string text;
    for (const auto& element : value) text += (text.empty() ? "" : " ") + ToText(element);
    return text;
  } else {
    return ToHex(Encode(value));
  }
}

template <class T>
bool ParseNumber(std::string_view text, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = text == "1";
    return text == "0" || text == "1";
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }
}

// Nothing if `text` is not the text of a T: sender and receiver do not agree on what they say.
template <class T>
std::optional<T> FromText(const std::string& text) {
  T value{};
  if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_integral_v<T>) {
    if (!ParseNumber(text, value)) return std::nullopt;
    return value;
  } else if constexpr (kIsList<T>) {
    for (std::string_view rest = text; !rest.empty();) {
      const size_t end = rest.find(' ');
      if (!ParseNumber(rest.substr(0, end), value.emplace_back())) return std::nullopt;
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return value;
  } else {
    const std::optional<std::string> bytes = FromHex(text);
    return bytes ? Decode<T>(*bytes) : std::nullopt;
  }
}

}  // namespace foretell::model::process
