#include "mime/dkim/key_record.h"

#include "base/base64.h"
#include "mime/dkim/tag_list.h"

#include <algorithm>

namespace mailroom::mime::dkim {
namespace {

constexpr std::size_t record_bytes_max = 16 * 1024;  // A key of 8192 bits has 1.4 KB.

bool lists(std::string_view list, std::string_view word) {
    return std::ranges::count(split_colons(list), word) > 0;
}

}  // namespace

Result<KeyRecord> parse_key_record(std::string_view text) {
    if (text.size() > record_bytes_max) return Error{Errc::invalid, "the key record is too long"};
    const auto tags = TRY(TagList::parse(text));
    const auto version = tags.find("v");
    if (version && (*version != "DKIM1" || tags.tags().front().name != "v")) {
        return Error{Errc::invalid, "the key record is not of version DKIM1"};
    }
    KeyRecord record;
    const auto kind = tags.find("k").value_or("rsa");
    if (kind == "ed25519") {
        record.algorithm = Algorithm::ed25519_sha256;
    } else if (kind != "rsa") {
        return Error{Errc::invalid, "the key record has an unknown kind of key"};
    }
    const auto key = tags.find("p");
    if (!key) return Error{Errc::invalid, "the key record has no key"};
    const auto decoded = base64_decode(without_space(*key));
    if (!decoded) return Error{Errc::invalid, "the key record's key is not base 64"};
    record.key = *decoded;
    if (const auto flags = tags.find("t")) {
        record.testing = lists(*flags, "y");
        record.exact_identity = lists(*flags, "s");
    }
    if (const auto hashes = tags.find("h")) record.allows_sha256 = lists(*hashes, "sha256");
    if (const auto services = tags.find("s")) {
        record.allows_mail = lists(*services, "*") || lists(*services, "email");
    }
    return record;
}

}  // namespace mailroom::mime::dkim
