#include "campaigns/sequences/definition.h"

#include "people/json_value.h"
#include "people/segments/filter_text.h"

#include <utility>

namespace mailroom::campaigns {

people::Filter FilterWish::value() const {
    if (rules) return *rules;
    auto parsed = people::parse_filter(filter);
    return parsed ? *std::move(parsed) : !people::Filter();
}

const StepHead& Step::head() const {
    return std::visit([](const auto& step) -> const StepHead& { return step.head; }, what);
}

std::string_view Step::type() const {
    return std::visit([](const auto& step) -> std::string_view { return step.type; }, what);
}

namespace {

using StepKinds = decltype(Step::what);

// Makes `to` a step of the kind that is called so; false if none is.
template <std::size_t kind = 0>
bool become(std::string_view type, StepKinds& to) {
    if constexpr (kind == std::variant_size_v<StepKinds>) {
        return false;
    } else {
        if (std::variant_alternative_t<kind, StepKinds>::type != type) {
            return become<kind + 1>(type, to);
        }
        to.emplace<kind>();
        return true;
    }
}

template <std::size_t... kinds>
void describe_kinds(json::Writer& writer, table::Schemas& schemas, std::index_sequence<kinds...>) {
    const auto one = [&]<class Kind>(const Kind*) {
        writer.open_object();
        table::Form<Kind>::describe(writer, schemas);
        writer.close_object();
    };
    (one(static_cast<std::variant_alternative_t<kinds, StepKinds>*>(nullptr)), ...);
}

}  // namespace

}  // namespace mailroom::campaigns

namespace mailroom::table {

using campaigns::PlainValue;
using campaigns::Step;
using Type = json::View::Type;

void Form<PlainValue>::show(json::Writer& writer, const PlainValue& value) {
    people::write_value(writer, value.value);
}

void Form<PlainValue>::read(const json::View& view, PlainValue& to, Reading& reading) {
    const auto type = view.type();
    const bool is_plain = type == Type::text || type == Type::boolean || type == Type::integer ||
                          type == Type::decimal;
    auto value = is_plain ? people::value_of(view) : Error{Errc::invalid, ""};
    if (!value) return reading.wrong("must be a text, a number, true or false");
    to.value = *std::move(value);
}

void Form<PlainValue>::describe(json::Writer& writer, Schemas&) {
    writer.key("type").open_list().text("string").text("number").text("boolean").close_list();
}

void Form<Step>::show(json::Writer& writer, const Step& step) {
    std::visit([&](const auto& one) { write_json(writer, one); }, step.what);
}

void Form<Step>::read(const json::View& view, Step& to, Reading& reading) {
    if (view.type() != Type::object) return reading.wrong("must be an object");
    const auto type = view.find("type");
    if (!type) return reading.wrong_member("type", "is missing");
    if (type->type() != Type::text || !campaigns::become(type->text(), to.what)) {
        return reading.wrong_member("type", "must be send, wait, choice, condition, repeat or end");
    }
    std::visit([&](auto& one) { read_object(view, one, reading); }, to.what);
}

void Form<Step>::describe(json::Writer& writer, Schemas& schemas) {
    schemas.refer(writer, "SequenceStep", [](Schemas& all) {
        std::string text;
        json::Writer schema(text);
        schema.open_object().key("oneOf").open_list();
        campaigns::describe_kinds(
            schema, all, std::make_index_sequence<std::variant_size_v<campaigns::StepKinds>>());
        schema.close_list().close_object();
        return text;
    });
}

}  // namespace mailroom::table
