#include "net/dns_message.h"

#include "base/text.h"

#include <algorithm>
#include <map>

namespace mailroom::net {

namespace {

constexpr std::uint16_t type_cname = 5;
constexpr std::uint16_t type_soa = 6;
constexpr std::uint16_t class_internet = 1;
constexpr std::size_t name_bytes_max = 255;  // RFC 1035, 2.3.4.
constexpr std::size_t name_chars_max = 253;  // The same, written with dots.
constexpr std::size_t label_chars_max = 63;
constexpr std::size_t all_records_max = 1000;  // In one message; each costs us some work.
constexpr int aliases_max = 16;                // A chain; resolvers stop at about as many.
constexpr std::uint32_t ttl_sign_bit = 0x8000'0000;

bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// A name as it was found. Names that normal_name() refuses are none; the root is "".
using FoundName = std::optional<std::string>;

class Reader {
public:
    explicit Reader(std::string_view message) : message_(message) {}

    bool failed() const { return failed_; }
    std::size_t position() const { return at_; }

    std::uint8_t byte() {
        if (at_ >= message_.size()) failed_ = true;
        return failed_ ? std::uint8_t{0} : static_cast<std::uint8_t>(message_[at_++]);
    }
    std::uint16_t number16() {
        const unsigned high = byte();
        return static_cast<std::uint16_t>(high << 8 | byte());
    }
    std::uint32_t number32() {
        const std::uint32_t high = number16();
        return high << 16 | number16();
    }
    std::string_view bytes(std::size_t count) {
        if (failed_ || count > message_.size() - at_) {
            failed_ = true;
            return {};
        }
        at_ += count;
        return message_.substr(at_ - count, count);
    }
    FoundName name() {
        std::string text;
        bool usable = true;
        std::size_t after = 0;     // Where reading goes on, once a pointer was followed.
        std::size_t before = at_;  // Pointers lead further back each time, so they come to an end.
        std::size_t length = 1;
        while (const std::uint8_t size = byte()) {
            if ((size & 0xc0) == 0xc0) {
                const std::size_t target = static_cast<std::size_t>(size & 0x3f) << 8 | byte();
                if (after == 0) after = at_;
                if (target >= before) failed_ = true;
                before = at_ = target;
            } else {
                const auto label = ascii_lower(bytes(size));
                length += label.size() + 1;
                // The two other forms of this byte were never used.
                if (size > label_chars_max || length > name_bytes_max) failed_ = true;
                usable = usable && std::ranges::all_of(label, is_name_char);
                if (!text.empty()) text += '.';
                text += label;
            }
            if (failed_) return std::nullopt;
        }
        if (after != 0) at_ = after;
        if (failed_ || !usable) return std::nullopt;
        return text;
    }

private:
    std::string_view message_;
    std::size_t at_ = 0;
    bool failed_ = false;
};

struct Record {
    FoundName owner;
    std::uint16_t type;
    std::uint32_t ttl_seconds;
    std::size_t data_at;
    std::string_view data;
};

// Everything of a message that an answer can be made of.
class Message {
public:
    explicit Message(std::string_view bytes) : bytes_(bytes) {}

    Result<Ok> read() {
        Reader reader(bytes_);
        reader.number32();  // Id and flags, which were looked at by whoever sent the question.
        const auto questions = reader.number16();
        const auto answers = reader.number16();
        const auto authorities = reader.number16();
        reader.number16();
        if (std::size_t{answers} + authorities > all_records_max || questions > 1) {
            return Error{Errc::corrupt, "the answer has too many records"};
        }
        for (int i = 0; i < questions; ++i) {
            reader.name();
            reader.number32();
        }
        for (int i = 0; i < answers; ++i) add(answers_, reader);
        for (int i = 0; i < authorities; ++i) add(authorities_, reader);
        if (reader.failed()) return Error{Errc::corrupt, "the answer is cut off or malformed"};
        return Ok{};
    }

    std::string_view bytes() const { return bytes_; }
    const std::vector<Record>& answers() const { return answers_; }

    // RFC 2308, 5.
    std::optional<std::uint32_t> negative_ttl_seconds() const {
        constexpr std::size_t numbers_before_minimum = 4;
        for (const auto& record : authorities_) {
            if (record.type != type_soa) continue;
            Reader reader(bytes_.substr(0, record.data_at + record.data.size()));
            reader.bytes(record.data_at);
            reader.name();
            reader.name();
            for (std::size_t i = 0; i < numbers_before_minimum; ++i) reader.number32();
            const auto minimum = reader.number32();
            if (reader.failed()) continue;
            return std::min(record.ttl_seconds, minimum);
        }
        return std::nullopt;
    }

private:
    static void add(std::vector<Record>& records, Reader& reader) {
        if (reader.failed()) return;
        Record record;
        record.owner = reader.name();
        record.type = reader.number16();
        const auto record_class = reader.number16();
        const auto ttl = reader.number32();
        record.ttl_seconds = ttl & ttl_sign_bit ? 0 : ttl;  // RFC 2181, 8.
        const auto size = reader.number16();
        record.data_at = reader.position();
        record.data = reader.bytes(size);
        if (reader.failed() || record_class != class_internet) return;
        records.push_back(std::move(record));
    }

