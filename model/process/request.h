#pragma once

// What a process asks of its mailboxes, and what it gets: the four primitives of Rosa, Merz and
// Quinson (AVoCS 2010), over values instead of buffers.

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/typed/fields.h"

namespace foretell::model::process {

// A request that was posted, named by who posted it and how many that process had posted before.
// A communication is named by its posts: who came first in another mailbox does not show.
struct Post {
  uint32_t process = 0;
  uint32_t number = 0;
  friend auto operator<=>(const Post&, const Post&) = default;
  FORETELL_FIELDS(process, number)
};

// Posts the wish to send `value`.
struct SendRequest {
  static constexpr const char* kName = "Send";
  std::string to;  // A mailbox.
  std::string value;
  bool buffered = false;  // Done for the sender as soon as it is posted.
  uint32_t post = 0;      // Its number.
  friend bool operator==(const SendRequest&, const SendRequest&) = default;
  FORETELL_FIELDS(to, value, buffered, post)
};

// Posts the wish to receive from one of some mailboxes.
struct RecvRequest {
  static constexpr const char* kName = "Recv";
  std::vector<std::string> from;
  uint32_t post = 0;
  friend bool operator==(const RecvRequest&, const RecvRequest&) = default;
  FORETELL_FIELDS(from, post)
};

// Waits until one of some posts of its own has met its counterpart.
struct WaitRequest {
  static constexpr const char* kName = "Wait";
  std::vector<uint32_t> posts;
  uint32_t expires = 0;  // In milliseconds; 0: never. To a checker: at any time while none has.
  friend bool operator==(const WaitRequest&, const WaitRequest&) = default;
  FORETELL_FIELDS(posts, expires)
};

// Asks whether one of them has.
struct TestRequest {
  static constexpr const char* kName = "Test";
  std::vector<uint32_t> posts;
  // Not empty if it asks again and again, in vain, for these (with a time limit or without): there
  // is no answer before one of them is done.
  std::vector<uint32_t> polled;
  friend bool operator==(const TestRequest&, const TestRequest&) = default;
  FORETELL_FIELDS(posts, polled)
};

// It has come to its end.
struct EndRequest {
  static constexpr const char* kName = "End";
  friend bool operator==(const EndRequest&, const EndRequest&) = default;
};

using Request = std::variant<SendRequest, RecvRequest, WaitRequest, TestRequest, EndRequest>;

struct Posted {
  friend bool operator==(const Posted&, const Posted&) = default;
};

// One of the posts has met its counterpart, and is used up.
struct Completed {
  uint32_t index = 0;    // Of the post, among those that were asked about.
  std::string value;     // What a receive got.
  uint32_t mailbox = 0;  // Where, by index into RecvRequest::from.
  friend bool operator==(const Completed&, const Completed&) = default;
  FORETELL_FIELDS(index, value, mailbox)
};

// None has, yet.
struct Pending {
  friend bool operator==(const Pending&, const Pending&) = default;
};

using Result = std::variant<Posted, Completed, Pending>;

}  // namespace foretell::model::process
