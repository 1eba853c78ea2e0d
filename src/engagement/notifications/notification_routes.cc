#include "engagement/notifications/notification_routes.h"

#include "engagement/notifications/sendgrid.h"

#include <utility>

namespace mailroom::table {

template <>
struct Record<engagement::notifications::NotificationCounts> {
    using Counts = engagement::notifications::NotificationCounts;
    static constexpr std::string_view record_name = "NotificationCounts";
    static constexpr auto fields =
        std::tuple{shown("added", &Counts::added, "Events that were new."),
                   shown("known", &Counts::known, "Events that had been told before."),
                   shown("ignored", &Counts::ignored, "What is told of nothing that is kept.")};
};

}  // namespace mailroom::table

namespace mailroom::engagement::notifications {

namespace {

using program::Asked;
using program::Rendered;

// A batch of SendGrid's is at most 1 MB.
constexpr std::size_t body_bytes_max = 4 * 1024 * 1024;
// All that Mailgun takes for an end to its tries besides 200.
constexpr int not_acceptable = 406;
constexpr std::string_view mailgun = "mailgun";

struct Notification {
    program::RawBody body;
    static constexpr auto fields = std::tuple<>{};
};

using Take = Answer<NotificationCounts> (*)(Notifications&, const Asked&);

Rendered answer(std::string_view provider, const Answer<NotificationCounts>& taken) {
    if (taken) return program::Output<NotificationCounts>::render(*taken);
    const auto& refusal = taken.error();
    auto rendered = program::render(refusal);
    if (provider == mailgun && refusal.code == replayed_code) rendered.status = not_acceptable;
    return rendered;
}

void add(program::Api& api, Notifications& notifications, std::string_view provider,
         const program::About& about, Take take) {
    auto& route = api.declare<Notification, NotificationCounts>(
        "POST", "/v1/notifications/" + std::string(provider), about, program::Source::raw_body);
    if (provider == mailgun) {
        route.answers.push_back(
            {not_acceptable, "application/json", R"({"$ref":"#/components/schemas/Failure"})"});
    }
    route.act = [&notifications, provider, take](const Asked& asked) {
        return answer(provider, take(notifications, asked));
    };
}

program::About about(std::string_view name, std::string_view summary, std::string_view more) {
    using enum Refusal::Kind;
    return {.name = name,
            .scope = "",
            .summary = summary,
            .more = more,
            .refuses = {invalid, forbidden, not_found, unavailable},
            .body_bytes_max = body_bytes_max,
            .pace = program::Pace::may_wait};
}

}  // namespace

void add_notification_routes(program::Api& api, Notifications& notifications) {
    api.group("Notifications",
              "What mail providers tell of mails that they took. They have no key of this server: "
              "each proves in its own way that it is the provider.");
    add(api, notifications, "ses",
        about("take_ses_notification", "Amazon SES tells, through SNS",
              "Of the topics in notifications.ses_topics, with Amazon's signature, version 1 or 2. "
              "A topic that asks for it is subscribed to."),
        [](Notifications& desk, const Asked& asked) { return desk.take_ses(asked.body); });
    add(api, notifications, mailgun,
        about("take_mailgun_notification", "Mailgun tells",
              "Signed with notifications.mailgun_key; each token is good once, and 406 says that "
              "it was used."),
        [](Notifications& desk, const Asked& asked) { return desk.take_mailgun(asked.body); });
    add(api, notifications, "postmark",
        about("take_postmark_notification", "Postmark tells",
              "With the user and password in the webhook's URL, which are "
              "notifications.postmark_user and notifications.postmark_password."),
        [](Notifications& desk, const Asked& asked) {
            return desk.take_postmark(asked.body, asked.header("Authorization").value_or(""));
        });
    add(api, notifications, "sendgrid",
        about("take_sendgrid_notification", "SendGrid tells",
              "A list of events, signed with the key that notifications.sendgrid_key verifies."),
        [](Notifications& desk, const Asked& asked) {
            return desk.take_sendgrid(asked.body,
                                      asked.header(sendgrid_timestamp_header).value_or(""),
                                      asked.header(sendgrid_signature_header).value_or(""));
        });
}

}  // namespace mailroom::engagement::notifications
