// What a mail that reports on another mail says: a bounce, a delay, a receipt, a complaint.
#pragma once

#include "mime/message_id.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime {

enum class ReportKind {
    delivery,
    complaint,  // A recipient, or a filter for him, objects to a mail.
    feedback,   // Something else about a mail that arrived: see Outcome.
};

// The name as written in the enum.
std::string_view report_kind_name(ReportKind kind);

enum class Outcome {
    failed_permanently,     // Sending again would fail again.
    failed_for_now,         // Given up, but for a reason that passes, such as a full mailbox.
    delayed,                // Not given up yet.
    delivered,              // Or passed on to where no report comes back from.
    complained,             // A recipient called the mail spam.
    not_spam,               // A recipient said that it is none (RFC 6430).
    failed_authentication,  // Its DKIM, SPF or DMARC check failed (RFC 6591).
};

// The name as written in the enum.
std::string_view outcome_name(Outcome outcome);

struct ReportedRecipient {
    std::optional<std::string> address;  // None when the report hides it.
    Outcome outcome = Outcome::failed_permanently;
    std::optional<std::string> status;      // Enhanced status code (RFC 3463): `5.1.1`.
    std::optional<std::string> diagnostic;  // What the remote server said, on one line.
    std::optional<std::string> remote_mta;  // Who said it.
};

struct Report {
    ReportKind kind = ReportKind::delivery;
    std::vector<ReportedRecipient> recipients;     // Never empty.
    std::optional<MessageId> original_message_id;  // Of the mail that it reports on.
    std::optional<std::string> reporting_mta;      // Who wrote the report.
    std::optional<std::string> feedback_type;      // Of RFC 5965: `abuse`, `fraud`, `not-spam` …
    std::optional<std::string> source_ip;          // Of RFC 5965: where the mail came from.
    std::string format;  // How it was written: `rfc3464`, `qmail`, `exim`, `rfc5965`, `jmrp` …
};

constexpr std::size_t recipients_max = 1000;        // Of one report; the rest is left out.
constexpr std::size_t diagnostic_bytes_max = 2000;  // Real ones are one to three lines.

}  // namespace mailroom::mime
