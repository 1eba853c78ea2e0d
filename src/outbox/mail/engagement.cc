#include "outbox/mail/engagement.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::outbox {

namespace {

// They travel in header fields and in keys of rows.
void check_line(std::string_view text, std::string_view member, std::size_t bytes_max,
                table::Reading& reading) {
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    if (text.size() > bytes_max) {
        reading.wrong_member(member, "is longer than " + std::to_string(bytes_max) + " bytes");
    } else if (!is_utf8(text)) {
        reading.wrong_member(member, "is not UTF-8");
    } else if (std::ranges::any_of(text, is_control)) {
        reading.wrong_member(member, "has a control character");
    }
}

}  // namespace

void Utm::check(const Utm& utm, table::Reading& reading) {
    check_line(utm.source, "source", utm_bytes_max, reading);
    check_line(utm.medium, "medium", utm_bytes_max, reading);
    check_line(utm.campaign, "campaign", utm_bytes_max, reading);
    check_line(utm.term, "term", utm_bytes_max, reading);
    check_line(utm.content, "content", utm_bytes_max, reading);
}

void Engagement::check(const Engagement& engagement, table::Reading& reading) {
    check_line(engagement.template_key, "template_key", engagement_name_bytes_max, reading);
    check_line(engagement.sequence_id, "sequence_id", engagement_name_bytes_max, reading);
    check_line(engagement.topic, "topic", topic_bytes_max, reading);
}

}  // namespace mailroom::outbox
