#include "reminders/program.h"

#include "net/http_client.h"
#include "reminders/mail_guard.h"
#include "reminders/personal_accounts.h"
#include "reminders/routes.h"
#include "writing/chat_model.h"

#include <optional>
#include <string>
#include <utility>

namespace mailroom::reminders {

namespace {

// They wait for commits most of the time.
constexpr std::size_t delivery_threads = 4;

// A mail that nobody gets may come from anywhere.
DraftSettings with_sender(DraftSettings settings, const outbox::Settings& sending) {
    if (settings.from.empty() && sending.is_captured()) {
        settings.from = "reminders@mailroom.example";
    }
    return settings;
}

}  // namespace

// Members stand in the order in which they are made, and each uses only those above it.
struct Program::Parts {
    Parts(const program::Ground& ground, people::Program& people, const Settings& settings)
        : books{ground.store,  ground.schedule, ground.clock,
                ground.random, settings.policy, settings.tables},
          accounts(books, people.suppressions()),
          templates(books),
          assessor(books, people.suppressions()),
          privacy(accounts),
          personal(accounts, privacy) {}

    Books books;
    Accounts accounts;
    Templates templates;
    Assessor assessor;
    Privacy privacy;
    PersonalAccounts personal;
    std::optional<net::HttpClient> http;
    std::optional<writing::ChatModel> model;
    std::optional<Author> author;
    std::optional<Drafts> drafts;
    std::optional<Deliveries> deliveries;
    std::optional<MailGuard> guard;
};

Program::Program(people::Program& people, outbox::Program& outbox)
    : people_(people), outbox_(outbox) {}
Program::~Program() = default;

void Program::add_settings(program::Settings& list) { reminders::add_settings(list, settings_); }

Result<> Program::check_settings() const {
    const bool needs_model = settings_.drafts.usual_writer == Writer::by_model;
    if (!needs_model || !settings_.ai_url.empty()) return Ok{};
    return Error{Errc::invalid, "reminders.writer is ai, but there is no reminders.ai_url"};
}

std::vector<table::OwnTable> Program::tables() const { return Books::declared(settings_.tables); }

Result<> Program::open(const program::Ground& ground) {
    parts_ = std::make_unique<Parts>(ground, people_, settings_);
    auto& parts = *parts_;
    TRY(parts.books.open());
    TRY(parts.templates.add_built_in());
    if (auto added = add_topic(people_.preferences().topics()); !added) return added.error();
    if (!settings_.ai_url.empty()) {
        parts.http.emplace(net::HttpClientOptions{});
        auto url = TRY(net::Url::parse(settings_.ai_url));
        parts.model.emplace(*parts.http,
                            writing::ChatModelOptions{.url = std::move(url),
                                                      .key = settings_.ai_key,
                                                      .model = settings_.ai_model,
                                                      .timeout = settings_.ai_timeout});
    }
    parts.author.emplace(parts.templates, parts.model ? &*parts.model : nullptr, ground.clock,
                         Company(settings_.company_name, settings_.payment_details));
    auto& outbox = outbox_.outbox();
    auto& suppressions = people_.suppressions();
    parts.drafts.emplace(parts.accounts, outbox, suppressions, *parts.author,
                         with_sender(settings_.drafts, outbox_.settings()));
    parts.deliveries.emplace(parts.accounts, *parts.drafts, outbox, suppressions);
    parts.guard.emplace(parts.accounts, outbox, suppressions);
    outbox_.guard_with(*parts.guard);
    people_.people().keep(parts.personal);
    return Ok{};
}

void Program::add_routes(program::Api& api) {
    auto& parts = *parts_;
    reminders::add_routes(api, {parts.accounts, parts.templates, *parts.author, *parts.drafts,
                                *parts.deliveries, parts.privacy, parts.assessor});
}

std::vector<program::Work> Program::jobs() {
    return {{{.queues = {std::string(delivery_queue)},
              .threads = delivery_threads,
              .jobs_max = 2 * delivery_threads},
             [this](schedule::JobInHand job) { parts_->deliveries->run(std::move(job)); }},
            {{.queues = {std::string(forgetting_queue)}, .threads = 1},
             [this](schedule::JobInHand job) { parts_->personal.run(std::move(job)); }}};
}

}  // namespace mailroom::reminders
