#include "smtp/sink_counts.h"

#include "base/text.h"

#include <functional>
#include <utility>

namespace mailroom::smtp {
namespace {

constexpr Step all_steps[] = {Step::connect, Step::hello, Step::auth,   Step::mail,
                              Step::rcpt,    Step::data,  Step::message};
static_assert(std::size(all_steps) == step_count);

// All keys and values here are names of ours and numbers: nothing needs escaping.
class JsonObject {
public:
    JsonObject& add(std::string_view key, std::string_view value) {
        text_ += text_.empty() ? "{\"" : ",\"";
        text_ += key;
        text_ += "\":";
        text_ += value;
        return *this;
    }
    JsonObject& add(std::string_view key, std::uint64_t value) {
        return add(key, std::to_string(value));
    }
    std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

private:
    std::string text_;
};

std::string json_of(const SinkCounts::AtStep& step) {
    JsonObject refused;
    for (const auto& [code, count] : step.refused) refused.add(std::to_string(code), count);
    return JsonObject()
        .add("accepted", step.accepted)
        .add("refused", refused.text())
        .add("dropped", step.dropped)
        .add("stalled", step.stalled)
        .add("rubbish", step.rubbish)
        .add("delayed", step.delayed)
        .text();
}

}  // namespace

std::string SinkCounts::json() const {
    JsonObject by_step;
    for (const auto step : all_steps) {
        by_step.add(name_of(step), json_of(steps[static_cast<std::size_t>(step)]));
    }
    return JsonObject()
        .add("connections", connections)
        .add("open", open)
        .add("sessions", sessions)
        .add("mails", mails)
        .add("unknown", unknown)
        .add("recipients", recipients)
        .add("bytes", bytes)
        .add("message_ids", message_ids)
        .add("without_message_id", without_message_id)
        .add("duplicates", duplicates)
        .add("steps", by_step.text())
        .text();
}

std::string_view message_id_of(std::string_view data) {
    constexpr std::string_view name = "message-id:";
    while (!data.empty() && !data.starts_with("\r\n")) {
        auto end = std::min(data.find("\r\n"), data.size());
        if (ascii_equal_ignoring_case(data.substr(0, name.size()), name)) {
            // The id may stand on a folded line.
            while (data.size() > end + 2 && (data[end + 2] == ' ' || data[end + 2] == '\t')) {
                end = std::min(data.find("\r\n", end + 2), data.size());
            }
            return trim(data.substr(name.size(), end - name.size()));
        }
        data.remove_prefix(std::min(end + 2, data.size()));
    }
    return {};
}

void SeenMails::note(const Message& message, SinkCounts& counts) {
    counts.recipients += message.envelope.recipients.size();
    counts.bytes += message.data.size();
    const auto id = message_id_of(message.data);
    if (id.empty()) {
        ++counts.without_message_id;
        return;
    }
    const std::hash<std::string_view> hash;
    if (message_ids_.insert(hash(id)).second) ++counts.message_ids;
    for (const auto& recipient : message.envelope.recipients) {
        const auto delivery = std::string(id) + '\0' + ascii_lower(recipient.text);
        if (!deliveries_.insert(hash(delivery)).second) ++counts.duplicates;
    }
}

}  // namespace mailroom::smtp
