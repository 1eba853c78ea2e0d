// A rendered mail as the outbox is asked for it.
#pragma once

#include "base/refusal.h"
#include "campaigns/templates/letter.h"
#include "engagement/tracking/links.h"
#include "outbox/accept/request.h"

#include <string>

namespace mailroom::campaigns {

// By whom and to whom it goes, and what it is a part of.
struct Sending {
    std::string from_email, from_name;
    std::string reply_to = {};  // Empty: to the sender.
    std::string to = {};
    std::string sequence_id = {};  // Or a broadcast's.
    std::string topic = {};
    bool is_transactional = false;     // Then it goes without the means to unsubscribe.
    bool has_list_unsubscribe = true;  // With the fields that mail programs show as a button.
    bool tracks_opens = true, tracks_clicks = true;

    bool unsubscribes() const { return !is_transactional && has_list_unsubscribe; }
};

// For one whose mail does not unsubscribe() the links are not made when it is accepted: they are
// here, without the mail. `to` must be an address.
void give_links(Reader& reader, const Sending& sending, const engagement::Links& links);

// `bad_field`, as the members of Sending are called in JSON, for addresses that are none.
Answer<outbox::Request> mail_request(const Letter& letter, RenderedMail mail,
                                     const Sending& sending);

}  // namespace mailroom::campaigns
