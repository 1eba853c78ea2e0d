#include "mime/report/find_report.h"

#include "mime/report/complaint.h"
#include "mime/report/delivery_status.h"
#include "mime/report/original.h"
#include "mime/report/plain_bounce.h"

namespace mailroom::mime {
namespace {

void set_original_id(Report& report, const Part& root, const ReadLimits& limits,
                     std::string_view returned_text) {
    const auto original = find_original(root, limits);
    // A copy of the mail in the text is nearer to the truth than what the report answers to.
    if (!original) {
        if (const auto line = header_in_text(returned_text, "Message-ID")) {
            auto ids = parse_message_ids(*line);
            if (!ids.empty()) {
                report.original_message_id = std::move(ids.front());
                return;
            }
        }
    }
    report.original_message_id = original_message_id(root, original ? &*original : nullptr);
}

}  // namespace

std::optional<Report> find_report(const Part& root, std::string_view text,
                                  const ReadLimits& limits) {
    std::string_view returned_text;
    auto report = read_complaint(root, limits);
    if (!report) {
        report = read_delivery_status(root, limits);
        if (report) returned_text = text;
    }
    if (!report) {
        if (auto bounce = read_plain_bounce(root.headers, text)) {
            report = std::move(bounce->report);
            returned_text = bounce->returned;
        }
    }
    if (report) set_original_id(*report, root, limits, returned_text);
    return report;
}

}  // namespace mailroom::mime
