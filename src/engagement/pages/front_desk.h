// All pages for people, put together.
#pragma once

#include "engagement/pages/confirmation_mails.h"
#include "engagement/pages/leaving.h"
#include "engagement/pages/page.h"
#include "engagement/pages/page_settings.h"
#include "engagement/pages/reception.h"
#include "engagement/tracking/tracking.h"
#include "people/consent/preferences.h"
#include "people/consent/topics.h"
#include "program/program.h"

namespace mailroom::engagement {

// Thread-safe.
class FrontDesk {
public:
    // All must outlive this object, which must live as long as `preferences` is asked. Mails that
    // ask people to confirm are sent if it is known from whom and where their links lead.
    FrontDesk(const program::Ground& ground, people::People& people,
              people::Preferences& preferences, outbox::Outbox& outbox, Account& account,
              const Tracking& tracking, const TrackingSettings& tracking_settings,
              const PageSettings& page_settings);

    Leaving& leaving() { return leaving_; }
    const Reception& reception() const { return reception_; }
    void add_routes(program::Api& api);
    program::Work job();

private:
    const people::Preferences& preferences_;
    const Tracking& tracking_;
    const Pages pages_;
    const people::TopicCatalog topics_;
    const Reception reception_;
    Leaving leaving_;
    ConfirmationMails mails_;
};

}  // namespace mailroom::engagement
