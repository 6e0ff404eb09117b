#pragma once

// Values with fields (model/typed/fields.h) as canonical bytes, and back.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/typed/auxiliary.h"
#include "foretell/model/typed/field_type.h"
#include "foretell/model/typed/node_set.h"
#include "foretell/model/typed/per_node.h"

namespace foretell::model {

// Integers that lie side by side: those of a vector, unless of bool.
template <class C>
concept HoldsIntegers = requires(const C& c) {
  requires kIsInteger<std::remove_cvref_t<decltype(*c.data())>>;
};

// Where an Encoder's bytes go: on the stack while they are few.
class EncoderBuffer {
 public:
  // The most bytes that an integer takes.
  static constexpr size_t kVarintMax = 10;
  // An integer fits at `end` still: whether one fits is the question `at <= end`, which is asked
  // for each. `at` can thus be up to kVarintMax after `end`.
  struct Place {
    char* at;
    char* end;
  };
  EncoderBuffer() = default;
  EncoderBuffer(const EncoderBuffer&) = delete;
  EncoderBuffer& operator=(const EncoderBuffer&) = delete;

  // About `size` bytes are expected. The memory of `spare` is used if that is about as much.
  Place Start(size_t size, std::string spare) {
    if (size <= kFewBytes) return {few_, few_ + kFewBytes};
    const size_t room = size + kVarintMax;
    if (spare.capacity() < room || spare.capacity() / 2 > room) return Grow(few_, size);
    many_ = std::move(spare);
    many_.resize(room);
    return {many_.data(), many_.data() + size};
  }
  // Everything before `at` is kept; at least `size` more bytes and an integer fit. Away from the
  // path that is taken each time.
  __attribute__((noinline)) Place Grow(const char* at, size_t size) {
    const char* begin = many_.empty() ? few_ : many_.data();
    const auto used = static_cast<size_t>(at - begin);
    std::string more;
    more.resize(used + std::max(used, size) + kVarintMax);
    std::memcpy(more.data(), begin, used);
    many_ = std::move(more);
    return {many_.data() + used, many_.data() + many_.size() - kVarintMax};
  }
  // Everything before `at`. Ends the buffer's life.
  std::string Take(const char* at) {
    if (many_.empty()) return std::string(few_, static_cast<size_t>(at - few_));
    many_.resize(static_cast<size_t>(at - many_.data()));
    return std::move(many_);
  }

 private:
  static constexpr size_t kFewBytes = 256;
  char few_[kFewBytes + kVarintMax];
  std::string many_;  // Empty while few_ is used.
};

// How much of a value is written: all of it, or what others may depend on
// (model/typed/auxiliary.h).
enum class Part : uint8_t { kAll, kRelevant };

// Appends canonical bytes. Both checkers, which encode millions of small states, and live nodes,
// which encode large ones while they should be doing something else, wait for it. It knows its
// buffer by pointer only: no byte that is written can then be a part of an encoder that is local to
// a function, and a compiler keeps it in registers.
template <Part kPart>
class BasicEncoder {
 public:
  // `buffer` outlives the encoder. About `size` bytes are expected.
  BasicEncoder(EncoderBuffer& buffer, size_t size, std::string spare)
      : buffer_(&buffer), place_(buffer.Start(size, std::move(spare))) {}

  template <class T>
  void operator()(const char*, const T& value) {
    Put(value);
  }
  template <class T>
  void Auxiliary(const char*, const T& value) {
    if constexpr (kPart == Part::kAll) Put(value);
  }

