#include "writing/versions.h"

#include "base/text.h"

#include <charconv>

namespace mailroom::writing {

namespace {

constexpr std::string_view partition_prefix = "TEMPLATE#", number_prefix = "VERSION#";

// "VERSION#3"
std::optional<std::int64_t> number_in(std::string_view key) {
    if (!key.starts_with(number_prefix)) return std::nullopt;
    return table::Form<std::int64_t>::parse(key.substr(number_prefix.size()));
}

}  // namespace

bool is_template_id(std::string_view text) {
    constexpr std::size_t chars_max = 64;
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    };
    return !text.empty() && text.size() <= chars_max && std::ranges::all_of(text, allowed);
}

table::Item versions::key(const std::string& template_id, std::int64_t version) {
    return {{"PK", std::string(partition_prefix) + template_id},
            {"SK", std::string(number_prefix) + std::to_string(version)}};
}

table::Item versions::Head::key(const std::string& template_id) {
    return {{"PK", std::string(partition_prefix) + template_id}, {"SK", "HEAD"}};
}

std::string versions::complete(table::Item& row) {
    const std::string partition(row.text("PK").value_or(""));
    auto id = partition.substr(std::min(partition.find('#') + 1, partition.size()));
    const auto number = number_in(row.text("SK").value_or(""));
    row.set("template_id", table::Value(id));
    if (number) row.set("version", table::Value(*number));
    return id;
}

bool versions::is_active(const table::ItemView& row) {
    const auto status = row.text("status").value_or("");
    return status.empty() ? row.text("GSI1PK") == "STATUS#active"
                          : ascii_equal_ignoring_case(status, "active");
}

Refusal versions::no_such(const std::string& template_id) {
    return Refusal::not_found("no template " + template_id);
}

}  // namespace mailroom::writing