    std::string_view bytes_;
    std::vector<Record> answers_;
    std::vector<Record> authorities_;
};

// The name inside the data of a record, which may point to anywhere before it.
FoundName name_in(const Message& message, const Record& record, std::size_t skipped) {
    Reader reader(message.bytes().substr(0, record.data_at + record.data.size()));
    reader.bytes(record.data_at + skipped);
    auto name = reader.name();
    return reader.failed() ? std::nullopt : std::move(name);
}

struct Alias {
    std::string target;
    std::uint32_t ttl_seconds;
};

// Where the aliases of `name` end, and the lowest time among them. None if they go in circles.
std::optional<Alias> follow_aliases(const Message& message, std::string_view name) {
    std::map<std::string, Alias> aliases;
    for (const auto& record : message.answers()) {
        if (record.type != type_cname || !record.owner) continue;
        auto target = name_in(message, record, 0);
        if (target) aliases.try_emplace(*record.owner, Alias{*target, record.ttl_seconds});
    }
    Alias end{std::string(name), ~std::uint32_t{0}};
    for (int i = 0; i <= aliases_max; ++i) {
        const auto found = aliases.find(end.target);
        if (found == aliases.end()) return end;
        end = {found->second.target, std::min(end.ttl_seconds, found->second.ttl_seconds)};
    }
    return std::nullopt;
}

// RFC 1035, 3.3.14: strings of up to 255 bytes, one after the other.
std::optional<std::string> joined_strings(std::string_view data) {
    std::string joined;
    while (!data.empty()) {
        const std::size_t size = static_cast<std::uint8_t>(data.front());
        if (size >= data.size()) return std::nullopt;
        joined.append(data.substr(1, size));
        data.remove_prefix(size + 1);
    }
    return joined;
}

// False if the record's data does not have the form of its type.
bool add_record(DnsRecords& records, const Message& message, const Record& record) {
    const auto data = record.data;
    switch (static_cast<RecordType>(record.type)) {
        case RecordType::a: {
            if (data.size() != 4) return false;
            records.addresses.push_back(IpAddress::from_v4(Reader(data).number32()));
            return true;
        }
        case RecordType::aaaa: {
            IpAddress::Bytes bytes;
            if (data.size() != bytes.size()) return false;
            std::copy(data.begin(), data.end(), bytes.begin());
            records.addresses.push_back(IpAddress::from_v6(bytes));
            return true;
        }
        case RecordType::mx: {
            if (data.size() < 3) return false;
            auto host = name_in(message, record, 2);
            if (!host) return false;
            records.mail_hosts.push_back({Reader(data).number16(), *std::move(host)});
            return true;
        }
        case RecordType::txt: {
            auto text = joined_strings(data);
            if (!text) return false;
            records.texts.push_back(*std::move(text));
            return true;
        }
    }
    return false;
}

}  // namespace

Result<DnsRecords> parse_dns_answer(std::string_view bytes, std::string_view name,
                                    RecordType type) {
    Message message(bytes);
    TRY(message.read());
    const auto end = follow_aliases(message, name);
    if (!end) return Error{Errc::corrupt, "the aliases of the name go in circles"};

    DnsRecords records;
    auto ttl_seconds = end->ttl_seconds;
    std::size_t used = 0;
    for (const auto& record : message.answers()) {
        if (record.type != static_cast<std::uint16_t>(type) || record.owner != end->target)
            continue;
        if (used == records_max) break;
        if (add_record(records, message, record)) {
            ++used;
        } else {
            records.has_unusable = true;
        }
        ttl_seconds = std::min(ttl_seconds, record.ttl_seconds);
    }
    if (records.empty() && !records.has_unusable) {
        records.ttl_seconds = message.negative_ttl_seconds();
    } else {
        records.ttl_seconds = ttl_seconds;
    }
    return records;
}

std::optional<std::string> normal_name(std::string_view name) {
    auto normal = ascii_lower(name);
    if (normal.ends_with('.')) normal.pop_back();
    if (normal.empty() || normal.size() > name_chars_max) return std::nullopt;
    std::size_t label_chars = 0;
    for (const char c : normal) {
        if (c == '.' && label_chars == 0) return std::nullopt;
        if (c != '.' && !is_name_char(c)) return std::nullopt;
        label_chars = c == '.' ? 0 : label_chars + 1;
        if (label_chars > label_chars_max) return std::nullopt;
    }
    return label_chars == 0 ? std::nullopt : std::optional(std::move(normal));
}

}  // namespace mailroom::net