  template <class T>
  requires kIsInteger<T>
  void Put(const T& value) { PutVarint(Raw(value)); }
  void Put(const std::string& text) {
    PutVarint(text.size());
    Reserve(text.size());
    std::memcpy(place_.at, text.data(), text.size());
    place_.at += text.size();
  }
  template <class T, size_t N>
  void Put(const std::array<T, N>& values) {
    for (const T& value : values) Put(value);
  }
  template <class T>
  void Put(const std::vector<T>& values) {
    // Said once, however many kinds of encoder are made for a type.
    static_assert(kPart != Part::kAll || !std::is_empty_v<T>,
                  "elements without fields say nothing: keep a count");
    PutAll(values);
  }
  template <class T>
  void Put(const std::set<T>& values) {
    PutAll(values);
  }
  template <class K, class T>
  void Put(const std::map<K, T>& values) {
    PutAll(values);
  }
  template <class T>
  void Put(const PerNode<T>& value) {
    Put(value.values());
  }
  template <class A, class B>
  void Put(const std::pair<A, B>& value) {
    Put(value.first);
    Put(value.second);
  }
  template <class T>
  void Put(const std::optional<T>& value) {
    PutVarint(value ? 1 : 0);
    if (value) Put(*value);
  }
  template <class... Ts>
  void Put(const std::variant<Ts...>& value) {
    PutVarint(value.index());
    std::visit([this](const auto& alternative) { this->Put(alternative); }, value);
  }
  template <class T>
  void Put(const model::Auxiliary<T>& value) {
    if constexpr (kPart == Part::kAll) Put(AuxiliaryKey::Of(value));
  }
  // Structs, and what cannot be a field, which FieldType refuses. Fields is shared with the
  // decoder, which writes; an encoder only reads.
  template <class T>
  void Put(const T& value) {
    VisitFields(const_cast<T&>(value), *this);
  }

  // Ends the life of encoder and buffer.
  std::string Take() { return buffer_->Take(place_.at); }

 private:
  static constexpr uint64_t kFollows = 0x8080808080808080;
  // Indexed by how many bytes come before the last.
  static constexpr uint64_t kFollowsBefore[] = {
      0, 0x80, 0x8080, 0x808080, 0x80808080, 0x8080808080, 0x808080808080, 0x80808080808080,
  };
  static constexpr uint64_t kSpreadEnd = uint64_t{1} << 28;  // Spread takes what is below.
  static constexpr size_t kGroup = 4;
  static_assert(kGroup <= EncoderBuffer::kVarintMax);

