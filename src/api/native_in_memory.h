// The native API on tables in memory, without sockets and clocks that run. For tests.
#pragma once

#include "api/health.h"
#include "api/memory_keys.h"
#include "api/metrics.h"
#include "api/native_routes.h"
#include "api/workers.h"
#include "kv/memory_store.h"
#include "outbox/table_blobs.h"
#include "reminders/mail_guard.h"
#include "table/engine/engine.h"

#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::api {

struct NativeInMemory {
    ~NativeInMemory() { workers_.stop(); }

    void open(const outbox::OutboxOptions& options) {
        engine_ = taken(table::Engine::open(rows_, clock_, random_));
        access_keys_.emplace(taken(AccessKeys::open(*engine_, clock_, random_)));
        idempotency_.emplace(taken(Idempotency::open(*engine_, clock_, random_)));
        ledger_.emplace(taken(outbox::Ledger::open(*engine_, clock_)));
        blobs_.emplace(taken(outbox::TableBlobs::open(*engine_)));
        schedule_ = taken(schedule::Schedule::open(*engine_, clock_, random_));
        suppressions_.emplace(taken(outbox::Suppressions::open(*engine_, clock_)));
        captured_ = taken(outbox::Captured::open(*engine_, clock_));
        outbox_.emplace(*ledger_, *blobs_, *schedule_, clock_, random_, options);
        watch_.emplace(*ledger_, clock_);
        open_reminders();
        pauses_ = taken(outbox::Pauses::open(*engine_, clock_, random_));
        router_.emplace("http", workers_, metrics_);
        add_native_routes(*router_, {keys_,
                                     *access_keys_,
                                     authenticator_,
                                     *idempotency_,
                                     *outbox_,
                                     *ledger_,
                                     *pauses_,
                                     *captured_,
                                     *suppressions_,
                                     *schedule_,
                                     *watch_,
                                     clock_,
                                     "whsec_dGVzdA==",
                                     [this](const std::string& name) { return back_up(name); },
                                     {*accounts_, *templates_, *author_, *drafts_, *deliveries_,
                                      *privacy_, *assessor_, *idempotency_}});
        add_health_routes(
            *router_, [] { return Result<>(Ok{}); }, metrics_);
        key_ = new_key({"send", "read"});
        // So that commits which are counted, or made to fail, are the test's own.
        engine_->finish_jobs();
    }

    // Stands for the copying of data: every name works once.
    Result<std::string> back_up(const std::string& name) {
        if (!backups_.insert(name).second) return Error{Errc::conflict, "there is one already"};
        return "/backups/" + name;
    }

    void open_reminders() {
        books_.emplace(reminders::Books{*engine_, *schedule_, clock_, random_});
        taken(books_->open());
        accounts_.emplace(*books_);
        templates_.emplace(*books_);
        taken(templates_->add_built_in());
        author_.emplace(*templates_, nullptr, clock_, "Innovate AI");
        drafts_.emplace(*accounts_, *outbox_, *suppressions_, *author_,
                        reminders::DraftSettings{.from = "billing@example.com", .reply_to = ""});
        deliveries_.emplace(*accounts_, *drafts_, *outbox_, *suppressions_);
        guard_.emplace(*accounts_, *outbox_, *suppressions_);
        outbox_->guard_with(*guard_);
        privacy_.emplace(*accounts_);
        assessor_.emplace(*books_, *suppressions_);
    }

    std::string new_key(std::vector<std::string> scopes) {
        return taken(keys_.create("test", std::move(scopes))).text;
    }

    // The answer to a request with the key `key_`.
    Response ask(std::string method, std::string target, std::string body = {},
                 std::vector<Header> headers = {}) {
        Request request{std::move(method), std::move(target), std::move(headers), std::move(body),
                        "127.0.0.1"};
        request.headers.emplace_back("Authorization", "Bearer " + key_);
        std::promise<Response> answer;
        router_->handle(std::move(request),
                        [&](Response response) { answer.set_value(std::move(response)); });
        return answer.get_future().get();
    }

    template <class T, class E>
    static T taken(Result<T, E> result) {
        if (!result) {
            std::fputs(static_cast<Error>(result.error()).message.c_str(), stderr);
            std::abort();
        }
        return *std::move(result);
    }

    ManualClock clock_{from_unix_ms(1'794'721'884'123)};
    SeededRandom random_{1};
    kv::MemoryStore rows_;
    MemoryKeys repository_;
    Keys keys_{repository_, clock_, random_};
    Authenticator authenticator_{keys_};
    std::string key_;  // Of whoever asks.
    std::set<std::string> backups_;
    Metrics metrics_;
    Workers workers_{2, 16};
    std::unique_ptr<table::Engine> engine_;
    std::optional<AccessKeys> access_keys_;
    std::optional<Idempotency> idempotency_;
    std::optional<outbox::Ledger> ledger_;
    std::optional<outbox::TableBlobs> blobs_;
    std::unique_ptr<schedule::Schedule> schedule_;
    std::optional<outbox::Suppressions> suppressions_;
    std::unique_ptr<outbox::Captured> captured_;
    std::optional<outbox::Outbox> outbox_;
    std::unique_ptr<outbox::Pauses> pauses_;
    std::optional<OutboxWatch> watch_;
    std::optional<reminders::Books> books_;
    std::optional<reminders::Accounts> accounts_;
    std::optional<reminders::Templates> templates_;
    std::optional<reminders::Author> author_;
    std::optional<reminders::Drafts> drafts_;
    std::optional<reminders::Deliveries> deliveries_;
    std::optional<reminders::MailGuard> guard_;
    std::optional<reminders::Privacy> privacy_;
    std::optional<reminders::Assessor> assessor_;
    std::optional<Router> router_;
};

}  // namespace mailroom::api
