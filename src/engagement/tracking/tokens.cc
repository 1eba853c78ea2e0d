#include "engagement/tracking/tokens.h"

#include "base/base64.h"
#include "base/hex.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <utility>

namespace mailroom::engagement {

namespace {

constexpr std::size_t mark_bytes = 16, mail_bytes = 16;
constexpr std::size_t topic_bytes_max = 255;
constexpr std::size_t address_bytes_max = 1000;  // Twice what mail can have.

using Mark = std::array<std::uint8_t, mark_bytes>;

constexpr std::size_t block_bytes = 64, digest_bytes = 32;  // Of SHA-256.

struct Free {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

// To look an algorithm up takes longer than to use it on a token.
const EVP_MD* sha256() {
    static const EVP_MD* const found = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return found;
}
const EVP_CIPHER* aes() {
    static const EVP_CIPHER* const found = EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr);
    return found;
}

// One for each thread: to make one takes longer than to use it on a token, too.
EVP_MD_CTX* digest_context() {
    thread_local const std::unique_ptr<EVP_MD_CTX, Free> context(EVP_MD_CTX_new());
    return context.get();
}
EVP_CIPHER_CTX* cipher_context() {
    thread_local const std::unique_ptr<EVP_CIPHER_CTX, Free> context(EVP_CIPHER_CTX_new());
    return context.get();
}

using Digest = std::array<unsigned char, digest_bytes>;

// SHA-256 of the key, filled up to a block and changed by `pad`, and of the text (RFC 2104).
Digest keyed_digest(const TokenKeys::Key& key, unsigned char pad, std::string_view text) {
    std::array<unsigned char, block_bytes> block;
    block.fill(pad);
    for (std::size_t i = 0; i < key.mark.size(); ++i) block[i] ^= key.mark[i];
    Digest digest;
    auto* context = digest_context();
    [[maybe_unused]] const bool done = context != nullptr &&
                                       EVP_DigestInit_ex(context, sha256(), nullptr) == 1 &&
                                       EVP_DigestUpdate(context, block.data(), block.size()) == 1 &&
                                       EVP_DigestUpdate(context, text.data(), text.size()) == 1 &&
                                       EVP_DigestFinal_ex(context, digest.data(), nullptr) == 1;
    assert(done);
    return digest;
}

Mark mark_of(const TokenKeys::Key& key, const std::string& said) {
    constexpr unsigned char inner_pad = 0x36, outer_pad = 0x5c;
    std::string marked(1, static_cast<char>(key.id));
    marked += said;
    const auto inner = keyed_digest(key, inner_pad, marked);
    const auto outer =
        keyed_digest(key, outer_pad, {reinterpret_cast<const char*>(inner.data()), inner.size()});
    Mark mark;
    std::copy_n(outer.begin(), mark.size(), mark.begin());
    return mark;
}

// Counter mode is its own inverse.
std::string crypted(const TokenKeys::Key& key, const Mark& mark, const std::string& text) {
    auto* context = cipher_context();
    std::string out(text.size(), '\0');
    int bytes = 0;
    [[maybe_unused]] const bool done =
        context != nullptr &&
        EVP_EncryptInit_ex(context, aes(), nullptr, key.seal.data(), mark.data()) == 1 &&
        EVP_EncryptUpdate(context, reinterpret_cast<unsigned char*>(out.data()), &bytes,
                          reinterpret_cast<const unsigned char*>(text.data()),
                          static_cast<int>(text.size())) == 1;
    assert(done && static_cast<std::size_t>(bytes) == text.size());
    return out;
}

constexpr std::array<std::size_t, 4> dashes = {8, 13, 18, 23};

// False for what is no UUID in lower case.
bool append_mail(std::string& said, const std::string& id) {
    if (id.size() != 36) return false;
    std::string digits;
    for (std::size_t i = 0; i < id.size(); ++i) {
        if (std::ranges::find(dashes, i) == dashes.end()) {
            digits += id[i];
        } else if (id[i] != '-') {
            return false;
        }
    }
    const auto bytes = hex_decode(digits);
    if (!bytes || hex_encode(*bytes) != digits) return false;
    said += *bytes;
    return true;
}

std::string mail_of(std::string_view bytes) {
    if (bytes.find_first_not_of('\0') == bytes.npos) return {};
    const auto digits = hex_encode(bytes);
    std::string id;
    id.reserve(digits.size() + dashes.size());
    for (const char digit : digits) {
        if (std::ranges::find(dashes, id.size()) != dashes.end()) id += '-';
        id += digit;
    }
    return id;
}

void append_number(std::string& said, std::uint64_t number, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) said += static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint64_t number_of(std::string_view bytes) {
    std::uint64_t number = 0;
    for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
    return number;
}

bool append_whose(std::string& said, const std::string& topic, const std::string& address) {
    if (topic.size() > topic_bytes_max) return false;
    if (address.empty() || address.size() > address_bytes_max) return false;
    said += static_cast<char>(topic.size());
    said += topic + address;
    return true;
}

// What is said, or nothing if it cannot be.
std::optional<std::string> say(const OpenToken& token) {
    std::string said = "o";
    if (!append_mail(said, token.mail_id)) return std::nullopt;
    return said;
}

std::optional<std::string> say(const ClickToken& token) {
    std::string said = "c";
    if (!append_mail(said, token.mail_id)) return std::nullopt;
    if (token.url.empty() || token.url.size() > tracked_url_bytes_max) return std::nullopt;
    append_number(said, token.link, 2);
    return said + token.url;
}

std::optional<std::string> say(const PersonToken& token) {
    std::string said = "p";
    if (token.mail_id.empty()) {
        said.append(mail_bytes, '\0');
    } else if (!append_mail(said, token.mail_id)) {
        return std::nullopt;
    }
    if (!append_whose(said, token.topic, token.address)) return std::nullopt;
    return said;
}

// Takes what was said apart. What has the right mark was said by us, so it has the right form; it
// is looked at all the same, because a secret may be shared with who says other things.
class Said {
public:
    explicit Said(std::string_view text) : left_(text) {}

