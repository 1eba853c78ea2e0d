// Reminders as a running thing: their tables, the author of their texts, and the crew that sees
// what became of them.
#pragma once

#include "api/reminder_services.h"
#include "app/config.h"
#include "app/outbox_service.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "net/http_client.h"
#include "reminders/chat_model.h"
#include "reminders/mail_guard.h"
#include "schedule/crew.h"
#include "table/store.h"

#include <chrono>
#include <memory>
#include <optional>

namespace mailroom::app {

// Thread-safe once it runs.
class ReminderService {
public:
    // Opens the tables, and adds the templates that a newcomer finds. All must outlive it.
    static Result<std::unique_ptr<ReminderService>> open(const Config& config, table::Store& store,
                                                         OutboxService& outbox, const Clock& clock,
                                                         Random& random);
    ~ReminderService();  // As stop(0).
    ReminderService(const ReminderService&) = delete;
    ReminderService& operator=(const ReminderService&) = delete;

    void start() { crew_->start(); }
    void stop(std::chrono::milliseconds grace);

    api::ReminderServices services(api::Idempotency& idempotency) {
        return {accounts_,    templates_, *author_,  *drafts_,
                *deliveries_, privacy_,   assessor_, idempotency};
    }

private:
    ReminderService(const Config& config, table::Store& store, OutboxService& outbox,
                    const Clock& clock, Random& random);
    Result<> open_parts(const Config& config);

    OutboxService& outbox_;
    // Members stand in the order in which they are made, and each uses only those above it.
    reminders::Books books_;
    reminders::Accounts accounts_;
    reminders::Templates templates_;
    reminders::Assessor assessor_;
    reminders::Privacy privacy_;
    std::optional<net::HttpClient> http_;
    std::optional<reminders::ChatModel> model_;
    std::optional<reminders::Author> author_;
    std::optional<reminders::Drafts> drafts_;
    std::optional<reminders::Deliveries> deliveries_;
    std::optional<reminders::MailGuard> guard_;
    std::optional<schedule::Crew> crew_;
    bool stopped_ = false;
};

}  // namespace mailroom::app
