#include "mime/report/complaint.h"

#include "base/text.h"
#include "mime/address.h"
#include "mime/report/original.h"
#include "mime/report/status.h"

namespace mailroom::mime {
namespace {

constexpr std::size_t feedback_bytes_max = 256 * 1024;

// What is not registered counts as `other`, which is a complaint (RFC 5965, 3.1 and 7.3).
Outcome outcome_of(const std::optional<std::string>& feedback_type) {
    if (feedback_type == "not-spam") return Outcome::not_spam;
    if (feedback_type == "auth-failure") return Outcome::failed_authentication;
    return Outcome::complained;
}

// The word itself, in small letters: without comments, quotes and what follows a semicolon.
std::string feedback_type_in(std::string_view value) {
    std::string word;
    int depth = 0;
    for (const char c : value) {
        if (depth == 0 && c == ';') break;
        depth += c == '(';
        if (depth == 0 && c != '"') word += c;
        depth -= c == ')' && depth > 0;
    }
    return ascii_lower(trim(word));
}

void add_recipient(Report& report, std::optional<std::string> address) {
    if (report.recipients.size() >= recipients_max) return;
    ReportedRecipient recipient;
    recipient.address = std::move(address);
    recipient.outcome = outcome_of(report.feedback_type);
    report.recipients.push_back(std::move(recipient));
}

// Who got the mail that it is about. Some providers hide it; then the mail may tell.
void add_recipients(Report& report, const Headers* fields, const Original* original) {
    if (fields != nullptr) {
        for (const auto* name : {"Original-Rcpt-To", "Removal-Recipient"}) {
            for (const auto& value : fields->find_all(name)) {
                if (auto address = address_in(value)) add_recipient(report, std::move(address));
            }
            if (!report.recipients.empty()) return;
        }
    }
    if (original != nullptr) {
        for (const auto* name : {"X-HmXmrOriginalRecipient", "Delivered-To", "To"}) {
            const auto value = original->headers.find(name);
            if (!value) continue;
            if (auto address = address_in(*value)) return add_recipient(report, std::move(address));
        }
    }
    add_recipient(report, std::nullopt);
}

std::optional<std::string> text_of(const Headers& fields, std::string_view name) {
    const auto value = fields.find(name);
    return value ? tidy_diagnostic(*value) : std::nullopt;
}

std::optional<Report> read_feedback_report(const Part& root, const ReadLimits& limits) {
    const auto* part = find_part(root, "message/feedback-report");
    if (part == nullptr) return std::nullopt;
    const auto bytes =
        decode_transfer(part->body.substr(0, feedback_bytes_max), part->encoding).bytes;
    const auto start = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
    Defects ignored;
    const auto block = read_headers(bytes, start, limits, ignored);
    const auto& fields = block.headers;
    Report report;
    report.kind = ReportKind::complaint;
    report.format = "rfc5965";
    report.feedback_type = text_of(fields, "Feedback-Type");
    if (report.feedback_type) report.feedback_type = feedback_type_in(*report.feedback_type);
    if (outcome_of(report.feedback_type) != Outcome::complained) report.kind = ReportKind::feedback;
    report.source_ip = text_of(fields, "Source-IP");
    if (!report.source_ip) report.source_ip = text_of(fields, "Source");
    report.reporting_mta = text_of(fields, "Reporting-MTA");
    if (!report.reporting_mta) report.reporting_mta = text_of(fields, "User-Agent");
    const auto original = find_original(root, limits);
    add_recipients(report, &fields, original ? &*original : nullptr);
    return report;
}

// `complaint about message from 192.0.2.1`, with the mail as an attachment and nothing else.
std::optional<Report> read_jmrp(const Part& root, const ReadLimits& limits) {
    constexpr std::string_view beginning = "complaint about message from ";
    const auto subject = root.headers.find("Subject");
    const auto own_header = root.headers.find("X-HmXmrOriginalRecipient");
    const bool has_subject =
        subject && ascii_equal_ignoring_case(subject->substr(0, beginning.size()), beginning);
    if (!has_subject && !own_header) return std::nullopt;
    const auto original = find_original(root, limits);
    if (!original) return std::nullopt;
    Report report;
    report.kind = ReportKind::complaint;
    report.format = "jmrp";
    report.feedback_type = "abuse";
    if (has_subject) report.source_ip = tidy_diagnostic(subject->substr(beginning.size()));
    if (own_header) {
        if (auto address = address_in(*own_header)) add_recipient(report, std::move(address));
    }
    if (report.recipients.empty()) add_recipients(report, nullptr, &*original);
    return report;
}

}  // namespace

std::optional<Report> read_complaint(const Part& root, const ReadLimits& limits) {
    if (auto report = read_feedback_report(root, limits)) return report;
    return read_jmrp(root, limits);
}

}  // namespace mailroom::mime
