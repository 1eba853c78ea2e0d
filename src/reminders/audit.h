// What the audit has of what people and the server did: see program/trail.h.
#pragma once

#include "reminders/fields.h"
#include "reminders/letter.h"

#include <optional>
#include <string>

namespace mailroom::reminders {

// A letter in a row of the audit, where its parts have names of their own.
struct ReplacedLetter : table::Form<Letter> {
    static table::Value store(const Letter& letter);
    static std::optional<Letter> load(const table::ValueView& value);
};

struct AuditEntry {
    std::string customer_id;
    std::string what;  // "drafted", "edited", "approved", "overridden", "rejected", "erased", …
    std::string draft_id = {};                    // If it is about one.
    std::string detail = {};                      // A reason, a rule, a version.
    std::optional<Letter> before = std::nullopt;  // What an edit replaced.
    // Set when it is added. The key's id is empty for the server itself.
    std::string by = {}, by_id = {};
    Time at = {};

    const std::string& subject() const { return customer_id; }
    static constexpr std::string_view record_name = "AuditEntry";
    static constexpr auto fields = std::tuple{
        kept("at", &AuditEntry::at),
        kept("what", &AuditEntry::what),
        kept("by", &AuditEntry::by, "A key's name, or mailroom."),
        kept_if_any("by_id", "by_key", &AuditEntry::by_id),
        kept("customer_id", &AuditEntry::customer_id),
        kept_if_any("draft_id", &AuditEntry::draft_id),
        kept_if_any("detail", &AuditEntry::detail),
        spelled<ReplacedLetter>(table::Member{"before", "before", &AuditEntry::before,
                                              table::Need::omitted, "What an edit replaced."})};
};

}  // namespace mailroom::reminders
