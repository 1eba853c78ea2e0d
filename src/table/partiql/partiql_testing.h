// For tests: requests and values as text, and a store that writes down what it is asked.
#pragma once

#include "base/hex.h"
#include "table/store.h"

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

namespace mailroom::table::partiql::testing {

inline std::string shown(ItemView item);

// As PartiQL would write it; a binary as `b'00ff'`.
inline std::string shown(ValueView value) {
    std::string text;
    const auto add = [&text](const std::string& part) {
        text += (text.empty() ? "" : ", ") + part;
    };
    switch (value.kind()) {
        case Kind::string:
            return "'" + std::string(value.text()) + "'";
        case Kind::number:
            return value.number().text();
        case Kind::binary:
            return "b'" + hex_encode(value.bytes()) + "'";
        case Kind::boolean_true:
            return "true";
        case Kind::boolean_false:
            return "false";
        case Kind::null:
            return "null";
        case Kind::list:
            for (const ValueView& element : value.list()) add(shown(element));
            return "[" + text + "]";
        case Kind::map:
            return shown(value.map());
        case Kind::string_set:
            for (const auto payload : value.set()) add("'" + std::string(payload) + "'");
            return "<<" + text + ">>";
        case Kind::number_set:
            for (const auto payload : value.set()) add(Number::from_encoded(payload).text());
            return "<<" + text + ">>";
        case Kind::binary_set:
            for (const auto payload : value.set()) add("b'" + hex_encode(payload) + "'");
            return "<<" + text + ">>";
    }
    return "?";
}

inline std::string shown(ItemView item) {
    std::string text;
    for (const Field& field : item) {
        text += (text.empty() ? "" : ", ") + std::string(field.name) + ": " + shown(field.value);
    }
    return "{" + text + "}";
}

inline std::string shown(const std::vector<Item>& items) {
    std::string text;
    for (const Item& item : items) text += (text.empty() ? "" : " ") + shown(item.view());
    return text;
}

// The expression with its placeholders filled in.
inline std::string filled(const std::string& expression, const Bindings& bind) {
    std::string text;
    for (std::size_t i = 0; i < expression.size();) {
        if (expression[i] != '#' && expression[i] != ':') {
            text += expression[i++];
            continue;
        }
        auto end = expression.find_first_of(" ,.()[", i);
        const auto placeholder = expression.substr(i, end - i);
        for (const auto& [key, name] : bind.names) {
            if (key == placeholder) text += name;
        }
        for (const auto& [key, value] : bind.values) {
            if (key == placeholder) text += shown(value.view());
        }
        i += placeholder.size();
    }
    return text;
}

// Answers from `pages` and `written`, and writes down each request as one line.
class RecordingStore : public Store {
public:
    explicit RecordingStore(TableDescription table) : table_(std::move(table)) {}

    std::vector<std::string> asked;
    std::deque<Page> pages;          // For query and scan; an empty one when there is none left.
    std::optional<Item> item;        // For get.
    std::optional<Failure> refusal;  // Of every write.
    std::optional<Item> attributes;  // What writes return.
    std::size_t descriptions_asked = 0;

    Outcome<GetResult> get(const GetItem& request) override {
        asked.push_back(line(request));
        return GetResult{item, {}};
    }
    Outcome<WriteResult> put(const PutItem& request) override { return record(line(request)); }
    Outcome<WriteResult> update(const UpdateItem& request) override {
        return record(line(request));
    }
    Outcome<WriteResult> erase(const DeleteItem& request) override { return record(line(request)); }

    Outcome<Page> query(const Query& request) override {
        std::string text = "query " + request.table;
        if (!request.index.empty()) text += "." + request.index;
        text += " key[" + filled(request.key_condition, request.bind) + "]";
        if (!request.forward) text += " backward";
        asked.push_back(text + rest(request));
        return next_page();
    }
    Outcome<Page> scan(const Scan& request) override {
        std::string text = "scan " + request.table;
        if (!request.index.empty()) text += "." + request.index;
        asked.push_back(text + rest(request));
        return next_page();
    }
    Outcome<TransactWriteResult> transact(const TransactWrite& request) override {
        for (const auto& action : request.actions) {
            asked.push_back(std::visit([](const auto& a) { return line(a); }, action));
        }
        asked.push_back("commit " + request.token);
        if (refusal) return *refusal;
        return TransactWriteResult{};
    }
    Outcome<TransactGetResult> transact_get(const TransactGet& request) override {
        TransactGetResult result;
        for (const auto& get : request.gets) {
            asked.push_back(line(get));
            result.items.push_back(item);
        }
        return result;
    }
    Outcome<TableDescription> describe_table(const std::string& table) override {
        ++descriptions_asked;
        if (table != table_.name) {
            return Failure{Fault::resource_not_found, "Requested resource not found"};
        }
        return table_;
    }

