#include "outbox/fetching/fetching.h"

#include "base/log.h"
#include "json/json.h"
#include "outbox/accept/outbox.h"
#include "outbox/blobs/blob_paths.h"
#include "outbox/blobs/shared_files.h"
#include "outbox/others/seed_payload.h"

#include <algorithm>
#include <set>
#include <utility>

namespace mailroom::outbox {

namespace {

// Of the job, while it is put off.
constexpr const char* since_name = "Since";  // The first failure, Unix milliseconds.
constexpr const char* failures_name = "Failures";

}  // namespace

Fetching::Fetching(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, net::Http& http,
                   const Clock& clock, Random& random, FetchingOptions options, AwaitAnswer await)
    : ledger_(ledger),
      blobs_(blobs),
      schedule_(schedule),
      clock_(clock),
      random_(random),
      followers_(ledger, schedule, clock),
      options_(std::move(options)),
      await_(std::move(await)),
      fetcher_(http, options_.attachments_directory, options_.attachment_bytes_max),
      // Nobody waits for a place here.
      destinations_(options_.destinations, clock, [](const std::function<void()>&) {}) {}

void Fetching::run(schedule::JobInHand job) {
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
    const auto taking = std::make_shared<Taking>(Taking{std::move(job), **std::move(found)});
    const auto request = request_of(taking->mail);
    if (!request) {
        if (begin(*taking->job, taking->mail)) end(*taking, request.error());
        return;
    }
    if (!enter_servers(*taking, *request) || !begin(*taking->job, taking->mail)) return;
    if (taking->visits.empty()) {
        FetchedUrls none;
        none.contents.resize(request->attachments.size());
        return end(*taking, make(taking->mail, *request, std::move(none)));
    }
    fetch(taking, *request);
}

Result<Request, Fetching::Problem> Fetching::request_of(const Mail& mail) {
    const auto payload = TRY(read_payload(mail));
    json::Parser parser;
    const auto view = parser.parse(payload);
    if (!view) return Problem{"the payload is " + std::string(json::describe(view.error()))};
    auto request = parse_payload(*view, mail.created);
    if (!request) return Problem{Error(request.error()).message};
    return *std::move(request);
}

bool Fetching::enter_servers(Taking& taking, const Request& request) {
    std::set<std::string> origins;
    for (const auto& source : request.attachments) {
        if (source.kind != AttachmentSource::Kind::url) continue;
        const auto url = net::Url::parse(source.value);
        origins.emplace(url ? url->origin() : "");
    }
    for (const auto& origin : origins) {
        auto entered = destinations_.enter(origin);
        if (const auto* turn = std::get_if<ComeAgain>(&entered)) {
            come_again(*taking.job, taking.mail, *turn);
            return false;
        }
        taking.visits.push_back(std::get<std::unique_ptr<Visit>>(std::move(entered)));
    }
    return true;
}

void Fetching::fetch(const std::shared_ptr<Taking>& taking, const Request& request) {
    const auto awaited = await_();
    fetcher_.fetch_urls(request, [this, taking, awaited](Fetched fetched) mutable {
        // Shared because a std::function must be copyable; moved so that nothing of the job is left
        // on the client's thread.
        awaited->post([this, taking = std::move(taking),
                       fetched = std::make_shared<Fetched>(std::move(fetched))] {
            take(*taking, std::move(*fetched));
        });
    });
}

void Fetching::take(Taking& taking, Fetched fetched) {
    const auto problem = fetched ? std::nullopt : fetched.error().problem;
    if (problem == net::HttpProblem::stopped) {
        taking.visits.clear();
        return leave_for_next_start(*taking.job, taking.mail);
    }
    for (auto& visit : taking.visits) {
        const bool is_silent =
            problem == net::HttpProblem::timed_out || problem == net::HttpProblem::unresolved;
        // Of several servers nobody knows here which one was silent.
        if (!is_silent) {
            visit->answered();
        } else if (taking.visits.size() == 1) {
            visit->silent();
        }
    }
    taking.visits.clear();
    if (!fetched) {
        const auto& [field, why, may_pass, ignored] = fetched.error();
        return end(taking, Problem{field + ": " + why, may_pass});
    }
    // Read anew: while it waited there was no need to keep it.
    const auto request = request_of(taking.mail);
    if (!request) return end(taking, request.error());
    end(taking, make(taking.mail, *request, *std::move(fetched)));
}

Result<Fetching::Made, Fetching::Problem> Fetching::make(const Mail& mail, const Request& request,
                                                         FetchedUrls fetched) {
    const auto room = std::move(fetched.room);  // Given back when the message is made.
    const auto contents = fetcher_.gather(request, std::move(fetched));
    if (!contents) {
        const auto& problem = contents.error();
        return Problem{problem.field + ": " + problem.why, problem.may_pass};
    }
    auto composed =
        compose(request, *contents, clock_, random_, time_zones_,
                std::max(mail.first_due, clock_.now()), &templates_, {tailor_, mail.id});
    if (!composed) return Problem{Error(composed.error()).message};
    return Made{std::move(*composed), request.send_at};
}

void Fetching::end(Taking& taking, Result<Made, Problem> made) {
    auto& [job, mail, visits] = taking;
    if (made) return end_ready(*job, mail, std::move(*made));
    const auto& problem = made.error();
    const auto since_ms = job->data().integer(since_name).value_or(to_unix_ms(clock_.now()));
    const auto patience = problem.give_up_after.value_or(options_.give_up_after);
    const bool gives_up = clock_.now() >= from_unix_ms(since_ms) + patience;
    if (problem.may_pass && !gives_up) {
        put_off(*job, mail, problem);
    } else {
        end_invalid(*job, mail, problem.reason);
    }
}

Result<std::string, Fetching::Problem> Fetching::read_payload(const Mail& mail) {
    const auto& path = mail.payload_path;
    if (path.empty()) return Problem{"the row names no payload (Attributes.PayloadFilePath)"};
    auto payload = blobs_.read(path);
    if (!payload) {
        const auto& error = payload.error();
        return Problem{"the payload cannot be read: " + error.message,
                       error.code != Errc::invalid && error.code != Errc::corrupt,
                       options_.storage_after};
    }
    if (*payload) return **std::move(payload);
    if (!is_shared_path(path)) return Problem{"the payload is gone"};
    return Problem{"there is no file " + path, true, options_.shared_file_after};
}

bool Fetching::begin(schedule::Job& job, Mail& mail) {
    schedule::Transaction transaction;
    job.claim(transaction);
    if (mail.state == State::accepted) ledger_.move(transaction, mail, State::intaking, {});
    return commit(transaction, mail.id);
}

void Fetching::end_ready(schedule::Job& job, Mail& mail, Made made) {
    auto& composed = made.composed;
    schedule::Transaction transaction;
    auto path = eml_path_of(mail.id, mail.created);
    const auto added =
        blobs_.add(transaction, path, composed.message, from_unix_ms(mail.expires_seconds * 1000));
    if (!added) {
        put_off(job, mail, {"the message cannot be stored: " + added.error().message, true});
        return;
    }
    Change change{.eml_path = std::move(path), .message_id = std::move(composed.message_id)};
    // What another program accepted has been read just now.
    if (mail.recipients.empty()) {
        change.sender = std::move(composed.sender);
        change.recipients.emplace();
        for (auto& address : composed.recipients) {
            change.recipients->push_back({.address = std::move(address)});
        }
        if (made.send_at) change.first_due = std::max(mail.first_due, *made.send_at);
    }
    change.job = job.move(
        transaction, {.queue = std::string(send_queue(mail.stream)),
                      .key = mail.id,
                      .due = std::max(change.first_due.value_or(mail.first_due), clock_.now())});
    ledger_.move(transaction, mail, State::ready, change);
    commit(transaction, mail.id);
}

void Fetching::end_invalid(schedule::Job& job, Mail& mail, std::string reason) {
    schedule::Transaction transaction;
    followers_.settle(transaction, mail, State::invalid, {.reason = std::move(reason)}, &job);
    commit(transaction, mail.id);
}

void Fetching::put_off(schedule::Job& job, Mail& mail, const Problem& problem) {
    const auto now = clock_.now();
    const auto failures = job.data().integer(failures_name).value_or(0) + 1;
    const auto since_ms = job.data().integer(since_name).value_or(to_unix_ms(now));
    schedule::Transaction transaction;
    auto next =
        job.move(transaction, {.queue = std::string(fetching_queue),
                               .key = mail.id,
                               .due = now + options_.backoff.pause(failures, random_),
                               .data = {{since_name, since_ms}, {failures_name, failures}}});
    ledger_.log(transaction, mail, {.at = now, .what = "fetching", .text = problem.reason});
    ledger_.step_back(transaction, mail, State::accepted,
                      {.reason = problem.reason, .job = std::move(next)});
    commit(transaction, mail.id);
}

// Nobody was asked. Waiting for a server that does not answer has an end all the same.
void Fetching::come_again(schedule::Job& job, Mail& mail, const ComeAgain& turn) {
    const auto now = clock_.now();
    auto since_ms = job.data().integer(since_name);
    if (turn.is_silent && !since_ms) since_ms = to_unix_ms(now);
    if (turn.is_silent && now >= from_unix_ms(*since_ms) + options_.give_up_after) {
        if (begin(job, mail)) {
            end_invalid(job, mail, "attachments: the server does not answer");
        }
        return;
    }
    auto data = job.data();
    if (since_ms) data.set(since_name, table::Value(*since_ms));
    schedule::Transaction transaction;
    auto next = job.move(transaction, {.queue = std::string(fetching_queue),
                                       .key = mail.id,
                                       .due = turn.at,
                                       .data = std::move(data)});
    ledger_.change(transaction, mail, {.job = std::move(next)});
    commit(transaction, mail.id);
}

void Fetching::leave_for_next_start(schedule::Job& job, Mail& mail) {
    schedule::Transaction transaction;
    auto next = job.move(transaction, clock_.now());
    ledger_.step_back(transaction, mail, State::accepted, {.job = std::move(next)});
    commit(transaction, mail.id);
}

bool Fetching::commit(const schedule::Transaction& transaction, std::string_view id) {
    const auto committed = schedule_.commit(transaction);
    if (committed) return true;
    const Error error = committed.error();
    if (error.code != Errc::conflict) {
        log::warn("a mail cannot be taken in", {{"id", id}, {"reason", error.message}});
    }
    return false;
}

}  // namespace mailroom::outbox
