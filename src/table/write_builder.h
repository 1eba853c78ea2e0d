// Writes, put together without expressions in strings:
//
//   using namespace table::write;
//   store.put(Put("Drafts", item).if_absent("PK"));
//   store.update(Update("Drafts", key).set("status", "approved").add("count", 1)
//                    .when("status", "draft"));
//
//   Transaction together;
//   together.update("Drafts", key).set("status", "approved").when("version", version);
//   together.put("EmailOutbox", mail).if_absent("PK");
//   store.transact(together);
//
// Attributes are top-level ones and may have any name, reserved words included. What these builders
// cannot say (nested attributes, OR), the structs of operations.h can; Transaction::also() takes
// them.
#pragma once

#include "table/clauses.h"
#include "table/operations.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::table::write {

// The conditions of a write: all must hold of the item as it was, or nothing is written.
template <class Self>
class Conditional {
public:
    Self& when(std::string_view attribute, const Value& value) {
        return also(clauses_.compare(attribute, "=", value));
    }
    // Also holds when the item has no such attribute.
    Self& unless(std::string_view attribute, const Value& value) {
        return also(clauses_.compare(attribute, "<>", value));
    }
    Self& when_below(std::string_view attribute, const Value& value) {
        return also(clauses_.compare(attribute, "<", value));
    }
    Self& when_at_most(std::string_view attribute, const Value& value) {
        return also(clauses_.compare(attribute, "<=", value));
    }
    Self& when_above(std::string_view attribute, const Value& value) {
        return also(clauses_.compare(attribute, ">", value));
    }
    Self& when_at_least(std::string_view attribute, const Value& value) {
        return also(clauses_.compare(attribute, ">=", value));
    }
    // With a key attribute these two ask for the item itself.
    Self& if_present(std::string_view attribute) { return also(clauses_.exists(attribute)); }
    Self& if_absent(std::string_view attribute) { return also(clauses_.absent(attribute)); }

    // A refusal carries the item that refused it.
    Self& show_refusing_item() {
        on_failure_ = OnConditionFailure::all_old;
        return self();
    }

protected:
    Self& self() { return static_cast<Self&>(*this); }
    Self& also(const std::string& term) {
        append_and(condition_, term);
        return self();
    }

    Clauses clauses_;
    std::string condition_;
    OnConditionFailure on_failure_ = OnConditionFailure::none;
};

// The whole item, in place of the one that may be there.
class Put : public Conditional<Put> {
public:
    Put(std::string table, Item item) : table_(std::move(table)), item_(std::move(item)) {}
    Put& return_old();
    operator PutItem() const&;
    operator PutItem() &&;

private:
    std::string table_;
    Item item_;
    ReturnValues returns_ = ReturnValues::none;
};

// Some attributes of an item, which is made if it is not there.
class Update : public Conditional<Update> {
public:
    Update(std::string table, Item key) : table_(std::move(table)), key_(std::move(key)) {}

    // Each attribute may be changed once.
    Update& set(std::string_view attribute, const Value& value);
    Update& set_if_absent(std::string_view attribute, const Value& value);
    // A number is added, beginning with 0; a set's elements join those that are there.
    Update& add(std::string_view attribute, const Value& number_or_set);
    // Joins a list at its end, which is made if it is not there.
    Update& append(std::string_view attribute, const Value& list);
    Update& remove(std::string_view attribute);
    // These elements of a set.
    Update& remove_from(std::string_view attribute, const Value& set);

    Update& return_old();
    Update& return_new();
    operator UpdateItem() const&;
    operator UpdateItem() &&;

private:
    std::string expression() const;

    std::string table_;
    Item key_;
    std::string set_, remove_, add_, delete_;
    ReturnValues returns_ = ReturnValues::none;
};

class Erase : public Conditional<Erase> {
public:
    Erase(std::string table, Item key) : table_(std::move(table)), key_(std::move(key)) {}
    Erase& return_old();
    operator DeleteItem() const&;
    operator DeleteItem() &&;

private:
    std::string table_;
    Item key_;
    ReturnValues returns_ = ReturnValues::none;
};

// Writes nothing: for transactions that rest on an item they do not change. Needs a condition.
class Check : public Conditional<Check> {
public:
    Check(std::string table, Item key) : table_(std::move(table)), key_(std::move(key)) {}
    operator ConditionCheck() const&;
    operator ConditionCheck() &&;

private:
    std::string table_;
    Item key_;
};

// All of it or nothing; at most 100 items, each once.
class Transaction {
public:
    // The references stay valid as long as the transaction.
    Put& put(std::string table, Item item);
    Update& update(std::string table, Item key);
    Erase& erase(std::string table, Item key);
    Check& check(std::string table, Item key);
    WriteAction& also(WriteAction action);
    // To one attribute of an item (see Addition). What is added to the same one is added up.
    Transaction& add(std::string_view table, const Item& key, std::string_view attribute,
                     std::int64_t by);

    // The same transaction with the same token within ten minutes is done once.
    Transaction& token(std::string token);
    // See TransactWrite: of all items that are put so far.
    Transaction& puts_are_new();

    bool empty() const { return size() == 0; }
    std::size_t size() const { return actions_.size() + additions_.size(); }
    operator TransactWrite() const&;
    operator TransactWrite() &&;

private:
    std::deque<std::variant<Put, Update, Erase, Check, WriteAction>> actions_;
    std::vector<Addition> additions_;
    std::string token_;
    std::size_t new_puts_end_ = 0;
};

}  // namespace mailroom::table::write
