#include "program/input.h"

namespace mailroom::program {

namespace {

constexpr std::string_view tail_mark = "...";
constexpr std::string_view limit_wanted = "must be a whole number from 1 to 1000";

void read_limit(std::string_view text, table::PageWish& wish, table::Reading& reading) {
    const auto limit = table::Form<std::int64_t>::parse(text);
    const bool is_good =
        limit && *limit >= 1 && *limit <= static_cast<std::int64_t>(table::PageWish::limit_max);
    if (!is_good) return reading.wrong_member("limit", std::string(limit_wanted));
    wish.limit = static_cast<std::size_t>(*limit);
}

}  // namespace

std::vector<std::string> names_in(std::string_view path) {
    std::vector<std::string> names;
    while (true) {
        const auto open = path.find('{');
        if (open == path.npos) return names;
        const auto close = path.find('}', open);
        auto name = path.substr(open + 1, close - open - 1);
        if (name.ends_with(tail_mark)) name.remove_suffix(tail_mark.size());
        names.emplace_back(name);
        path.remove_prefix(close);
    }
}

table::PageWish take_page_wish(Pairs& query, table::Reading& reading) {
    table::PageWish wish;
    bool has_limit = false;
    std::erase_if(query, [&](const auto& parameter) {
        const auto& [name, text] = parameter;
        if (name == "limit") {
            if (!std::exchange(has_limit, true)) read_limit(text, wish, reading);
        } else if (name == "after") {
            if (!wish.after && !text.empty()) wish.after = text;
        } else {
            return false;
        }
        return true;
    });
    return wish;
}

bool parse_body(std::string_view body, json::Parser& parser, json::View& to,
                table::Reading& reading) {
    const auto parsed = parser.parse(body.empty() ? "{}" : body);
    if (!parsed) {
        reading.wrong("the body is " + std::string(json::describe(parsed.error())));
        return false;
    }
    to = *parsed;
    if (to.type() == json::View::Type::object) return true;
    reading.wrong("the body must be a JSON object");
    return false;
}

}  // namespace mailroom::program
