// All pages for people, put together.
#pragma once

#include "engagement/pages/leaving.h"
#include "engagement/pages/page.h"
#include "engagement/pages/page_settings.h"
#include "engagement/pages/reception.h"
#include "engagement/tracking/tracking.h"
#include "people/consent/topics.h"
#include "program/program.h"

namespace mailroom::engagement {

// Thread-safe.
class FrontDesk {
public:
    // All must outlive this object.
    FrontDesk(const program::Ground& ground, people::People& people, Account& account,
              const Tracking& tracking, const TrackingSettings& tracking_settings,
              const PageSettings& page_settings);

    Leaving& leaving() { return leaving_; }
    void add_routes(program::Api& api);
    program::Work job();

private:
    const Tracking& tracking_;
    const Pages pages_;
    const people::TopicCatalog topics_;
    const Reception reception_;
    Leaving leaving_;
};

}  // namespace mailroom::engagement