    bool has(std::size_t bytes) const { return left_.size() >= bytes; }
    std::string_view take(std::size_t bytes) {
        const auto taken = left_.substr(0, bytes);
        left_.remove_prefix(taken.size());
        return taken;
    }
    std::string_view rest() const { return left_; }

    std::optional<std::pair<std::string, std::string>> whose() {
        if (!has(1)) return std::nullopt;
        const auto topic_bytes = number_of(take(1));
        if (!has(topic_bytes + 1)) return std::nullopt;
        std::string topic(take(topic_bytes));
        return std::pair(std::move(topic), std::string(rest()));
    }

private:
    std::string_view left_;
};

std::optional<Token> read_person(Said said) {
    auto mail_id = mail_of(said.take(mail_bytes));
    auto whose = said.whose();
    if (!whose) return std::nullopt;
    return PersonToken{std::move(mail_id), std::move(whose->first), std::move(whose->second)};
}

std::optional<Token> understand(const std::string& text) {
    Said said(text);
    const auto kind = said.take(1);
    if (!said.has(mail_bytes)) return std::nullopt;
    if (kind == "p") return read_person(said);
    auto mail_id = mail_of(said.take(mail_bytes));
    if (mail_id.empty()) return std::nullopt;
    if (kind == "o" && said.rest().empty()) return OpenToken{std::move(mail_id)};
    if (kind != "c" || !said.has(3)) return std::nullopt;
    const auto link = static_cast<std::uint16_t>(number_of(said.take(2)));
    return ClickToken{std::move(mail_id), link, std::string(said.rest())};
}

}  // namespace

std::optional<std::string> Tokens::make(const Token& token) const {
    const auto said = std::visit([](const auto& kind) { return say(kind); }, token);
    if (!said) return std::nullopt;
    const auto& key = keys_.signing();
    const auto mark = mark_of(key, *said);
    std::string bytes(1, static_cast<char>(key.id));
    bytes.append(mark.begin(), mark.end());
    bytes += crypted(key, mark, *said);
    return base64url_encode(bytes);
}

std::optional<Token> Tokens::read(std::string_view text) const {
    if (text.size() > token_chars_max) return std::nullopt;
    const auto bytes = base64url_decode(text);
    if (!bytes || bytes->size() < 1 + mark_bytes + 1) return std::nullopt;
    const auto* key = keys_.find(static_cast<std::uint8_t>(bytes->front()));
    if (key == nullptr) return std::nullopt;
    Mark mark;
    std::copy_n(bytes->begin() + 1, mark.size(), mark.begin());
    const auto said = crypted(*key, mark, bytes->substr(1 + mark_bytes));
    const auto right = mark_of(*key, said);
    if (CRYPTO_memcmp(mark.data(), right.data(), mark.size()) != 0) return std::nullopt;
    return understand(said);
}

}  // namespace mailroom::engagement
