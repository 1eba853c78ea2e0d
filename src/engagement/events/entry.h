// A happening on its way into the account: with what is known of its mail, checked, and as a row.
#pragma once

#include "base/refusal.h"
#include "engagement/events/account.h"
#include "engagement/events/happening.h"
#include "table/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace mailroom::engagement {

inline constexpr std::size_t event_id_bytes_max = 200;
// What the seed calls the sequence of a mail that is of none.
inline constexpr std::string_view no_sequence = "fire_and_forget";

struct Entry {
    Happening happening;  // What it did not say is taken from its mail.
    std::string email;    // Canonical.
    std::string mail;     // What its mail is known by; empty: nothing is known of it.
};

// `invalid` for one without an id or a person, naming the member.
Answer<Entry> make_entry(const Happening& happening, const std::optional<FollowedMail>& mail);

// Its row, with the key: of EmailEvents, or of the send log in Audience. `until`: Unix seconds, 0:
// for ever.
table::Item row_of(const Entry& entry, const std::string& sort, std::int64_t until);

}  // namespace mailroom::engagement
