#include "outbox/sending/signatures.h"

#include "base/text.h"
#include "mime/address.h"
#include "mime/dkim/sign.h"
#include "mime/domain.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mailroom::outbox {
namespace {

// The unfolded text of the first From field, or none.
std::optional<std::string> from_field(std::string_view message) {
    constexpr std::string_view name = "from:";
    while (!message.empty() && !message.starts_with("\r\n")) {
        auto end = message.find("\r\n");
        while (end != message.npos && end + 2 < message.size() &&
               (message[end + 2] == ' ' || message[end + 2] == '\t')) {
            end = message.find("\r\n", end + 2);
        }
        const auto field = message.substr(0, end);
        if (ascii_equal_ignoring_case(field.substr(0, name.size()), name)) {
            return std::string(field.substr(name.size()));
        }
        if (end == message.npos) return std::nullopt;
        message.remove_prefix(end + 2);
    }
    return std::nullopt;
}

std::optional<std::string> from_domain(std::string_view message) {
    const auto field = from_field(message);
    if (!field) return std::nullopt;
    const auto list = mime::parse_address_list(*field);
    if (list.mailboxes.empty()) return std::nullopt;
    return mime::domain_to_ascii(list.mailboxes.front().domain);
}

bool is_selector(std::string_view text) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_' || c == '.';
    };
    return !text.empty() && std::ranges::all_of(text, fits) && mime::domain_to_ascii(text);
}

// The end if there are none for the domain.
template <class Keys>
typename Keys::const_iterator nearest(const Keys& keys, std::string_view domain) {
    for (;;) {
        const auto found = keys.find(domain);
        const auto dot = domain.find('.');
        if (found != keys.end() || dot == domain.npos) return found;
        domain.remove_prefix(dot + 1);
    }
}

}  // namespace

Result<> Signatures::add(std::string domain, std::string selector, mime::dkim::PrivateKey key) {
    const auto ascii = mime::domain_to_ascii(domain);
    if (!ascii || ascii->starts_with('[')) {
        return Error{Errc::invalid, "\"" + domain + "\" is not the name of a domain"};
    }
    if (!is_selector(selector)) {
        return Error{Errc::invalid, "\"" + selector +
                                        "\" is not a DKIM selector: letters, digits, "
                                        "\"-\" and \".\" make one"};
    }
    const std::lock_guard lock(mutex_);
    auto all = *keys_;
    auto& keys = all[*ascii];
    if (std::ranges::any_of(keys, [&](const Key& k) { return k.selector == selector; })) {
        return Error{Errc::invalid,
                     "the selector \"" + selector + "\" of " + *ascii + " has a key already"};
    }
    keys.push_back(
        {std::move(selector), std::make_shared<const mime::dkim::PrivateKey>(std::move(key))});
    keys_ = std::make_shared<const Keys>(std::move(all));
    return Ok{};
}

std::shared_ptr<const Signatures::Keys> Signatures::keys() const {
    const std::lock_guard lock(mutex_);
    return keys_;
}

void Signatures::replace_by(Signatures& other) {
    auto keys = other.keys();
    const std::lock_guard lock(mutex_);
    keys_ = std::move(keys);
}

bool Signatures::signs_for(std::string_view domain) const {
    const auto keys = this->keys();
    const auto ascii = mime::domain_to_ascii(domain);
    return ascii && nearest(*keys, *ascii) != keys->end();
}

Result<std::string> Signatures::sign(std::string message, Time now) const {
    const auto keys = this->keys();
    if (keys->empty()) return message;
    const auto domain = from_domain(message);
    const auto found = domain ? nearest(*keys, *domain) : keys->end();
    if (found == keys->end()) return message;

    std::vector<mime::dkim::Signer> signers;
    for (const auto& [selector, key] : found->second) {
        signers.push_back({.domain = found->first, .selector = selector, .key = *key, .time = now});
    }
    message.insert(0, TRY(mime::dkim::sign(message, signers)));
    return message;
}

}  // namespace mailroom::outbox