    Outcome<BatchGetResult> batch_get(const BatchGet&) override { return unused(); }
    Outcome<BatchWriteResult> batch_write(const BatchWrite&) override { return unused(); }
    Outcome<TableDescription> create_table(const CreateTable&) override { return unused(); }
    Outcome<TableDescription> update_table(const UpdateTable&) override { return unused(); }
    Outcome<TableDescription> delete_table(const std::string&) override { return unused(); }
    Outcome<TableNames> list_tables(const std::string&, std::size_t) override { return unused(); }
    Outcome<TimeToLive> set_time_to_live(const std::string&, const TimeToLive&) override {
        return unused();
    }
    Outcome<TimeToLive> time_to_live(const std::string&) override { return unused(); }
    Outcome<> tag(const std::string&, const Tags&) override { return unused(); }
    Outcome<> untag(const std::string&, const std::vector<std::string>&) override {
        return unused();
    }
    Outcome<Tags> tags(const std::string&) override { return unused(); }

private:
    static Failure unused() { return {Fault::unknown_operation, "not used by PartiQL"}; }

    static std::string bracket(const std::string& name, const std::string& text,
                               const Bindings& bind) {
        return text.empty() ? "" : " " + name + "[" + filled(text, bind) + "]";
    }
    template <class Request>
    static std::string rest(const Request& request) {
        std::string text = bracket("filter", request.filter, request.bind) +
                           bracket("show", request.projection, request.bind);
        if (request.limit) text += " limit " + std::to_string(*request.limit);
        if (request.start_key) text += " after " + shown(request.start_key->view());
        if (request.consistent) text += " consistent";
        return text;
    }
    template <class Request>
    static std::string returning(const Request& request) {
        std::string text;
        if (request.returns != ReturnValues::none) {
            text += " returning " + std::to_string(static_cast<int>(request.returns));
        }
        if (request.on_failure != OnConditionFailure::none) text += " shows refused";
        return text;
    }
    static std::string line(const GetItem& request) {
        return "get " + request.table + " " + shown(request.key.view()) +
               bracket("show", request.projection, request.bind) +
               (request.consistent ? " consistent" : "");
    }
    static std::string line(const PutItem& request) {
        return "put " + request.table + " " + shown(request.item.view()) +
               bracket("if", request.condition, request.bind) + returning(request);
    }
    static std::string line(const UpdateItem& request) {
        return "update " + request.table + " " + shown(request.key.view()) +
               bracket("do", request.update, request.bind) +
               bracket("if", request.condition, request.bind) + returning(request);
    }
    static std::string line(const DeleteItem& request) {
        return "delete " + request.table + " " + shown(request.key.view()) +
               bracket("if", request.condition, request.bind) + returning(request);
    }
    static std::string line(const ConditionCheck& request) {
        return "check " + request.table + " " + shown(request.key.view()) +
               bracket("if", request.condition, request.bind);
    }
    Outcome<WriteResult> record(std::string line) {
        asked.push_back(std::move(line));
        if (refusal) return *refusal;
        return WriteResult{attributes, {}};
    }
    Page next_page() {
        if (pages.empty()) return {};
        Page page = std::move(pages.front());
        pages.pop_front();
        return page;
    }

    TableDescription table_;
};

// Table `Music`: hash `Artist`, range `Song`; index `ByGenre` (global: `Genre`, `Price`; projects
// keys and `Year`), index `ByYear` (local: `Artist`, `Year`; projects keys).
inline TableDescription music() {
    TableDescription table;
    table.name = "Music";
    table.keys = {"Artist", "Song"};
    table.attributes = {{"Artist", Kind::string},
                        {"Song", Kind::string},
                        {"Genre", Kind::string},
                        {"Price", Kind::number},
                        {"Year", Kind::number}};
    IndexDescription global;
    global.spec = {"ByGenre", {"Genre", "Price"}, {ProjectionKind::include, {"Year"}}, {}};
    table.global_indexes.push_back(global);
    IndexDescription local;
    local.spec = {"ByYear", {"Artist", "Year"}, {ProjectionKind::keys_only, {}}, {}};
    table.local_indexes.push_back(local);
    return table;
}

}  // namespace mailroom::table::partiql::testing
