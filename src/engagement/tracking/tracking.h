// All of tracking, put together.
#pragma once

#include "engagement/events/account.h"
#include "engagement/tracking/hit_digest.h"
#include "engagement/tracking/hit_journal.h"
#include "engagement/tracking/link_counts.h"
#include "engagement/tracking/links.h"
#include "engagement/tracking/mail_tailor.h"
#include "engagement/tracking/recent_hits.h"
#include "engagement/tracking/tokens.h"
#include "engagement/tracking/tracking_settings.h"
#include "program/program.h"

#include <memory>

namespace mailroom::engagement {

// Thread-safe.
class Tracking {
public:
    // All must outlive the result, which must outlive whatever `account` notes. Makes up a secret
    // for links if there is none yet; that one is believed for ever.
    static Result<std::unique_ptr<Tracking>> open(const program::Ground& ground,
                                                  const TrackingSettings& settings,
                                                  const Settings& of_engagement, Account& account,
                                                  MayTrack may_track);

    const Tokens& tokens() const { return tokens_; }
    const Links& links() const { return links_; }
    outbox::Tailor& tailor() { return tailor_; }

    // What whoever follows a link sees that is none of ours.
    using BadLink = std::function<program::Rendered(const program::Asked&)>;
    void add_routes(program::Api& api, BadLink bad_link);
    void add_metrics(program::Metrics& metrics);
    program::Work job();

private:
    Tracking(const program::Ground& ground, const TrackingSettings& settings,
             const Settings& of_engagement, Account& account, MayTrack may_track, TokenKeys keys);

    const TrackingSettings& settings_;
    const Clock& clock_;
    const Tokens tokens_;
    const Links links_;
    MailTailor tailor_;
    RecentHits recent_;
    LinkCounts link_counts_;
    HitDigest digest_;
    HitJournal journal_;
};

}  // namespace mailroom::engagement
