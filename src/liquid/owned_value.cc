#include "liquid/owned_value.h"

#include <unordered_map>

namespace mailroom::liquid {

class OwnedArrayReader final : public ArrayReader {
public:
    std::size_t size(const void* node) const override { return items(node).size(); }
    Value at(const void* node, std::size_t index) const override {
        return items(node)[index].view();
    }

private:
    static const OwnedValue::Array& items(const void* node) {
        return std::get<OwnedValue::Array>(static_cast<const OwnedValue*>(node)->value_);
    }
};

class OwnedObjectReader final : public ObjectReader {
public:
    std::size_t size(const void* node) const override { return members(node).size(); }
    Value get(const void* node, std::string_view key) const override {
        const auto* found = static_cast<const OwnedValue*>(node)->find(key);
        return found ? found->view() : Value();
    }
    void list(const void* node, std::vector<Entry>& entries) const override {
        for (const auto& [key, item] : members(node)) entries.push_back({key, item.view()});
    }

private:
    static const std::vector<OwnedValue::Member>& members(const void* node) {
        return std::get<OwnedValue::Object>(static_cast<const OwnedValue*>(node)->value_).members;
    }
};

namespace {

const OwnedArrayReader array_reader;
const OwnedObjectReader object_reader;

}  // namespace

OwnedValue OwnedValue::array(Array items) {
    OwnedValue value;
    value.value_ = std::move(items);
    return value;
}

OwnedValue OwnedValue::object(std::vector<Member> members) {
    OwnedValue value;
    std::vector<Member> unique;
    std::unordered_map<std::string_view, std::size_t> positions;  // set() would look at every key.
    unique.reserve(members.size());  // So that the keys, which the map views, stay where they are.
    for (auto& member : members) {
        const auto known = positions.find(member.first);
        if (known != positions.end()) {
            unique[known->second].second = std::move(member.second);
            continue;
        }
        unique.push_back(std::move(member));
        positions.emplace(unique.back().first, unique.size() - 1);
    }
    value.value_ = Object{std::move(unique)};
    return value;
}

void OwnedValue::push(OwnedValue item) { std::get<Array>(value_).push_back(std::move(item)); }

void OwnedValue::set(std::string_view key, OwnedValue item) {
    for (auto& [name, value] : std::get<Object>(value_).members) {
        if (name == key) {
            value = std::move(item);
            return;
        }
    }
    std::get<Object>(value_).members.emplace_back(key, std::move(item));
}

const OwnedValue* OwnedValue::find(std::string_view key) const {
    for (const auto& [name, value] : std::get<Object>(value_).members) {
        if (name == key) return &value;
    }
    return nullptr;
}

Value OwnedValue::view() const {
    switch (value_.index()) {
        case 1:
            return Value::boolean(std::get<bool>(value_));
        case 2:
            return Value::integer(std::get<std::int64_t>(value_));
        case 3:
            return Value::decimal(std::get<double>(value_));
        case 4:
            return Value::text(std::get<std::string>(value_));
        case 5:
            return Value::array(array_reader, this);
        case 6:
            return Value::object(object_reader, this);
        default:
            return Value::nil();
    }
}

}  // namespace mailroom::liquid
