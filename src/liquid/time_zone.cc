#include "liquid/time_zone.h"

#include <algorithm>
#include <fstream>

namespace mailroom::liquid {

namespace {

constexpr std::size_t header_bytes = 44;
constexpr std::size_t name_bytes_max = 64;          // The longest name in use has 32.
constexpr std::size_t file_bytes_max = 256 * 1024;  // The largest zone file has 4 KB.
constexpr std::uint32_t entries_max = 10'000;       // Of any table in a file.

Error corrupt() { return Error{Errc::corrupt, "not a time zone file"}; }

std::int64_t big_endian(std::string_view bytes) {
    std::uint64_t number = 0;
    for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
    const auto bits = 8 * bytes.size();
    const bool negative = bits < 64 && (number >> (bits - 1)) != 0;
    return static_cast<std::int64_t>(negative ? number | ~std::uint64_t{0} << bits : number);
}

struct Header {
    std::size_t time_bytes = 4;
    std::size_t utc_flags = 0, standard_flags = 0, leaps = 0, times = 0, types = 0, letters = 0;

    std::size_t body_bytes() const {
        return times * time_bytes + times + types * 6 + letters + leaps * (time_bytes + 4) +
               standard_flags + utc_flags;
    }
};

std::optional<Header> read_header(std::string_view bytes, std::size_t time_bytes) {
    if (bytes.size() < header_bytes || !bytes.starts_with("TZif")) return std::nullopt;
    Header header;
    header.time_bytes = time_bytes;
    std::size_t* const fields[] = {&header.utc_flags, &header.standard_flags, &header.leaps,
                                   &header.times,     &header.types,          &header.letters};
    std::size_t at = 20;
    for (auto* field : fields) {
        const auto count = static_cast<std::uint32_t>(big_endian(bytes.substr(at, 4)));
        if (count > entries_max) return std::nullopt;
        *field = count;
        at += 4;
    }
    if (header.types == 0 || bytes.size() - header_bytes < header.body_bytes()) return std::nullopt;
    return header;
}

// Names are made of parts like America/Argentina/Ushuaia or Etc/GMT+5. Each part begins with a
// letter, so there is no way up and no absolute path.
bool is_zone_name(std::string_view name) {
    if (name.empty() || name.size() > name_bytes_max) return false;
    bool at_start = true;
    for (const char c : name) {
        const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        const bool other = (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '+';
        if (at_start ? !letter : !(letter || other || c == '/')) return false;
        at_start = c == '/';
    }
    return !at_start;
}

}  // namespace

Result<TimeZone> TimeZone::parse(std::string_view bytes) {
    auto header = read_header(bytes, 4);
    if (!header) return corrupt();
    // Version 2 repeats everything with 64-bit times, then adds the rule for the future.
    const bool is_long = bytes[4] >= '2';
    if (is_long) {
        bytes.remove_prefix(header_bytes + header->body_bytes());
        header = read_header(bytes, 8);
        if (!header) return corrupt();
    }
    auto body = bytes.substr(header_bytes);
    const auto indexes = body.substr(header->times * header->time_bytes, header->times);
    const auto types = body.substr(header->times * (header->time_bytes + 1), header->types * 6);
    const auto offset_of = [&](std::size_t type) {
        return static_cast<std::int32_t>(big_endian(types.substr(type * 6, 4)));
    };
    TimeZone zone;
    zone.first_offset_ = offset_of(0);
    for (std::size_t i = 0; i < header->times; ++i) {
        const auto type = static_cast<unsigned char>(indexes[i]);
        if (type >= header->types) return corrupt();
        zone.changes_.push_back(
            big_endian(body.substr(i * header->time_bytes, header->time_bytes)));
        zone.offsets_.push_back(offset_of(type));
    }
    if (!std::ranges::is_sorted(zone.changes_)) return corrupt();
    if (is_long) {
        auto footer = body.substr(header->body_bytes());
        if (footer.starts_with('\n')) footer.remove_prefix(1);
        zone.rule_ = ZoneRule::parse(footer.substr(0, footer.find('\n')));
    }
    return zone;
}

std::int32_t TimeZone::offset_at(std::int64_t unix_seconds) const {
    const auto after = std::ranges::upper_bound(changes_, unix_seconds);
    if (after == changes_.end() && rule_) return rule_->offset_at(unix_seconds);
    if (after == changes_.begin()) return first_offset_;
    return offsets_[static_cast<std::size_t>(after - changes_.begin() - 1)];
}

TimeZones::TimeZones(std::string directory) : directory_(std::move(directory)) {}

Result<const TimeZone*> TimeZones::find(std::string_view name) const {
    if (!is_zone_name(name)) return Error{Errc::invalid, "not a time zone name"};
    const std::lock_guard lock(mutex_);
    if (const auto known = zones_.find(name); known != zones_.end()) return known->second.get();

    std::ifstream file(directory_ + "/" + std::string(name), std::ios::binary);
    std::string bytes(file_bytes_max, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    if (bytes.empty()) {
        return Error{Errc::not_found, "there is no time zone " + std::string(name)};
    }
    auto zone = TRY(TimeZone::parse(bytes));
    auto& kept = zones_[std::string(name)];
    kept = std::make_unique<const TimeZone>(std::move(zone));
    return kept.get();
}

}  // namespace mailroom::liquid
