// Request bytes with places that change from one request to the next.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::bench {

// What goes into a changing place. In the template's text a place is a run of the field's
// character, as long as the number has digits: "CUSTOMER#" + mark(Field::partition, 8).
enum class Field : char { partition = '\x01', sort = '\x02', token = '\x03' };

inline std::string mark(Field field, std::size_t digits) {
    return std::string(digits, static_cast<char>(field));
}

// Making the next request is one copy and some digits, so it costs far less than sending it.
class RequestTemplate {
public:
    explicit RequestTemplate(std::string text) : text_(std::move(text)) {
        for (std::size_t at = 0; at < text_.size();) {
            const auto end = std::min(text_.find_first_not_of(text_[at], at), text_.size());
            if (is_field(text_[at])) {
                places_.push_back({at, end - at, static_cast<Field>(text_[at])});
            }
            at = end;
        }
    }

    // `next(field)` gives the number for each place, in the order of the text; its last digits are
    // written, with leading zeros.
    template <class Next>
    void render(std::string& request, Next&& next) const {
        request.assign(text_);
        for (const auto& place : places_) {
            std::uint64_t number = next(place.field);
            for (auto digit = place.offset + place.digits; digit-- > place.offset;) {
                request[digit] = static_cast<char>('0' + number % 10);
                number /= 10;
            }
        }
    }

    std::size_t size() const { return text_.size(); }

private:
    struct Place {
        std::size_t offset;
        std::size_t digits;
        Field field;
    };

    static bool is_field(char c) {
        return c >= static_cast<char>(Field::partition) && c <= static_cast<char>(Field::token);
    }

    std::string text_;
    std::vector<Place> places_;
};

}  // namespace mailroom::bench
