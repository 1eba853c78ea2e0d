#include "engagement/webhooks/webhook_body.h"

#include "json/writer.h"
#include "table/records/form.h"

#include <array>
#include <string_view>

namespace mailroom::engagement::webhooks {

namespace {

struct Told {
    std::string_view column, name;
};
constexpr auto texts = std::to_array<Told>({
    {"mailroomMailId", "mail_id"},
    {"templateKey", "template_key"},
    {"sequenceId", "sequence_id"},
    {"subject", "subject"},
    {"sesMessageId", "message_id"},
    {"linkUrl", "link_url"},
    {"userAgent", "user_agent"},
    {"machineReason", "machine_reason"},
    {"reason", "reason"},
    {"feedbackType", "feedback_type"},
    {"body", "body"},
});
constexpr auto of_bounce = std::to_array<Told>({
    {"bounceSeverity", "severity"},
    {"bounceType", "type"},
    {"bounceSubclass", "cause"},
    {"diagnostic", "diagnostic"},
    {"provider", "provider"},
    {"notificationId", "notification_id"},
});

// Another program may have written anything into the row.
template <class Names>
void write_texts(json::Writer& writer, const table::Item& event, const Names& names) {
    for (const auto& [column, name] : names) {
        const auto text = event.text(column);
        if (!text || text->empty()) continue;
        writer.key(name);
        table::show_text(writer, *text);
    }
}

std::string_view without(std::string_view text, std::string_view prefix) {
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    return text;
}

}  // namespace

std::string webhook_body(const Delivery& delivery, const table::Item& event) {
    std::string body;
    json::Writer writer(body);
    writer.open_object().key("type").text("email." + std::string(name_of(delivery.type)));
    writer.key("timestamp").text(delivery.at());
    writer.key("data").open_object().key("id").text(delivery.id);
    writer.key("email");
    table::show_text(writer, without(delivery.event_partition, "SUB#"));
    write_texts(writer, event, texts);
    const auto machine = event.boolean("machine");
    if (machine && *machine) writer.key("machine").boolean(true);
    if (delivery.type == EventType::bounce) {
        writer.key("bounce").open_object();
        write_texts(writer, event, of_bounce);
        writer.close_object();
    }
    writer.close_object().close_object();
    return body;
}

}  // namespace mailroom::engagement::webhooks
