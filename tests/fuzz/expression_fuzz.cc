// Expressions of every kind, as a stranger might send them: nothing crashes, and an update leaves
// an item in canonical form. The first byte picks the kind, the rest is the text.
#include "table/expression/expression_cache.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using namespace mailroom::table;

const Bindings& bindings() {
    static const Bindings bindings{
        {{"#a", "a"}, {"#m", "m"}, {"#l", "l"}, {"#s", "status"}, {"#d", "with.dot"}},
        {{":n", 5},
         {":s", "text"},
         {":p", "te"},
         {":t", "S"},
         {":b", Value::binary("\x00\xff")},
         {":y", true},
         {":z", Value::null()},
         {":l", Value::list({1, "two"})},
         {":m", Value::map(Item{{"k", 1}})},
         {":ss", Value::string_set({"x", "y"})}}};
    return bindings;
}

const std::vector<Item>& items() {
    static const std::vector<Item> items{
        Item{},
        Item{{"a", 1}, {"l", Value::list({"x", 2})}, {"m", Value::map(Item{{"k", "v"}})}},
        Item{{"a", "text"},
             {"b", Value::binary("\x00\xff\x01")},
             {"l", Value::list({Value::map(Item{{"k", Value::list({1, 2, 3})}}), Value::list({})})},
             {"m", Value::map(Item{{"l", Value::list({Value::null(), false})},
                                   {"m", Value::map(Item{{"a", 5}})}})},
             {"s", Value::string_set({"x", "z"})},
             {"status", Value::null()},
             {"with.dot", 7}},
    };
    return items;
}

void check(bool holds) {
    if (!holds) std::abort();
}

bool is_canonical(const ValueView& value);

bool is_canonical(const ItemView& item) {
    std::string_view last;
    bool first = true;
    for (const auto& field : item) {
        if (!first && !(last < field.name)) return false;
        if (!is_canonical(field.value)) return false;
        last = field.name;
        first = false;
    }
    return true;
}

bool is_canonical(const ValueView& value) {
    if (value.kind() == Kind::map) return is_canonical(value.map());
    if (value.kind() == Kind::list) {
        for (const auto& element : value.list()) {
            if (!is_canonical(element)) return false;
        }
    }
    if (is_set(value.kind())) {
        std::vector<std::string_view> payloads;
        for (const auto payload : value.set()) payloads.push_back(payload);
        return !payloads.empty() &&
               Value::set_of(value.kind(), payloads).encoded() == value.encoded();
    }
    return true;
}

void run_condition(std::string_view text) {
    const auto condition = parse_condition(text, ExpressionUse::filter);
    if (!condition) return;
    auto compiled = compile(*condition, ExpressionUse::filter);
    check(static_cast<bool>(compiled));
    BindingUse use(bindings());
    const auto bound = bind(*std::move(compiled), bindings(), use);
    if (!bound) return;
    for (const auto& item : items()) bound->holds(item);
    bound->reads("m");
}

void run_key_condition(std::string_view text) {
    const auto compiled = compile_key_condition(text);
    if (!compiled) return;
    BindingUse use(bindings());
    const auto bound = bind(*compiled, bindings(), use);
    if (!bound) return;
    check(!bound->parts().empty());
    const AttributeDefinition hash[] = {{"a", Kind::string}}, range[] = {{"status", Kind::string}};
    const auto keys = bound->match(hash, range);
    if (keys && keys->range) keys->range->holds(Value("text"));
}

void run_projection(std::string_view text) {
    const auto paths = parse_projection(text);
    if (!paths) return;
    auto compiled = compile(*paths, ExpressionUse::projection);
    check(static_cast<bool>(compiled));
    BindingUse use(bindings());
    const auto bound = bind(*std::move(compiled), bindings(), use);
    if (!bound) return;
    for (const auto& item : items()) {
        const auto part = bound->project(item);
        check(is_canonical(part.view()));
        check(part.bytes().size() <= item.bytes().size());
    }
}

void run_update(std::string_view text) {
    const auto update = parse_update(text);
    if (!update) return;
    auto compiled = compile(*update, ExpressionUse::update);
    check(static_cast<bool>(compiled));
    BindingUse use(bindings());
    const auto bound = bind(*std::move(compiled), bindings(), use);
    if (!bound) return;
    for (const auto& item : items()) {
        const auto effect = bound->apply(item, ReturnValues::updated_new);
        if (!effect) continue;
        check(is_canonical(effect->item.view()));
        check(is_canonical(effect->updated_new->view()));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 4) {
        case 0:
            run_condition(text);
            break;
        case 1:
            run_key_condition(text);
            break;
        case 2:
            run_projection(text);
            break;
        default:
            run_update(text);
            break;
    }
    return 0;
}
