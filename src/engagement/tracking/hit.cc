#include "engagement/tracking/hit.h"

#include <cassert>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr char version = 1;
constexpr std::size_t mail_bytes = 36;
constexpr std::size_t fixed_bytes = 1 + 1 + 8 + mail_bytes + 2 + 2 + 2;
constexpr int head_flag = 1, prefetch_flag = 2;

void append_number(std::string& out, std::uint64_t number, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

void append_text(std::string& out, const std::string& text) {
    append_number(out, text.size(), 2);
    out += text;
}

class Reader {
public:
    explicit Reader(std::string_view bytes) : left_(bytes) {}

    bool is_done() const { return left_.empty(); }
    bool failed() const { return failed_; }
    std::string_view take(std::size_t bytes) {
        if (left_.size() < bytes) {
            failed_ = true;
            left_ = {};
            return {};
        }
        const auto taken = left_.substr(0, bytes);
        left_.remove_prefix(bytes);
        return taken;
    }
    std::uint64_t number(std::size_t bytes) {
        std::uint64_t result = 0;
        for (const char c : take(bytes)) result = result << 8 | static_cast<unsigned char>(c);
        return result;
    }
    std::string text() { return std::string(take(number(2))); }

private:
    std::string_view left_;
    bool failed_ = false;
};

Hit read_hit(Reader& reader) {
    Hit hit;
    hit.kind = reader.number(1) == 2 ? Hit::Kind::click : Hit::Kind::open;
    const auto flags = reader.number(1);
    hit.is_head = (flags & head_flag) != 0;
    hit.is_prefetch = (flags & prefetch_flag) != 0;
    hit.at = from_unix_ms(static_cast<std::int64_t>(reader.number(8)));
    hit.mail_id = reader.take(mail_bytes);
    hit.link = static_cast<std::uint16_t>(reader.number(2));
    hit.url = reader.text();
    hit.user_agent = reader.text();
    return hit;
}

}  // namespace

std::string encode_hits(std::span<const Hit> hits) {
    std::string out(1, version);
    for (const auto& hit : hits) {
        assert(hit.mail_id.size() == mail_bytes);
        out += static_cast<char>(hit.kind);
        out += static_cast<char>((hit.is_head ? head_flag : 0) |
                                 (hit.is_prefetch ? prefetch_flag : 0));
        append_number(out, static_cast<std::uint64_t>(to_unix_ms(hit.at)), 8);
        out += hit.mail_id;
        append_number(out, hit.link, 2);
        append_text(out, hit.url);
        append_text(out, hit.user_agent);
    }
    return out;
}

std::size_t encoded_bytes(const Hit& hit) {
    return fixed_bytes + hit.url.size() + hit.user_agent.size();
}

Result<std::vector<Hit>> decode_hits(std::string_view bytes) {
    const Error wrong{Errc::corrupt, "the hits are none that this version wrote"};
    if (!bytes.starts_with(version)) return wrong;
    Reader reader(bytes.substr(1));
    std::vector<Hit> hits;
    while (!reader.is_done()) {
        hits.push_back(read_hit(reader));
        if (reader.failed()) return wrong;
    }
    return hits;
}

}  // namespace mailroom::engagement
