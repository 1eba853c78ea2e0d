#include "mime/report/delivery_status.h"

#include "base/text.h"
#include "mime/report/original.h"
#include "mime/report/status.h"

namespace mailroom::mime {
namespace {

constexpr std::size_t status_part_bytes_max = 1024 * 1024;

// `dns; mx.example.com` without its type.
std::string without_type(std::string_view value) {
    if (const auto semicolon = value.find(';'); semicolon != value.npos) {
        value.remove_prefix(semicolon + 1);
    }
    return unfold(value);
}

std::optional<std::string> address_of(const Headers& fields) {
    for (const auto* name : {"Original-Recipient", "Final-Recipient", "X-Actual-Recipient"}) {
        if (const auto value = fields.find(name)) {
            if (auto address = address_in(*value)) return address;
        }
    }
    return std::nullopt;
}

// The status of the report, unless it says nothing (`5.0.0`) and the diagnostic says more.
std::optional<std::string> status_of(const Headers& fields, std::string_view diagnostic) {
    const auto value = fields.find("Status");
    auto status = value ? find_enhanced_status(*value) : std::nullopt;
    if (!status || status->ends_with(".0.0")) {
        if (auto exact = find_enhanced_status(diagnostic)) {
            if (!status || status->front() == exact->front()) return exact;
        }
    }
    return status;
}

Outcome outcome_of(std::string_view action, const std::optional<std::string>& status,
                   std::string_view diagnostic) {
    const auto is = [&](std::string_view word) { return ascii_equal_ignoring_case(action, word); };
    if (is("delayed")) return Outcome::delayed;
    if (is("delivered") || is("relayed") || is("expanded")) return Outcome::delivered;
    if (!is("failed") && status && status->starts_with('2')) return Outcome::delivered;
    return failure_outcome(status, diagnostic);
}

std::optional<ReportedRecipient> read_recipient(const Headers& fields) {
    const auto action = fields.find("Action");
    ReportedRecipient recipient;
    recipient.address = address_of(fields);
    if (!recipient.address && !action) return std::nullopt;
    if (const auto diagnostic = fields.find("Diagnostic-Code")) {
        recipient.diagnostic = tidy_diagnostic(without_type(*diagnostic));
    }
    std::string_view said;
    if (recipient.diagnostic) said = *recipient.diagnostic;
    recipient.status = status_of(fields, said);
    const auto word = action ? trim(action->substr(0, action->find_first_of(" (;"))) : "failed";
    recipient.outcome = outcome_of(word, recipient.status, said);
    if (const auto remote = fields.find("Remote-MTA")) {
        recipient.remote_mta = tidy_diagnostic(without_type(*remote));
    }
    return recipient;
}

}  // namespace

std::optional<Report> read_delivery_status(const Part& root, const ReadLimits& limits) {
    const auto* part = find_part(root, "message/delivery-status");
    if (part == nullptr) part = find_part(root, "message/global-delivery-status");
    if (part == nullptr) return std::nullopt;
    const auto bytes =
        decode_transfer(part->body.substr(0, status_part_bytes_max), part->encoding).bytes;
    Report report;
    report.format = "rfc3464";
    Defects ignored;
    // Groups of fields with empty lines between: one of the mail, then one of each recipient.
    for (std::size_t position = 0; position < bytes.size();) {
        auto block = read_headers(bytes, position, limits, ignored);
        position = block.body > position ? block.body : line_end(bytes, position);
        const auto& fields = block.headers;
        if (fields.fields().empty()) continue;
        if (const auto mta = fields.find("Reporting-MTA"); mta && !report.reporting_mta) {
            report.reporting_mta = tidy_diagnostic(without_type(*mta));
        }
        if (auto recipient = read_recipient(fields)) {
            if (report.recipients.size() < recipients_max) {
                report.recipients.push_back(std::move(*recipient));
            }
        }
    }
    if (report.recipients.empty()) return std::nullopt;
    return report;
}

}  // namespace mailroom::mime
