// Who did what, and when: kept, and readable.
#pragma once

#include "reminders/books.h"
#include "reminders/letter.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::reminders {

struct AuditEntry {
    std::string customer_id;
    std::string what;  // "drafted", "edited", "approved", "overridden", "rejected", "erased", …
    std::string by;    // A key's name, or "mailroom".
    std::string by_id = {};                       // The key's id; empty for the server itself.
    std::string draft_id = {};                    // If it is about one.
    std::string detail = {};                      // A reason, a rule, a version.
    Time at = {};                                 // Set by add_audit().
    std::optional<Letter> before = std::nullopt;  // What an edit replaced.
};

struct AuditPage {
    std::vector<AuditEntry> entries;
    std::optional<std::string> next;
};

void add_audit(schedule::Transaction& transaction, const Books& books, AuditEntry entry);

// Of a customer, or of a day ("2025-09-01"), the oldest first. `invalid` if `after` is not what a
// page said.
Result<AuditPage> audit_of_customer(const Books& books, const std::string& customer_id,
                                    std::size_t limit, const std::optional<std::string>& after);
Result<AuditPage> audit_of_day(const Books& books, const std::string& day, std::size_t limit,
                               const std::optional<std::string>& after);

}  // namespace mailroom::reminders
