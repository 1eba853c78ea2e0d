#include "table/wire/problems.h"

namespace mailroom::table::wire {

namespace {

// DynamoDB lists no more than this many broken constraints.
constexpr std::size_t constraints_max = 10;

// Values are repeated in messages up to here, so that an answer cannot be made huge.
constexpr std::size_t shown_bytes_max = 4096;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Cuts before a character, never inside one.
std::string_view shortened(std::string_view text) {
    if (text.size() <= shown_bytes_max) return text;
    std::size_t end = shown_bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end);
}

std::string broken(const Place& place, std::string_view value, std::string_view rule) {
    std::string sentence = "Value '";
    sentence.append(shortened(value)).append("' at '").append(path(place));
    return sentence.append("' failed to satisfy constraint: ").append(rule);
}

}  // namespace

std::string path(const Place& place) {
    std::string out;
    if (place.parent) out = path(*place.parent);
    if (place.index > 0) return out + "." + std::to_string(place.index) + ".member";
    if (place.entry) return out.append(".").append(shortened(place.name)) + ".member";
    if (place.name.empty()) return out;
    if (!out.empty()) out += '.';
    out += lower(place.name.front());
    return out.append(place.name.substr(1));
}

void Problems::malformed(std::string_view message) {
    if (!malformed_) malformed_ = message;
}

void Problems::constraint(const Place& place, std::string_view value, std::string_view rule) {
    if (constraints_.size() >= constraints_max) return;
    constraints_.push_back(broken(place, value, rule));
}

void Problems::bad_table_name(const Place& place, std::string_view value, std::string_view rule) {
    if (!table_name_) table_name_ = broken(place, value, rule);
}

void Problems::unshown(std::string_view at, std::string_view rule) {
    if (constraints_.size() >= constraints_max) return;
    std::string sentence = "Value at '";
    sentence.append(shortened(at)).append("' failed to satisfy constraint: ").append(rule);
    constraints_.push_back(std::move(sentence));
}

void Problems::missing(const Place& place) {
    if (constraints_.size() >= constraints_max) return;
    constraints_.push_back("Value null at '" + path(place) +
                           "' failed to satisfy constraint: Member must not be null");
}

std::optional<Failure> Problems::failure() const {
    if (malformed_) return serialization_failure(*malformed_);
    if (table_name_) return invalid("1 validation error detected: " + *table_name_);
    if (constraints_.empty()) return std::nullopt;
    std::string message = std::to_string(constraints_.size());
    message +=
        constraints_.size() == 1 ? " validation error detected: " : " validation errors detected: ";
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
        if (i > 0) message += "; ";
        message += constraints_[i];
    }
    return invalid(std::move(message));
}

void Problems::clear() {
    malformed_.reset();
    table_name_.reset();
    constraints_.clear();
}

Failure serialization_failure(std::string message) {
    return {Fault::serialization, std::move(message)};
}

}  // namespace mailroom::table::wire
