// The mails of sequences as they go out: a template of its key, as it is at that time, through the
// outbox.
#pragma once

#include "campaigns/sequences/runner.h"
#include "campaigns/templates/press.h"
#include "campaigns/templates/templates.h"
#include "outbox/accept/outbox.h"
#include "outbox/accept/request.h"

#include <string>

namespace mailroom::campaigns {

// Thread-safe.
class LetterMails final : public SequenceMails {
public:
    // All must outlive this object. `has_links`: it is known where links in mails lead.
    LetterMails(const Templates& templates, Press& press, outbox::Outbox& outbox, bool has_links)
        : templates_(templates), press_(press), outbox_(outbox), has_links_(has_links) {}

    Answer<> add_to(schedule::Transaction& together, const Mail& mail) override;
    Result<bool> has(const std::string& send_key) override;

private:
    Answer<outbox::Request> request(const Mail& mail);

    const Templates& templates_;
    Press& press_;
    outbox::Outbox& outbox_;
    const bool has_links_;
};

}  // namespace mailroom::campaigns
