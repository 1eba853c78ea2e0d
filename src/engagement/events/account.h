// The account of what became of mails: the one way in which happenings become rows.
//
// A happening is noted once, however often it is told (notifications are delivered again, jobs run
// again, answers get lost, two nodes hear the same): its row, the counters, what is kept of the
// mail and of the person, and what follows from it (a suppression, a webhook's delivery) are one
// transaction. So counters equal rows after any crash.
#pragma once

#include "base/refusal.h"
#include "engagement/events/happening.h"
#include "engagement/events/witness.h"
#include "outbox/mail/mail.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mailroom::engagement {

// How many were new, and how many were known already.
struct Noted {
    std::size_t added = 0, known = 0;
};

// What is kept of a mail whose events count.
struct FollowedMail {
    std::string id;
    std::string email;  // Canonical; empty if it went to several.
    std::string template_key, sequence_id, subject, message_id;
    outbox::Stream stream = outbox::Stream::transactional;
    std::optional<Time> sent;
};

// Thread-safe.
class Account {
public:
    virtual ~Account() = default;

    // Durable when it returns. Each by itself: if one cannot be noted those before it are, and to
    // tell all of them again is harmless. `invalid` for one without an id, or with an address that
    // is none where its type needs one.
    virtual Answer<Noted> note(std::span<const Happening> happenings) = 0;

    // What is known of the mail: soon after it was accepted, for as long as events are kept, and
    // at least as long as the outbox keeps the mail. None if nothing is.
    virtual Result<std::optional<FollowedMail>> find_mail(const std::string& mail_id) = 0;
    // The same by the Message-ID that it left with; with or without brackets, and without what a
    // provider put behind an @.
    virtual Result<std::optional<FollowedMail>> find_by_message_id(std::string_view message_id) = 0;

    // Before anything is noted; must outlive this object.
    virtual void tell(Witness& witness) = 0;
};

}  // namespace mailroom::engagement
