// What an operator can say of tracking: [tracking].
#pragma once

#include "base/result.h"
#include "engagement/tracking/token_keys.h"
#include "program/settings.h"

#include <string>
#include <vector>

namespace mailroom::engagement {

struct TrackingSettings {
    // Where people reach us: "https://mail.example.com", without a slash at the end. Empty: nothing
    // can be added to mails.
    std::string url;
    // "ID:SECRET": the first signs, all are believed. Besides the one that the server makes up.
    std::vector<std::string> secrets;
    // Of another product's links, that lead here now: "the seed's token".
    std::vector<std::string> unsubscribe_secrets;
    bool opens = true, clicks = true;  // False: whatever a mail asks for.
    std::string unsubscribe_address;   // Reads mails to it; empty: there is none.

    // `invalid`, with the name of the setting.
    Result<std::vector<TokenSecret>> parsed_secrets() const;
};

// `values` must outlive the list.
void add_settings(program::Settings& list, TrackingSettings& values);

}  // namespace mailroom::engagement
