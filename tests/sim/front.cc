#include "sim/front.h"

#include "json/json.h"

#include <utility>

namespace mailroom::sim {

namespace {

using Type = json::View::Type;

Fields read(const json::View& view) {
    Fields fields;
    if (view.type() != Type::object) return fields;
    json::Members members(view);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) {
        if (value.type() == Type::text) fields.texts.emplace(name, value.text());
        if (value.type() == Type::integer)
            fields.numbers.emplace(name, value.integer().value_or(0));
    }
    return fields;
}

}  // namespace

http::Request request_of(std::string method, std::string target, std::string body,
                         std::vector<http::Header> headers) {
    return {std::move(method), std::move(target), std::move(headers), std::move(body), "127.0.0.1"};
}

std::string Fields::text(std::string_view name) const {
    const auto found = texts.find(name);
    return found == texts.end() ? "" : found->second;
}

std::int64_t Fields::number(std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? 0 : found->second;
}

Fields fields_of(std::string_view json) {
    json::Parser parser;
    const auto view = parser.parse(json);
    return view ? read(*view) : Fields{};
}

std::vector<Fields> items_of(std::string_view json, std::string_view list) {
    std::vector<Fields> all;
    json::Parser parser;
    const auto view = parser.parse(json);
    if (!view || view->type() != Type::object) return all;
    const auto found = view->find(list);
    if (!found || found->type() != Type::list) return all;
    json::Elements elements(*found);
    json::View item;
    while (elements.next(item)) all.push_back(read(item));
    return all;
}

std::string random_uuid(Chance& chance) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int i = 0; i < 36; ++i) {
        const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        text += is_dash ? '-' : i == 14 ? '4' : i == 19 ? '8' : digits[chance.below(16)];
    }
    return text;
}

}  // namespace mailroom::sim
