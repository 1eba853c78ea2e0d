#include "people/mail_kind.h"

namespace mailroom::people {

namespace {

constexpr std::string_view topic_prefix = "topic:";

}  // namespace

std::optional<Extent> Extent::parse(std::string_view text) {
    const Extent extent{std::string(text)};
    if (extent.is_every() || extent.stream() || extent.topic()) return extent;
    return std::nullopt;
}

std::optional<std::string_view> Extent::topic() const {
    const std::string_view text = text_;
    if (!text.starts_with(topic_prefix) || text.size() == topic_prefix.size()) return std::nullopt;
    return text.substr(topic_prefix.size());
}

bool Extent::covers(const MailKind& kind) const {
    if (is_every()) return true;
    if (const auto its_stream = stream()) return *its_stream == kind.stream;
    return kind.heeds_topic() && topic() == kind.topic;
}

}  // namespace mailroom::people
