// What an operator can say of engagement: [engagement] and the names of its tables.
#pragma once

#include "program/settings.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace mailroom::engagement {

struct TableNames {
    std::string events = "EmailEvents";
    std::string own = "MailroomEngagement";
};

struct Settings {
    TableNames tables;
    std::int64_t data_ttl_days = 0;      // Of events and the send log; 0: for ever.
    std::int64_t soft_bounces_max = 5;   // In a row, until a person is not written to any more.
    std::int64_t policy_faults_max = 5;  // Within an hour, until the stream is paused; 0: never.
};

// `values` must outlive the list.
void add_settings(program::Settings& list, Settings& values);

}  // namespace mailroom::engagement
