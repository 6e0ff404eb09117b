#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/process/request.h"

namespace foretell::model::process {

// What an event at the mailboxes touched: all that it can have to do with other events follows.
struct Touch {
  enum class Kind : uint8_t { kSend, kRecv, kLook };
  Kind kind = Kind::kLook;
  // kSend, kRecv: its mailboxes, and those of what it met.
  std::vector<std::string> mailboxes;
  bool several = false;  // It or what it met was for several mailboxes.
  // kSend, kRecv: its own post, then the one that it met, unless that does not notice. kLook: the
  // posts it looked at and what they have met.
  std::vector<Post> posts;
};

// All mailboxes of a program: what is posted and not met, and what has met and was not seen yet.
// Requests meet in the order in which they were posted (paper section 2.2). A value: equal offices
// go on equally.
struct Office {
  // A post that waits for its counterpart.
  struct Offer {
    bool sends = false;
    std::string value;
    std::vector<std::string> mailboxes;
    bool buffered = false;
    FORETELL_FIELDS(sends, value, mailboxes, buffered)
  };
  // A post that has met its counterpart, for who made it.
  struct Ready {
    std::string value;
    uint32_t mailbox = 0;  // As in Completed.
    Post with;             // The counterpart; itself if it is done before there is one.
    FORETELL_FIELDS(value, mailbox, with)
  };
  // A process that waits for an answer.
  struct Asker {
    std::vector<uint32_t> posts;  // Answered with one of these ...
    std::vector<uint32_t> until;  // ... when one of these is done.
    uint32_t expires = 0;         // In milliseconds; 0: never.
    bool tests = false;           // Without success is an answer, too.
    FORETELL_FIELDS(posts, until, expires, tests)
  };

  std::map<std::string, std::vector<Post>> queues;  // By mailbox, in the order of posting.
  std::map<Post, Offer> offers;
  std::map<Post, Ready> ready;  // Used up by a Wait or a Test.
  std::map<uint32_t, Asker> askers;
  FORETELL_FIELDS(queues, offers, ready, askers)

  // The posts that a receive on `from` can meet now, one per mailbox at most: any of them.
  std::vector<Post> Heads(const RecvRequest& request) const;
  // The posts among `numbers` of `process` that are done, by index.
  std::vector<uint32_t> Done(uint32_t process, const std::vector<uint32_t>& numbers) const;

  // What a send to its mailbox meets now.
  std::optional<Post> Head(const SendRequest& request) const;
  // What is there from the beginning. REQUIRES: nobody receives yet.
  void Put(Post post, const std::string& mailbox, const std::string& value);
  void PostSend(uint32_t process, const SendRequest& request);
  // REQUIRES: `head` is one of Heads, or there are none.
  void PostRecv(uint32_t process, const RecvRequest& request, std::optional<Post> head);
  // Answers with the index-th of `numbers`, which is done, and forgets it.
  Completed Take(uint32_t process, const std::vector<uint32_t>& numbers, uint32_t index);

  // What these would touch.
  Touch TouchOf(uint32_t process, const SendRequest& request) const;
  Touch TouchOf(uint32_t process, const RecvRequest& request, std::optional<Post> head) const;
  Touch TouchOf(uint32_t process, const std::vector<uint32_t>& looked_at) const;

 private:
  std::optional<Post> First(const std::string& mailbox, bool sends) const;
  void Enqueue(Post post, Offer offer);
  Offer Dequeue(Post post);
};

}  // namespace foretell::model::process
