#include "outbox/transports/envelope.h"

#include "mime/domain.h"

#include <algorithm>

namespace mailroom::outbox {

bool has_domain_name(const mime::Mailbox& mailbox) {
    const auto& domain = mailbox.domain;
    if (domain.empty() || domain.front() == '[') return false;
    // Some scripts have dots of their own, which only the ASCII form shows.
    if (domain.find('.') < domain.size() - 1) return true;
    const auto ascii = mime::domain_to_ascii(domain);
    return ascii && ascii->find('.') != std::string::npos;
}

std::string envelope_address(const mime::Mailbox& mailbox) {
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (std::ranges::all_of(mailbox.domain, is_ascii) || mime::needs_smtputf8(mailbox)) {
        return mailbox.address();
    }
    auto made = mailbox;
    made.domain = mime::domain_to_ascii(mailbox.domain).value_or(mailbox.domain);
    return made.address();
}

bool has_utf8_header(std::string_view message) {
    const auto header = message.substr(0, message.find("\r\n\r\n"));
    return std::ranges::any_of(header,
                               [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

}  // namespace mailroom::outbox
