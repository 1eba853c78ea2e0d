// What is known of the answers of mail servers, as data. For the classifier only.
#pragma once

#include "engagement/bounces/cause.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace mailroom::engagement::bounces {

// Whether an enhanced status is believed, or only if no words say more.
enum class Weight { decides, hints };

// Of the register at https://www.iana.org/assignments/smtp-enhanced-status-codes, and what large
// providers added to it. The class (4 or 5) does not matter here.
struct KnownStatus {
    int subject, detail;
    Cause cause;
    Weight weight;
};

// How a provider is told: by the end of its servers' names, or by words that only its answers have.
struct KnownProvider {
    std::string_view name;
    std::string_view host;   // ".google.com"; empty: told by words.
    std::string_view words;  // As of KnownWords; empty: told by the host.
};

// Words are in lower case and with single blanks; a "*" stands for anything or nothing.
struct KnownWords {
    std::string_view provider;  // Empty: of anybody.
    std::string_view words;
    Cause cause;
    // A status that decides is wrong beside these.
    bool outweighs = false;
};

// The first that fits counts.
std::span<const KnownStatus> known_statuses();
std::span<const KnownProvider> known_providers();
std::span<const KnownWords> known_words_of_providers();
std::span<const KnownWords> known_words_of_anybody();

}  // namespace mailroom::engagement::bounces
