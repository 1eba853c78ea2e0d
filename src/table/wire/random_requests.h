// Requests and answers with anything in them. For tests.
#pragma once

#include "table/operations.h"
#include "table/value.h"
#include "table/wire/encoder.h"

#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace mailroom::table::wire {

class RandomRequests {
public:
    explicit RandomRequests(unsigned seed) : engine_(seed) {}

    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
    bool coin() { return below(2) == 0; }

    std::string text() {
        static const std::string pieces[] = {"a", "B", "\"",   "\\",         "\n",
                                             "é", "😀", "\x01", "plain text "};
        std::string out;
        for (int i = below(5); i > 0; --i) out += pieces[below(std::size(pieces))];
        return out;
    }
    std::string name(const std::string& prefix) { return prefix + std::to_string(below(1000)); }
    std::string bytes() {
        std::string out;
        for (int i = below(6); i > 0; --i) out += static_cast<char>(below(256));
        return out;
    }
    Number number() {
        std::string digits = coin() ? "-" : "";
        for (int i = 1 + below(38); i > 0; --i) digits += static_cast<char>('0' + below(10));
        if (coin()) digits += "e" + std::to_string(below(160) - 100);
        const auto parsed = Number::parse(digits);
        return parsed ? *parsed : Number(below(1000));
    }
    Value set() {
        std::vector<std::string> payloads;
        const Kind kinds[] = {Kind::string_set, Kind::number_set, Kind::binary_set};
        const Kind kind = kinds[below(3)];
        for (int i = 1 + below(4); i > 0; --i) {
            payloads.push_back(kind == Kind::string_set   ? text()
                               : kind == Kind::number_set ? std::string(number().encoded())
                                                          : bytes());
        }
        return Value::set_of(kind, {payloads.begin(), payloads.end()});
    }
    Value value(int depth = 0) {
        switch (below(depth < 4 ? 9 : 6)) {
            case 0:
            case 1:
                return Value(text());
            case 2:
                return Value(number());
            case 3:
                return Value::binary(bytes());
            case 4:
                return coin() ? Value(coin()) : Value::null();
            case 5:
                return set();
            case 6: {
                std::vector<Value> elements;
                for (int i = below(4); i > 0; --i) elements.push_back(value(depth + 1));
                return Value::list(elements);
            }
            default:
                return Value::map(item(depth + 1));
        }
    }
    Item item(int depth = 0) {
        Item out;
        for (int i = below(5); i > 0; --i) out.set(name("f") + text(), value(depth));
        return out;
    }
    Bindings names() {
        Bindings out;
        for (int i = below(3); i > 0; --i)
            out.names.emplace_back("#n" + std::to_string(i), "a" + text());
        return out;
    }
    Bindings bindings() {
        Bindings out = names();
        for (int i = below(3); i > 0; --i)
            out.values.emplace_back(":v" + std::to_string(i), value());
        return out;
    }
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return *(all.begin() + below(static_cast<int>(all.size())));
    }
    Options options() {
        return {one_of({ShowConsumed::none, ShowConsumed::total, ShowConsumed::indexes}),
                ShowMetrics::none};
    }
    OnConditionFailure on_failure() {
        return coin() ? OnConditionFailure::none : OnConditionFailure::all_old;
    }
    ReturnValues old_or_none() { return coin() ? ReturnValues::none : ReturnValues::all_old; }

    GetItem get() {
        const bool projected = coin();
        return {name("table"), item(), projected ? "p" + text() : "",
                projected ? names() : Bindings{}, false};
    }
    PutItem put() {
        return {name("table"), item(), "c" + text(), bindings(), ReturnValues::none, on_failure()};
    }
    UpdateItem update() {
        return {
            name("table"),      item(),      "u" + text(), coin() ? "c" + text() : "", bindings(),
            ReturnValues::none, on_failure()};
    }
    DeleteItem erase() {
        return {name("table"), item(), "c" + text(), bindings(), ReturnValues::none, on_failure()};
    }
    ConditionCheck check() {
        return {name("table"), item(), "c" + text(), bindings(), on_failure()};
    }
    Consumed consumed(bool write) {
        Consumed out;
        out.table = name("table");
        (write ? out.table_write : out.table_read) = below(100) * 0.5;
        if (coin()) out.indexes.push_back({name("local"), true, write ? 0 : 1.5, write ? 1.5 : 0});
        if (coin())
            out.indexes.push_back({name("global"), false, write ? 0 : 2.5, write ? 2.5 : 0});
        return out;
    }
    std::vector<Item> items() {
        std::vector<Item> out;
        for (int i = below(4); i > 0; --i) out.push_back(item());
        return out;
    }

private:
    std::mt19937 engine_;
};

}  // namespace mailroom::table::wire
