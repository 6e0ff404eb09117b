#include "foretell/integration/raft/library/translate.h"

extern "C" {
#include <raft.h>
}

namespace foretell::integration::raft {

Entry FromLibrary(const ::raft_entry& entry) {
  Entry read{.term = entry.term, .type = static_cast<EntryType>(entry.type), .data = ""};
  if (read.type != EntryType::kChange) {
    read.data.assign(static_cast<const char*>(entry.buf.base), entry.buf.len);
  }
  return read;
}

std::optional<Message> FromLibrary(const ::raft_message& message) {
  switch (message.type) {
    case RAFT_IO_REQUEST_VOTE: {
      const raft_request_vote& m = message.request_vote;
      return RequestVote{m.term, m.last_log_index, m.last_log_term, m.disrupt_leader, m.pre_vote};
    }
    case RAFT_IO_REQUEST_VOTE_RESULT: {
      const raft_request_vote_result& m = message.request_vote_result;
      return RequestVoteResult{m.term, m.vote_granted, static_cast<Tribool>(m.pre_vote)};
    }
    case RAFT_IO_APPEND_ENTRIES: {
      const raft_append_entries& m = message.append_entries;
      AppendEntries read{m.term, m.prev_log_index, m.prev_log_term, m.leader_commit, {}};
      for (unsigned i = 0; i < m.n_entries; ++i) read.entries.push_back(FromLibrary(m.entries[i]));
      return read;
    }
    case RAFT_IO_APPEND_ENTRIES_RESULT: {
      const raft_append_entries_result& m = message.append_entries_result;
      return AppendEntriesResult{m.term, m.rejected, m.last_log_index};
    }
    default: return std::nullopt;
  }
}

}  // namespace foretell::integration::raft
