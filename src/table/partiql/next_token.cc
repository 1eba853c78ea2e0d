#include "table/partiql/next_token.h"

#include "base/base64.h"
#include "base/text.h"
#include "table/schema.h"

#include <openssl/evp.h>

#include <array>
#include <cassert>

namespace mailroom::table::partiql {

namespace {

constexpr char version = 0x01;
constexpr std::size_t fingerprint_bytes = 16;
// The hash and range key of the table, and the hash and range attributes of one index.
constexpr std::size_t attributes_max = 2 + 2 * key_attributes_max;

void append_number(std::string& out, std::size_t value, std::size_t bytes) {
    for (std::size_t i = bytes; i > 0; --i)
        out += static_cast<char>((value >> (8 * (i - 1))) & 0xFF);
}

// Longer ones do not fit into a token anyway; encode_token() refuses it.
void append_text(std::string& out, std::string_view text) {
    append_number(out, text.size(), 2);
    out += text;
}

// Takes parts off the front of a token; none when there is too little left.
class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    bool is_empty() const { return rest_.empty(); }

    std::optional<std::string_view> bytes(std::size_t count) {
        if (rest_.size() < count) return std::nullopt;
        const auto part = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return part;
    }
    std::optional<std::uint32_t> number(std::size_t count) {
        const auto part = bytes(count);
        if (!part) return std::nullopt;
        std::uint32_t value = 0;
        for (const char c : *part) value = value << 8 | static_cast<unsigned char>(c);
        return value;
    }
    std::optional<std::string_view> text() {
        const auto size = number(2);
        return size ? bytes(*size) : std::nullopt;
    }

private:
    std::string_view rest_;
};

std::optional<Value> read_value(Reader& reader) {
    const auto kind = reader.bytes(1);
    const auto text = reader.text();
    if (!kind || !text) return std::nullopt;
    if (*kind == "S" && is_utf8(*text)) return Value(*text);
    if (*kind == "B") return Value::binary(*text);
    if (*kind != "N") return std::nullopt;
    auto number = Number::parse(*text);
    return number ? std::optional(Value(*number)) : std::nullopt;
}

std::optional<Item> read_key(Reader& reader) {
    Item key;
    std::size_t count = 0;
    while (!reader.is_empty()) {
        const auto name = reader.text();
        if (!name || name->empty() || !is_utf8(*name) || key.has(*name)) return std::nullopt;
        const auto value = read_value(reader);
        if (!value || ++count > attributes_max) return std::nullopt;
        key.set(*name, *value);
    }
    return key;
}

}  // namespace

std::string fingerprint(std::string_view text, const std::vector<Value>& parameters) {
    std::string bytes;
    append_number(bytes, text.size(), 8);
    bytes += text;
    for (const Value& parameter : parameters) {
        append_number(bytes, parameter.encoded().size(), 8);
        bytes += parameter.encoded();
    }
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    [[maybe_unused]] const int is_done =
        EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    assert(is_done == 1);
    return std::string(digest.begin(), digest.begin() + fingerprint_bytes);
}

Outcome<std::string> encode_token(std::string_view fingerprint, const Continuation& continuation) {
    assert(fingerprint.size() == fingerprint_bytes);
    std::string bytes(1, version);
    bytes += fingerprint;
    append_number(bytes, continuation.partition, 4);
    if (continuation.key) {
        for (const Field& field : continuation.key->view()) {
            append_text(bytes, field.name);
            bytes += type_name(field.value.kind());
            const bool is_number = field.value.kind() == Kind::number;
            append_text(bytes, is_number ? field.value.number().text()
                                         : std::string(field.value.payload()));
        }
    }
    auto token = base64_encode(bytes);
    if (token.size() > next_token_bytes_max) {
        return invalid("The key at which the page ends is too large for a NextToken");
    }
    return token;
}

Outcome<Continuation> decode_token(std::string_view token, std::string_view fingerprint) {
    const auto refusal = [] { return invalid("Invalid NextToken"); };
    if (token.size() > next_token_bytes_max) return refusal();
    const auto bytes = base64_decode(token);
    if (!bytes) return refusal();
    Reader reader(*bytes);
    if (reader.bytes(1) != std::string_view(&version, 1)) return refusal();
    const auto found = reader.bytes(fingerprint_bytes);
    const auto partition = reader.number(4);
    if (!found || !partition) return refusal();
    Continuation continuation{*partition, std::nullopt};
    if (!reader.is_empty()) {
        continuation.key = read_key(reader);
        if (!continuation.key) return refusal();
    }
    if (*found != fingerprint) return invalid("NextToken does not match request");
    return continuation;
}

}  // namespace mailroom::table::partiql
