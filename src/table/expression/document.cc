#include "table/expression/document.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>

namespace mailroom::table {

// A place in the document at or below which something changes.
struct Document::Place {
    enum class Change { inside, replaced, removed };
    Change change = Change::inside;
    std::optional<ValueView> before;  // What was here; none at the root and where nothing was.
    ValueView after;                  // With `replaced`.
    std::map<std::string_view, Place> fields;
    std::map<std::uint32_t, Place> elements;

    Place* known(const Step& step) {
        if (step.is_index) {
            const auto found = elements.find(step.index);
            return found == elements.end() ? nullptr : &found->second;
        }
        const auto found = fields.find(step.name);
        return found == fields.end() ? nullptr : &found->second;
    }
    Place& add(const Step& step) {
        return step.is_index ? elements[step.index] : fields[step.name];
    }
    void append_list(ListView list, std::string& out) const;
    void append_map(ItemView map, std::string& out) const;
    // Nothing when there is no value here any more.
    std::optional<Value> changed() const;
};

namespace {

void append_field(std::string& out, std::string_view name, const std::optional<Value>& value) {
    if (value) table::append_field(out, name, value->view());
}

void append_value(std::string& out, const std::optional<Value>& value) {
    if (value) out += value->encoded();
}

}  // namespace

std::optional<Value> Document::Place::changed() const {
    if (change == Change::removed) return std::nullopt;
    if (change == Change::replaced) return Value(after);
    assert(before);
    // A path that led nowhere may have come by.
    if (fields.empty() && elements.empty()) return Value(*before);
    std::string payload;
    payload.reserve(before->payload().size());
    if (before->kind() == Kind::list) {
        append_list(before->list(), payload);
    } else {
        append_map(before->map(), payload);
    }
    return Value::make(before->kind(), payload);
}

void Document::Place::append_list(ListView list, std::string& out) const {
    auto next = elements.begin();
    std::uint32_t index = 0;
    for (const auto& element : list) {
        if (next != elements.end() && next->first == index) {
            append_value(out, next->second.changed());
            ++next;
        } else {
            out += element.encoded();
        }
        ++index;
    }
    for (; next != elements.end(); ++next) append_value(out, next->second.changed());
}

void Document::Place::append_map(ItemView map, std::string& out) const {
    auto next = fields.begin();
    for (const auto& field : map) {
        for (; next != fields.end() && next->first < field.name; ++next) {
            append_field(out, next->first, next->second.changed());
        }
        if (next != fields.end() && next->first == field.name) {
            append_field(out, next->first, next->second.changed());
            ++next;
        } else {
            table::append_field(out, field.name, field.value);
        }
    }
    for (; next != fields.end(); ++next) append_field(out, next->first, next->second.changed());
}

Document::Document(ItemView item) : item_(item), root_(std::make_unique<Place>()) {}
Document::~Document() = default;

Document::Place* Document::place(const Path& path) {
    assert(!path.empty() && !path.front().is_index);
    Place* at = root_.get();
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto& step = path[i];
        const bool is_root = i == 0;
        const auto wanted = step.is_index ? Kind::list : Kind::map;
        if (!is_root && (!at->before || at->before->kind() != wanted)) return nullptr;

        auto* next = at->known(step);
        if (next == nullptr) {
            std::optional<ValueView> before;
            // What the last step leads to is replaced as a whole, so nobody asks what it was.
            if (i + 1 < path.size()) {
                before = step.is_index ? at->before->list().at(step.index)
                                       : (is_root ? item_ : at->before->map()).find(step.name);
                if (!before) return nullptr;
            }
            next = &at->add(step);
            next->before = before;
        }
        at = next;
    }
    return at;
}

bool Document::set(const Path& path, const ValueView& value) {
    auto* at = place(path);
    if (at == nullptr) return false;
    at->change = Place::Change::replaced;
    at->after = value;
    return true;
}

bool Document::remove(const Path& path) {
    auto* at = place(path);
    if (at == nullptr) return false;
    at->change = Place::Change::removed;
    return true;
}

Item Document::encode() const {
    std::string bytes;
    bytes.reserve(item_.bytes().size());
    root_->append_map(item_, bytes);
    return Item::from_encoded(std::move(bytes));
}

void append_field(std::string& out, std::string_view name, const ValueView& value) {
    append_length(out, name.size());
    out.append(name).append(value.encoded());
}

std::size_t nesting_levels(const ValueView& value) {
    std::size_t below = 0;
    if (value.kind() == Kind::list) {
        for (const auto& element : value.list()) below = std::max(below, nesting_levels(element));
    } else if (value.kind() == Kind::map) {
        for (const auto& field : value.map()) below = std::max(below, nesting_levels(field.value));
    } else {
        return 0;
    }
    return below + 1;
}

}  // namespace mailroom::table
