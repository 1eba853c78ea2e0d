// Engagement as a program: its settings and tables, the account of what became of mails, and the
// jobs that keep it.
#pragma once

#include "engagement/events/account.h"
#include "engagement/notifications/notification_settings.h"
#include "engagement/pages/page_settings.h"
#include "engagement/settings.h"
#include "engagement/tracking/links.h"
#include "engagement/tracking/tracking_settings.h"
#include "outbox/accept/tailor.h"
#include "outbox/program.h"
#include "people/program.h"
#include "program/periodic.h"
#include "program/program.h"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace mailroom::engagement {

// Thread-safe once it runs.
class Program final : public program::Program {
public:
    // Both must outlive this object, and be opened before it.
    Program(people::Program& people, outbox::Program& outbox);
    ~Program() override;

    void add_settings(program::Settings& list) override;
    Result<> check_settings() const override;
    std::vector<table::OwnTable> tables() const override;
    Result<> open(const program::Ground& ground) override;
    void add_routes(program::Api& api) override;
    void add_metrics(program::Metrics& metrics) override;
    std::vector<program::Work> jobs() override;
    void start() override;
    void stop(std::chrono::milliseconds grace) override;

    const Settings& settings() const { return settings_; }
    // From open() on.
    Account& account();
    // Makes mails fit their person, and the links in them.
    outbox::Tailor& tailor();
    const Links& links() const;

private:
    struct Parts;

    people::Program& people_;
    outbox::Program& outbox_;
    Settings settings_;
    TrackingSettings tracking_settings_;
    PageSettings page_settings_;
    notifications::NotificationSettings notification_settings_;
    std::unique_ptr<Parts> parts_;  // From open() on.
    bool is_shared_ = false;
    std::optional<program::Periodic> refreshing_, folding_;  // Where other nodes are at work, too.
};

}  // namespace mailroom::engagement
