// Builds an item in one pass, for rows that are written often or are large.
#pragma once

#include "table/value.h"

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace mailroom::outbox {

// The names must come in ascending order.
class ItemWriter {
public:
    explicit ItemWriter(std::size_t expected_bytes = 256) { bytes_.reserve(expected_bytes); }

    ItemWriter& text(std::string_view name, std::string_view value) {
        return field(name, table::Kind::string, value);
    }
    // Leaves an empty one out.
    ItemWriter& text_if_any(std::string_view name, std::string_view value) {
        return value.empty() ? *this : text(name, value);
    }
    ItemWriter& binary(std::string_view name, std::string_view value) {
        return field(name, table::Kind::binary, value);
    }
    ItemWriter& number(std::string_view name, std::int64_t value) {
        return field(name, table::Kind::number, table::Number(value).encoded());
    }
    ItemWriter& map(std::string_view name, const table::ItemView& value) {
        return field(name, table::Kind::map, value.bytes());
    }
    ItemWriter& value(std::string_view name, const table::Value& value) {
        begin(name);
        bytes_ += value.encoded();
        return *this;
    }

    // Call it once, at the end.
    table::Item take() { return table::Item::from_encoded(std::move(bytes_)); }

private:
    void begin(std::string_view name) {
        assert(last_ < name);
        last_ = name;
        table::append_length(bytes_, name.size());
        bytes_ += name;
    }
    ItemWriter& field(std::string_view name, table::Kind kind, std::string_view payload) {
        begin(name);
        bytes_ += static_cast<char>(kind);
        table::append_length(bytes_, payload.size());
        bytes_ += payload;
        return *this;
    }

    std::string bytes_;
    std::string_view last_;  // Names are constants of the code.
};

}  // namespace mailroom::outbox
