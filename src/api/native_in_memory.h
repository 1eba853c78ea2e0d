// The native API on tables in memory, without sockets and clocks that run. For tests.
#pragma once

#include "api/serve.h"
#include "dynamodb/access_key_routes.h"
#include "http/health.h"
#include "http/health_routes.h"
#include "http/key_routes.h"
#include "http/memory_keys.h"
#include "http/workers.h"
#include "kv/memory_store.h"
#include "outbox/blobs/table_blobs.h"
#include "outbox/routes/routes.h"
#include "people/suppression_routes.h"
#include "program/docs.h"
#include "program/metrics.h"
#include "reminders/mail_guard.h"
#include "reminders/routes.h"
#include "table/engine/engine.h"

#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::api {

struct NativeInMemory {
    ~NativeInMemory() { workers_.stop(); }

    void open(const outbox::OutboxOptions& options) {
        engine_ = taken(table::Engine::open(rows_, clock_, random_));
        access_keys_.emplace(taken(dynamodb::AccessKeys::open(*engine_, clock_, random_)));
        idempotency_.emplace(taken(Idempotency::open(*engine_, clock_, random_)));
        ledger_.emplace(taken(outbox::Ledger::open(*engine_, clock_)));
        blobs_.emplace(taken(outbox::TableBlobs::open(*engine_)));
        schedule_ = taken(schedule::Schedule::open(*engine_, clock_, random_));
        suppressions_.emplace(taken(people::Suppressions::open(*engine_, clock_, random_)));
        captured_ = taken(outbox::Captured::open(*engine_, clock_));
        outbox_.emplace(*ledger_, *blobs_, *schedule_, clock_, random_, options);
        watch_.emplace(*ledger_, clock_);
        open_reminders();
        pauses_ = taken(outbox::Pauses::open(*engine_, clock_, random_));
        add_routes();
        router_.emplace("http", workers_, metrics_);
        serve(*router_, *api_, authenticator_, *idempotency_);
        add_health_routes(
            *router_, [] { return Result<>(Ok{}); }, metrics_);
        key_ = new_key({"send", "read"});
        // So that commits which are counted, or made to fail, are the test's own.
        engine_->finish_jobs();
    }

    void add_routes() {
        api_.emplace();
        outbox::add_routes(*api_, {*outbox_, *ledger_, *pauses_, *captured_, *schedule_, *watch_,
                                   clock_, "whsec_dGVzdA=="});
        people::add_suppression_routes(*api_, *suppressions_);
        reminders::add_routes(*api_, {*accounts_, *templates_, *author_, *drafts_, *deliveries_,
                                      *privacy_, *assessor_});
        add_key_routes(*api_, keys_);
        dynamodb::add_access_key_routes(*api_, *access_keys_);
        describe_health_routes(*api_);
        program::add_docs(*api_);
    }

    void open_reminders() {
        books_.emplace(reminders::Books{*engine_, *schedule_, clock_, random_});
        taken(books_->open());
        accounts_.emplace(*books_, *suppressions_);
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
    program::Metrics metrics_;
    Workers workers_{2, 16};
    std::unique_ptr<table::Engine> engine_;
    std::optional<dynamodb::AccessKeys> access_keys_;
    std::optional<Idempotency> idempotency_;
    std::optional<outbox::Ledger> ledger_;
    std::optional<outbox::TableBlobs> blobs_;
    std::unique_ptr<schedule::Schedule> schedule_;
    std::optional<people::Suppressions> suppressions_;
    std::unique_ptr<outbox::Captured> captured_;
    std::optional<outbox::Outbox> outbox_;
    std::unique_ptr<outbox::Pauses> pauses_;
    std::optional<outbox::OutboxWatch> watch_;
    std::optional<program::Api> api_;
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
