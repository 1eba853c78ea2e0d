// The mail that asks somebody whether they want our mails: in their language, as text, and without
// anything that is tracked.
#pragma once

#include "engagement/pages/page_settings.h"
#include "engagement/tracking/links.h"
#include "outbox/accept/outbox.h"
#include "people/consent/preferences.h"

namespace mailroom::engagement {

// Thread-safe.
class ConfirmationMails final : public people::ConfirmationMails {
public:
    // All must outlive this object; `settings` has a `from`, and `links` a base.
    ConfirmationMails(outbox::Outbox& outbox, const Links& links, const PageSettings& settings)
        : outbox_(outbox), links_(links), settings_(settings) {}

    Answer<> add_to(schedule::Transaction& transaction,
                    const people::ToConfirm& to_confirm) override;

private:
    outbox::Outbox& outbox_;
    const Links& links_;
    const PageSettings& settings_;
};

}  // namespace mailroom::engagement
