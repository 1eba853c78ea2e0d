#include "table/write_builder.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table::write {

namespace {

void append_section(std::string& update, std::string_view keyword, const std::string& actions) {
    if (actions.empty()) return;
    if (!update.empty()) update += ' ';
    update.append(keyword).append(" ").append(actions);
}

}  // namespace

Put& Put::return_old() {
    returns_ = ReturnValues::all_old;
    return *this;
}

Put::operator PutItem() const& { return Put(*this); }

Put::operator PutItem() && {
    return {
        std::move(table_), std::move(item_), std::move(condition_), std::move(clauses_).bindings(),
        returns_,          on_failure_};
}

Update& Update::set(std::string_view attribute, const Value& value) {
    append_comma(set_, clauses_.compare(attribute, "=", value));
    return *this;
}

Update& Update::set_if_absent(std::string_view attribute, const Value& value) {
    const auto name = clauses_.name(attribute);
    append_comma(set_, name + " = if_not_exists(" + name + ", " + clauses_.value(value) + ")");
    return *this;
}

Update& Update::add(std::string_view attribute, const Value& number_or_set) {
    append_comma(add_, clauses_.name(attribute) + " " + clauses_.value(number_or_set));
    return *this;
}

Update& Update::append(std::string_view attribute, const Value& list) {
    const auto name = clauses_.name(attribute);
    const auto nothing = clauses_.value(Value::list({}));
    append_comma(set_, name + " = list_append(if_not_exists(" + name + ", " + nothing + "), " +
                           clauses_.value(list) + ")");
    return *this;
}

Update& Update::remove(std::string_view attribute) {
    append_comma(remove_, clauses_.name(attribute));
    return *this;
}

Update& Update::remove_from(std::string_view attribute, const Value& set) {
    append_comma(delete_, clauses_.name(attribute) + " " + clauses_.value(set));
    return *this;
}

Update& Update::return_old() {
    returns_ = ReturnValues::all_old;
    return *this;
}

Update& Update::return_new() {
    returns_ = ReturnValues::all_new;
    return *this;
}

std::string Update::expression() const {
    std::string update;
    append_section(update, "SET", set_);
    append_section(update, "REMOVE", remove_);
    append_section(update, "ADD", add_);
    append_section(update, "DELETE", delete_);
    return update;
}

Update::operator UpdateItem() const& { return Update(*this); }

Update::operator UpdateItem() && {
    return {std::move(table_),
            std::move(key_),
            expression(),
            std::move(condition_),
            std::move(clauses_).bindings(),
            returns_,
            on_failure_};
}

Erase& Erase::return_old() {
    returns_ = ReturnValues::all_old;
    return *this;
}

Erase::operator DeleteItem() const& { return Erase(*this); }

Erase::operator DeleteItem() && {
    return {
        std::move(table_), std::move(key_), std::move(condition_), std::move(clauses_).bindings(),
        returns_,          on_failure_};
}

Check::operator ConditionCheck() const& { return Check(*this); }

Check::operator ConditionCheck() && {
    assert(!condition_.empty());
    return {std::move(table_), std::move(key_), std::move(condition_),
            std::move(clauses_).bindings(), on_failure_};
}

Put& Transaction::put(std::string table, Item item) {
    return std::get<Put>(actions_.emplace_back(Put(std::move(table), std::move(item))));
}

Update& Transaction::update(std::string table, Item key) {
    return std::get<Update>(actions_.emplace_back(Update(std::move(table), std::move(key))));
}

Erase& Transaction::erase(std::string table, Item key) {
    return std::get<Erase>(actions_.emplace_back(Erase(std::move(table), std::move(key))));
}

Check& Transaction::check(std::string table, Item key) {
    return std::get<Check>(actions_.emplace_back(Check(std::move(table), std::move(key))));
}

WriteAction& Transaction::also(WriteAction action) {
    return std::get<WriteAction>(actions_.emplace_back(std::move(action)));
}

Transaction& Transaction::add(std::string_view table, const Item& key, std::string_view attribute,
                              std::int64_t by) {
    auto addition = std::ranges::find_if(
        additions_, [&](const Addition& one) { return one.table == table && one.key == key; });
    if (addition == additions_.end()) {
        addition = additions_.insert(addition, {std::string(table), key, {}});
    }
    auto& numbers = addition->numbers;
    const auto number =
        std::ranges::find(numbers, attribute, &std::pair<std::string, std::int64_t>::first);
    if (number == numbers.end()) {
        numbers.emplace_back(attribute, by);
    } else {
        number->second += by;
    }
    return *this;
}

Transaction& Transaction::token(std::string token) {
    token_ = std::move(token);
    return *this;
}

Transaction& Transaction::puts_are_new() {
    new_puts_end_ = actions_.size();
    return *this;
}

Transaction::operator TransactWrite() const& { return Transaction(*this); }

Transaction::operator TransactWrite() && {
    TransactWrite request;
    request.token = std::move(token_);
    request.new_puts_end = new_puts_end_;
    request.additions = std::move(additions_);
    request.actions.reserve(actions_.size());
    for (auto& action : actions_) {
        if (auto* put = std::get_if<Put>(&action)) {
            request.actions.emplace_back(PutItem(std::move(*put)));
        } else if (auto* update = std::get_if<Update>(&action)) {
            request.actions.emplace_back(UpdateItem(std::move(*update)));
        } else if (auto* erase = std::get_if<Erase>(&action)) {
            request.actions.emplace_back(DeleteItem(std::move(*erase)));
        } else if (auto* check = std::get_if<Check>(&action)) {
            request.actions.emplace_back(ConditionCheck(std::move(*check)));
        } else {
            request.actions.push_back(std::get<WriteAction>(std::move(action)));
        }
    }
    return request;
}

}  // namespace mailroom::table::write
