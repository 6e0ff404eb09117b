#include "foretell/model/typed/type_name.h"

#include <cctype>

namespace foretell::model {

std::string DashedName(std::string_view enumerator) {
  const auto upper = [&](size_t i) {
    return i < enumerator.size() && std::isupper(static_cast<unsigned char>(enumerator[i])) != 0;
  };
  // The k of constants is no part of the name.
  if (enumerator.size() > 1 && enumerator.front() == 'k' && upper(1)) enumerator.remove_prefix(1);
  std::string name;
  for (size_t i = 0; i < enumerator.size(); ++i) {
    const bool begins_word = upper(i) && i > 0 && enumerator[i - 1] != '_' && !upper(i - 1);
    if (begins_word) name += '-';
    const char c = enumerator[i];
    name += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

}  // namespace foretell::model
