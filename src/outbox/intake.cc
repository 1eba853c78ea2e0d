#include "outbox/intake.h"

#include "base/log.h"
#include "json/json.h"
#include "outbox/blob_paths.h"
#include "outbox/outbox.h"
#include "outbox/request.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

// Of the job, while it is put off.
constexpr const char* since_name = "Since";  // The first failure, Unix milliseconds.
constexpr const char* failures_name = "Failures";

}  // namespace

Intake::Intake(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, net::HttpClient& http,
               const Clock& clock, Random& random, IntakeOptions options)
    : ledger_(ledger),
      blobs_(blobs),
      schedule_(schedule),
      clock_(clock),
      random_(random),
      options_(std::move(options)),
      fetcher_(http, options_.attachments_directory, options_.attachment_bytes_max) {}

void Intake::run(schedule::JobInHand job) {
    auto found = ledger_.find(std::string(job->key()));
    if (!found) {
        log::warn("a mail cannot be read", {{"id", job->key()}, {"reason", found.error().message}});
        return;  // The job comes back after a pause.
    }
    // A mail may be found INTAKING by who comes after a crash: fetching does no harm twice.
    const bool is_ours =
        *found && ((*found)->state == State::accepted || (*found)->state == State::intaking);
    if (!is_ours) {
        schedule::Transaction transaction;
        job->finish(transaction);
        commit(transaction, job->key());
        return;
    }
    auto& mail = **found;
    if (!begin(*job, mail)) return;
    auto composed = make(mail);
    if (composed) {
        end_ready(*job, mail, std::move(*composed));
        return;
    }
    const auto& problem = composed.error();
    const auto since_ms = job->data().integer(since_name).value_or(to_unix_ms(clock_.now()));
    const bool gives_up = clock_.now() >= from_unix_ms(since_ms) + options_.give_up_after;
    if (problem.may_pass && !gives_up) {
        put_off(*job, mail, problem);
    } else {
        end_invalid(*job, mail, problem.reason);
    }
}

Result<Composed, Intake::Problem> Intake::make(const Mail& mail) {
    const auto payload = blobs_.read(mail.payload_path);
    if (!payload) return Problem{"the payload cannot be read: " + payload.error().message, true};
    if (!*payload) return Problem{"the payload is gone"};
    json::Parser parser;
    const auto view = parser.parse(**payload);
    if (!view) return Problem{"the payload is " + std::string(json::describe(view.error()))};
    const auto request = parse_request(*view, mail.created);
    if (!request) return Problem{Error(request.error()).message};
    const auto contents = fetcher_.fetch(*request);
    if (!contents) {
        const auto& problem = contents.error();
        return Problem{problem.field + ": " + problem.why, problem.may_pass};
    }
    auto composed = compose(*request, *contents, clock_, random_, time_zones_,
                            std::max(mail.first_due, clock_.now()), &templates_);
    if (!composed) return Problem{Error(composed.error()).message};
    return std::move(*composed);
}

bool Intake::begin(schedule::Job& job, Mail& mail) {
    schedule::Transaction transaction;
    job.claim(transaction);
    if (mail.state == State::accepted) ledger_.move(transaction, mail, State::intaking, {});
    return commit(transaction, mail.id);
}

void Intake::end_ready(schedule::Job& job, Mail& mail, Composed composed) {
    schedule::Transaction transaction;
    auto path = eml_path_of(mail.id, mail.created);
    const auto added =
        blobs_.add(transaction, path, composed.message, from_unix_ms(mail.expires_seconds * 1000));
    if (!added) {
        put_off(job, mail, {"the message cannot be stored: " + added.error().message, true});
        return;
    }
    auto next = job.move(transaction, {.queue = std::string(send_queue(mail.stream)),
                                       .key = mail.id,
                                       .due = std::max(mail.first_due, clock_.now())});
    ledger_.move(transaction, mail, State::ready,
                 {.eml_path = std::move(path),
                  .message_id = std::move(composed.message_id),
                  .job = std::move(next)});
    commit(transaction, mail.id);
}

void Intake::end_invalid(schedule::Job& job, Mail& mail, std::string reason) {
    schedule::Transaction transaction;
    std::optional<schedule::Position> next;
    if (mail.callback) {
        next =
            job.move(transaction,
                     {.queue = std::string(callback_queue), .key = mail.id, .due = clock_.now()});
    } else {
        job.finish(transaction);
    }
    ledger_.move(transaction, mail, State::invalid,
                 {.reason = std::move(reason), .job = std::move(next)});
    commit(transaction, mail.id);
}

void Intake::put_off(schedule::Job& job, Mail& mail, const Problem& problem) {
    const auto now = clock_.now();
    const auto failures = job.data().integer(failures_name).value_or(0) + 1;
    const auto since_ms = job.data().integer(since_name).value_or(to_unix_ms(now));
    schedule::Transaction transaction;
    auto next =
        job.move(transaction, {.queue = std::string(intake_queue),
                               .key = mail.id,
                               .due = now + options_.backoff.pause(failures, random_),
                               .data = {{since_name, since_ms}, {failures_name, failures}}});
    ledger_.log(transaction, mail, {.at = now, .what = "intake", .text = problem.reason});
    ledger_.step_back(transaction, mail, State::accepted,
                      {.reason = problem.reason, .job = std::move(next)});
    commit(transaction, mail.id);
}

bool Intake::commit(const schedule::Transaction& transaction, std::string_view id) {
    const auto committed = schedule_.commit(transaction);
    if (committed) return true;
    const Error error = committed.error();
    if (error.code != Errc::conflict) {
        log::warn("a mail cannot be taken in", {{"id", id}, {"reason", error.message}});
    }
    return false;
}

}  // namespace mailroom::outbox
