// Whose notifications are believed: [notifications].
#pragma once

#include "base/result.h"
#include "program/settings.h"

#include <string>
#include <vector>

namespace mailroom::engagement::notifications {

// What is empty is not set up, and then nothing of that provider is taken.
struct NotificationSettings {
    std::vector<std::string> ses_topics;  // Amazon signs for anybody: only these are ours.
    std::string mailgun_key;
    std::string postmark_user = "postmark", postmark_password;
    std::string sendgrid_key;

    // `invalid`, with the name of the setting.
    Result<> check() const;
};

// `values` must outlive the list.
void add_settings(program::Settings& list, NotificationSettings& values);

}  // namespace mailroom::engagement::notifications