  // All that an element consists of is inlined here, whatever a compiler thinks of it, and written
  // by a copy that nobody else knows: where there is a call, or any byte could be a part of *this,
  // the encoder lives in memory, and a large state takes longer.
  template <class C>
  __attribute__((flatten)) void PutAll(const C& values) {
    BasicEncoder own = *this;
    own.PutVarint(values.size());
    if constexpr (HoldsIntegers<C>) {
      own.PutIntegers(values.data(), values.data() + values.size());
    } else {
      for (const auto& value : values) own.Put(value);
    }
    place_ = own.place_;
  }
  // Integers of one vector tend to be of a size. What there is to decide is decided once for a
  // group; if all are small, a byte each is copied, and if some are, none is worth a branch.
  template <class T>
  __attribute__((always_inline)) void PutIntegers(const T* value, const T* end) {
    for (; static_cast<size_t>(end - value) >= kGroup; value += kGroup) {
      uint64_t any = 0;
      for (size_t i = 0; i < kGroup; ++i) any |= Raw(value[i]);
      if (any < 0x80) {
        Reserve();
        for (size_t i = 0; i < kGroup; ++i) place_.at[i] = static_cast<char>(Raw(value[i]));
        place_.at += kGroup;
      } else if (any < kSpreadEnd) {
        for (size_t i = 0; i < kGroup; ++i) {
          Reserve();
          const uint32_t spread = Spread(static_cast<uint32_t>(Raw(value[i])));
          place_.at = WriteSpread(spread, spread | 1, place_.at);
        }
      } else {
        for (size_t i = 0; i < kGroup; ++i) PutVarint(Raw(value[i]));
      }
    }
    for (; value != end; ++value) PutVarint(Raw(*value));
  }
  // Signed ones alternate: 0, -1, 1, -2, ...
  template <class T>
  __attribute__((always_inline)) static uint64_t Raw(T value) {
    if constexpr (!kIsScalar<T>) {
      return value.value();
    } else if constexpr (std::is_enum_v<T>) {
      return Raw(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_signed_v<T>) {
      const auto wide = static_cast<int64_t>(value);
      return (static_cast<uint64_t>(wide) << 1) ^ static_cast<uint64_t>(wide >> 63);
    } else {
      return value;
    }
  }
  __attribute__((always_inline)) void PutVarint(uint64_t value) {
    Reserve();
    place_.at = WriteVarint(value, place_.at);
  }
  // Uses up to kVarintMax bytes, returns where they end. Without a loop: how often it would run
  // is what a processor cannot guess.
  __attribute__((always_inline)) static char* WriteVarint(uint64_t value, char* at) {
    if (value < 0x80) {
      *at = static_cast<char>(value);
      return at + 1;
    }
    if (value < kSpreadEnd) {
      const uint32_t spread = Spread(static_cast<uint32_t>(value));
      return WriteSpread(spread, spread, at);
    }
    // Like Spread, for the lowest 56 bits.
    uint64_t spread = (value & 0x0fffffff) | (value & 0x00fffffff0000000) << 4;
    spread += 3 * (spread & 0x0fffc0000fffc000);
    spread += spread & 0x3f803f803f803f80;
    if (value >> 56 == 0) return WriteSpread(spread, spread, at);
    Write(spread | kFollows, at);
    // The highest bit is where a ninth byte says that a tenth follows, and is all of the tenth.
    at[8] = static_cast<char>(value >> 56);
    at[9] = 1;
    return at + 9 + (value >> 63);
  }
  // Seven bits to a byte, for 28 bits: halves move apart, then halves of these. What moves by one
  // bit is added once more, what moves by two bits three times more.
  __attribute__((always_inline)) static uint32_t Spread(uint32_t value) {
    value += 3 * (value & 0x0fffc000);
    return value + (value & 0x3f803f80);
  }
  // All bytes but the last that matters say that another follows. `highest` has the highest bit of
  // `spread`, and one if that has none.
  template <class Word>
  __attribute__((always_inline)) static char* WriteSpread(Word spread, uint64_t highest, char* at) {
    const size_t before_last = static_cast<unsigned>(63 ^ __builtin_clzll(highest)) / 8;
    Write(static_cast<Word>(spread | kFollowsBefore[before_last]), at);
    return at + before_last + 1;
  }
  template <class Word>
  __attribute__((always_inline)) static void Write(Word bytes, char* at) {
    if constexpr (std::endian::native == std::endian::big) {
      bytes = static_cast<Word>(__builtin_bswap64(bytes) >> (64 - 8 * sizeof(Word)));
    }
    std::memcpy(at, &bytes, sizeof(bytes));
  }
  // For an integer, or for `size` bytes and an integer.
  __attribute__((always_inline)) void Reserve() {
    if (place_.at > place_.end) place_ = buffer_->Grow(place_.at, 0);
  }
  __attribute__((always_inline)) void Reserve(size_t size) {
    if (place_.end - place_.at < static_cast<std::ptrdiff_t>(size)) {
      place_ = buffer_->Grow(place_.at, size);
    }
  }

  EncoderBuffer* buffer_;
  EncoderBuffer::Place place_;
};

using Encoder = BasicEncoder<Part::kAll>;

// Reads what Encoder wrote. Bytes can come from outside: a bad one makes ok() false, after which
// values are unspecified but harmless. Non-canonical input is bad input.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  // Nothing is left over and all was well.
  bool Done() const { return ok_ && bytes_.empty(); }

  template <class T>
  void operator()(const char*, T& value) {
    static_assert(!std::is_const_v<T>,
                  "a field cannot be const: a state that is read back is written into it");
    if constexpr (!std::is_const_v<T>) Get(value);
  }
  template <class T>
  void Auxiliary(const char* name, T& value) {
    (*this)(name, value);
  }

