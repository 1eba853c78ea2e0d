// Makes the messages of mails that need something from outside: attachments by path or URL.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "liquid/time_zone.h"
#include "net/http_client.h"
#include "outbox/accept/compose.h"
#include "outbox/blobs/blobs.h"
#include "outbox/fetching/attachments.h"
#include "outbox/mail/followers.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/destinations.h"
#include "schedule/backoff.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::outbox {

struct FetchingOptions {
    // Attachments by path are under it, symbolic links resolved. None: there are none by path.
    std::optional<std::filesystem::path> attachments_directory = std::nullopt;
    std::size_t attachment_bytes_max = 25 * 1024 * 1024;  // All of one mail.
    // From the first failure that may pass.
    std::chrono::seconds give_up_after = std::chrono::hours(1);
    // The same for a file that another program is to have written, and which is not to be seen:
    // longer than file systems of a network remember that.
    std::chrono::seconds shared_file_after = std::chrono::seconds(90);
    // The same for where payloads are kept: a disk that is away comes back.
    std::chrono::seconds storage_after = std::chrono::hours(24 * 365);
    schedule::Backoff backoff = {.first = std::chrono::seconds(15),
                                 .longest = std::chrono::minutes(10)};
    // Of the servers that attachments are fetched from.
    DestinationLimits destinations = {
        .visits_max = 2048, .visits_per_destination = 8, .patience = std::chrono::seconds(60)};
};

// The handler of fetching_queue. ACCEPTED -> INTAKING -> READY, and the job becomes one to send; or
// INVALID, with the reason. What a later try may mend (a server that does not answer) is tried
// again for a while.
//
// No thread waits for a server, and each server gets its share only: those that hang hold up
// neither files nor other servers. Thread-safe.
class Fetching {
public:
    // All must outlive this object, and `http` must have stopped before it goes. `await` is
    // Crew::await() of the crew that runs it.
    Fetching(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, net::Http& http,
             const Clock& clock, Random& random, FetchingOptions options, AwaitAnswer await);

    // As Outbox::tailor_with().
    void tailor_with(Tailor& tailor) { tailor_ = &tailor; }

    void run(schedule::JobInHand job);

private:
    // What keeps a mail from being made.
    struct Problem {
        std::string reason;
        bool may_pass = false;
        // A failure that may pass is final after so long; none: FetchingOptions::give_up_after.
        std::optional<std::chrono::seconds> give_up_after = std::nullopt;
    };
    struct Made {
        Composed composed;
        std::optional<Time> send_at;
    };
    // One mail from ACCEPTED to READY.
    struct Taking {
        schedule::JobInHand job;
        Mail mail;
        std::vector<std::unique_ptr<Visit>> visits = {};
    };
    using Fetched = Result<FetchedUrls, FetchProblem>;

    Result<std::string, Problem> read_payload(const Mail& mail);
    Result<Request, Problem> request_of(const Mail& mail);
    // False if it must come again: one of the servers has no time for it.
    bool enter_servers(Taking& taking, const Request& request);
    void fetch(const std::shared_ptr<Taking>& taking, const Request& request);
    void take(Taking& taking, Fetched fetched);
    Result<Made, Problem> make(const Mail& mail, const Request& request, FetchedUrls fetched);
    void end(Taking& taking, Result<Made, Problem> made);

    // Each is one commit. A conflict means that the mail or the job is somebody else's by now.
    bool begin(schedule::Job& job, Mail& mail);
    void end_ready(schedule::Job& job, Mail& mail, Made made);
    void end_invalid(schedule::Job& job, Mail& mail, std::string reason);
    void put_off(schedule::Job& job, Mail& mail, const Problem& problem);
    void come_again(schedule::Job& job, Mail& mail, const ComeAgain& turn);
    // We stopped before it was there.
    void leave_for_next_start(schedule::Job& job, Mail& mail);
    bool commit(const schedule::Transaction& transaction, std::string_view id);

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Random& random_;
    const Followers followers_;
    const FetchingOptions options_;
    const AwaitAnswer await_;
    AttachmentFetcher fetcher_;
    Destinations destinations_;
    const liquid::TimeZones time_zones_;
    TemplateCache templates_;
    Tailor* tailor_ = nullptr;
};

}  // namespace mailroom::outbox
