#include "engagement/events/event_record.h"

namespace mailroom::engagement {

namespace {

constexpr std::string_view person_prefix = "SUB#";
constexpr std::size_t time_chars = std::string_view("2026-01-15T10:00:00.000Z").size();

}  // namespace

Result<> EventRecord::settle(EventRecord& event, const table::ItemView& row) {
    const auto partition = row.text(rows::partition_key).value_or("");
    const auto sort = row.text(rows::sort_key).value_or("");
    if (!partition.starts_with(person_prefix) || !sort.starts_with(rows::event_prefix)) {
        return Error{Errc::corrupt, "the row " + std::string(sort) + " is no event"};
    }
    event.email = partition.substr(person_prefix.size());
    const auto when = sort.substr(rows::event_prefix.size());
    if (event.at.empty()) event.at = when.substr(0, time_chars);
    if (event.type.empty() && when.size() > time_chars) {
        const auto type = when.substr(time_chars + 1);
        event.type = type.substr(0, type.find('#'));
    }
    return Ok{};
}

}  // namespace mailroom::engagement
