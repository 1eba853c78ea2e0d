// Message identifiers (RFC 5322, 3.6.4).
#pragma once

#include "base/random.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

struct MessageId {
    std::string value;  // As written, without the angle brackets.

    // For looking up and comparing: lower case.
    std::string canonical() const;
    // `<value>`, for a header.
    std::string bracketed() const;
    bool operator==(const MessageId&) const = default;
};

constexpr std::size_t message_id_bytes_max = 998;  // One line. Longer ones are left out.
// Of one list. The first tell the root of a conversation, the last the nearest ancestors.
constexpr std::size_t first_ids_kept = 10;
constexpr std::size_t last_ids_kept = 90;

// The ids of a Message-ID, In-Reply-To or References field as it arrives, in order, each once
// (ignoring case). Takes ids broken by folding, doubled or missing brackets, comments and words
// between them; without any bracket, words with an `@`, or the only word there is.
std::vector<MessageId> parse_message_ids(std::string_view raw);

// At most `first_ids_kept` + `last_ids_kept` of them; the middle is dropped.
std::vector<MessageId> trim_references(std::vector<MessageId> ids);

// A new one: 128 bits of `random` before the domain of the sender (in ASCII; `invalid` in place of
// one that is not a domain, which RFC 2606 keeps free).
MessageId make_message_id(Random& random, std::string_view domain);

}  // namespace mailroom::mime
