#include "outbox/blobs/blob_paths.h"

#include <array>
#include <chrono>

namespace mailroom::outbox {

namespace {

constexpr std::array<std::string_view, 12> months = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

std::string path(std::string_view folder, std::string_view id, Time time, std::string_view ending) {
    const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
    std::string made(folder);
    made += '/';
    made += std::to_string(static_cast<int>(day.year()));
    made += '/';
    made += months[static_cast<unsigned>(day.month()) - 1];
    made += '/';
    made += id;
    made += ending;
    return made;
}

}  // namespace

std::string payload_path_of(std::string_view id, Time accepted) {
    return path("payload", id, accepted, ".json");
}

std::string eml_path_of(std::string_view id, Time accepted) {
    return path("eml", id, accepted, ".EML");
}

}  // namespace mailroom::outbox
