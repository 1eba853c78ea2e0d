#include "engagement/notifications/notification_settings.h"

#include "engagement/notifications/signatures.h"
#include "program/setting_forms.h"

namespace mailroom::engagement::notifications {

namespace {

constexpr std::size_t password_bytes_min = 16;

bool is_topic(const std::string& arn) {
    return arn.starts_with("arn:aws") && arn.find(":sns:") != arn.npos;
}

}  // namespace

void add_settings(program::Settings& list, NotificationSettings& values) {
    using program::optional_line;
    list.section("notifications");
    list.add("ses_topics",
             program::List{"ARNs of SNS topics, separated by commas, or nothing", is_topic},
             values.ses_topics,
             "The topics through which Amazon SES tells what became of mails; empty: none.");
    list.add("mailgun_key", optional_line("a key, or nothing"), values.mailgun_key,
             "Mailgun's webhook signing key; empty: nothing of theirs is taken.",
             {.is_secret = true});
    list.add("postmark_user", program::one_line("a name"), values.postmark_user,
             "The user in the URL of the webhooks at Postmark.");
    list.add("postmark_password", optional_line("a password, or nothing"), values.postmark_password,
             "The password there; empty: nothing of theirs is taken.", {.is_secret = true});
    list.add(
        "sendgrid_key", optional_line("a public key in base 64, or nothing"), values.sendgrid_key,
        "The verification key of SendGrid's event webhook; empty: nothing of theirs is taken.");
}

Result<> NotificationSettings::check() const {
    if (!postmark_password.empty() && postmark_password.size() < password_bytes_min) {
        return Error{Errc::invalid, "notifications.postmark_password must have at least " +
                                        std::to_string(password_bytes_min) + " bytes"};
    }
    if (sendgrid_key.empty()) return Ok{};
    const auto key = PublicKey::of_base64(sendgrid_key);
    if (key) return Ok{};
    return Error{Errc::invalid, "notifications.sendgrid_key: " + key.error().message};
}

}  // namespace mailroom::engagement::notifications