  template <class T>
  requires kIsScalar<T>
  void Get(T& value) {
    const uint64_t raw = GetVarint();
    if constexpr (std::is_same_v<T, bool>) {
      value = raw == 1;
      ok_ = ok_ && raw <= 1;
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(Narrow<std::underlying_type_t<T>>(raw));
    } else {
      value = Narrow<T>(raw);
    }
  }
  template <class Tag>
  void Get(Id<Tag>& id) {
    id = Id<Tag>(Narrow<uint32_t>(GetVarint()));
  }
  void Get(NodeSet& set) { set = NodeSet(GetVarint()); }
  void Get(std::string& text) {
    const size_t size = GetSize();
    text.assign(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
  }
  template <class T, size_t N>
  void Get(std::array<T, N>& values) {
    for (T& value : values) Get(value);
  }
  template <class T>
  void Get(std::vector<T>& values) {
    values.assign(GetSize(), T());
    for (T& value : values) Get(value);
  }
  template <class T>
  void Get(std::set<T>& values) {
    GetOrdered<T>(values, [](const T& value) -> const T& { return value; });
  }
  template <class K, class T>
  void Get(std::map<K, T>& values) {
    GetOrdered<std::pair<K, T>>(values, [](const auto& entry) -> const K& { return entry.first; });
  }
  template <class T>
  void Get(PerNode<T>& value) {
    Get(value.values());
  }
  template <class A, class B>
  void Get(std::pair<A, B>& value) {
    Get(value.first);
    Get(value.second);
  }
  template <class T>
  void Get(std::optional<T>& value) {
    const uint64_t present = GetVarint();
    ok_ = ok_ && present <= 1;
    value.reset();
    if (ok_ && present == 1) Get(value.emplace());
  }
  template <class... Ts>
  void Get(std::variant<Ts...>& value) {
    GetAlternative(value, GetVarint(), std::index_sequence_for<Ts...>());
  }
  template <class T>
  void Get(model::Auxiliary<T>& value) {
    Get(AuxiliaryKey::Of(value));
  }
  template <class T>
  void Get(T& value) {
    VisitFields(value, *this);
  }

 private:
  template <class T>
  T Narrow(uint64_t raw) {
    if constexpr (std::is_signed_v<T>) {
      const auto wide = static_cast<int64_t>(raw >> 1) ^ -static_cast<int64_t>(raw & 1);
      ok_ = ok_ && wide == static_cast<int64_t>(static_cast<T>(wide));
      return static_cast<T>(wide);
    } else {
      ok_ = ok_ && raw == static_cast<uint64_t>(static_cast<T>(raw));
      return static_cast<T>(raw);
    }
  }
  // Sets and maps: elements must come in strictly rising order, or equal values would have
  // different encodings.
  template <class Element, class C, class KeyOf>
  void GetOrdered(C& values, KeyOf key_of) {
    values.clear();
    for (size_t left = GetSize(); left > 0 && ok_; --left) {
      Element element{};
      Get(element);
      if (!values.empty() && !(key_of(*values.rbegin()) < key_of(element))) ok_ = false;
      values.insert(values.end(), std::move(element));
    }
  }
  template <class Variant, size_t... I>
  void GetAlternative(Variant& value, uint64_t index, std::index_sequence<I...>) {
    ok_ = ok_ && index < sizeof...(I);
    ((ok_ && index == I ? Get(value.template emplace<I>()) : void()), ...);
  }
  // Every element takes at least a byte, so a size beyond what is left is a lie; believing it
  // would let a hostile peer make us allocate.
  size_t GetSize() {
    const uint64_t size = GetVarint();
    if (size > bytes_.size()) ok_ = false;
    return ok_ ? static_cast<size_t>(size) : 0;
  }
  uint64_t GetVarint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = static_cast<uint8_t>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) {
        if ((byte == 0 && shift > 0) || (shift == 63 && byte > 1)) ok_ = false;
        return value;
      }
    }
    ok_ = false;
    return 0;
  }

  std::string_view bytes_;
  bool ok_ = true;
};

// `size`: about how many bytes it will be, if known. `spare`: memory that may be used for them.
template <class T>
std::string Encode(const T& value, size_t size = 0, std::string spare = {}) {
  EncoderBuffer buffer;
  Encoder encoder(buffer, size, std::move(spare));
  encoder.Put(value);
  return encoder.Take();
}

// The bytes that two values share iff they differ in auxiliary fields only. Cannot be decoded.
template <class T>
std::string EncodeRelevant(const T& value) {
  EncoderBuffer buffer;
  BasicEncoder<Part::kRelevant> encoder(buffer, 0, {});
  encoder.Put(value);
  return encoder.Take();
}

// Nothing if `bytes` is not exactly the encoding of a T.
template <class T>
std::optional<T> Decode(std::string_view bytes) {
  T value{};
  Decoder decoder(bytes);
  decoder.Get(value);
  if (!decoder.Done()) return std::nullopt;
  return value;
}

}  // namespace foretell::model
