// The list of every key of the configuration. The file, the environment, the flags, the help and
// docs/configuration.md are all made from it, so they cannot disagree.
#pragma once

#include "app/config.h"

#include <span>
#include <string>
#include <string_view>

namespace mailroom::app {

struct Setting {
    enum class Type { text, integer };  // In the TOML file. Elsewhere everything is text.

    std::string_view section, key;
    Type type;
    std::string_view accepts;  // For people: completes "expected …".
    std::string_view help;     // One sentence.
    std::string_view flag;     // With its dashes; empty if there is none.
    // False, and nothing changed, if the text is not acceptable.
    bool (*set)(Config& config, std::string_view text);
    std::string (*show)(const Config& config);  // What set() would accept.
    bool is_secret = false;                     // A bad value is not shown.

    std::string path() const;         // section.key
    std::string environment() const;  // MAILROOM_SECTION_KEY
};

// Sections together, in the order of the documentation.
std::span<const Setting> settings();

// Those of [outbox], [dkim] and [net]: a part of settings().
std::span<const Setting> outbox_settings();

// Those of [reminders].
std::span<const Setting> reminder_settings();

// The reference part of docs/configuration.md.
std::string settings_markdown();

}  // namespace mailroom::app
