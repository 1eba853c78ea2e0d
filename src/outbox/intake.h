// Makes the messages of mails that need something from outside: attachments by path or URL.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "liquid/time_zone.h"
#include "net/http_client.h"
#include "outbox/attachments.h"
#include "outbox/blobs.h"
#include "outbox/compose.h"
#include "outbox/ledger.h"
#include "schedule/backoff.h"
#include "schedule/schedule.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace mailroom::outbox {

struct IntakeOptions {
    // Attachments by path are under it, symbolic links resolved. None: there are none by path.
    std::optional<std::filesystem::path> attachments_directory = std::nullopt;
    std::size_t attachment_bytes_max = 25 * 1024 * 1024;  // All of one mail.
    // From the first failure that may pass.
    std::chrono::seconds give_up_after = std::chrono::hours(1);
    schedule::Backoff backoff = {.first = std::chrono::seconds(15),
                                 .longest = std::chrono::minutes(10)};
};

// The handler of intake_queue. ACCEPTED -> INTAKING -> READY, and the job becomes one to send; or
// INVALID, with the reason. What a later try may mend (a server that does not answer) is tried
// again for a while. Thread-safe.
class Intake {
public:
    // All must outlive this object.
    Intake(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, net::HttpClient& http,
           const Clock& clock, Random& random, IntakeOptions options);

    void run(schedule::JobInHand job);

private:
    // What keeps a mail from being made.
    struct Problem {
        std::string reason;
        bool may_pass = false;
    };
    Result<Composed, Problem> make(const Mail& mail);

    // Each is one commit. A conflict means that the mail or the job is somebody else's by now.
    bool begin(schedule::Job& job, Mail& mail);
    void end_ready(schedule::Job& job, Mail& mail, Composed composed);
    void end_invalid(schedule::Job& job, Mail& mail, std::string reason);
    void put_off(schedule::Job& job, Mail& mail, const Problem& problem);
    bool commit(const schedule::Transaction& transaction, std::string_view id);

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Random& random_;
    const IntakeOptions options_;
    const AttachmentFetcher fetcher_;
    const liquid::TimeZones time_zones_;
    TemplateCache templates_;
};

}  // namespace mailroom::outbox
