#include "smtp/server_received.h"

#include "base/time_format.h"

namespace mailroom::smtp {
namespace {

constexpr std::string_view http_zone = "GMT";

// RFC 5322, 3.3 differs from HTTP's form in the zone only.
std::string mail_date(Time time) {
    auto text = format_http_date(time);
    text.replace(text.size() - http_zone.size(), http_zone.size(), "+0000");
    return text;
}

std::string address_literal(const std::string& address) {
    return (address.find(':') == address.npos ? "[" : "[IPv6:") + address + "]";
}

}  // namespace

std::string protocol_name(const Peer& peer, const Envelope& envelope) {
    if (!peer.extended) return "SMTP";
    std::string name = envelope.utf8 ? "UTF8SMTP" : "ESMTP";
    if (!peer.tls.empty()) name += 'S';
    if (!peer.user.empty()) name += 'A';
    return name;
}

std::string received_field(const Peer& peer, const Envelope& envelope, std::string_view host_name,
                           std::string_view id, Time now) {
    std::string field = "Received: from ";
    field += peer.hello;
    field += " (" + address_literal(peer.address) + ")\r\n\tby ";
    field += host_name;
    field += " with " + protocol_name(peer, envelope);
    if (!peer.tls.empty()) field += " (" + peer.tls + ")";
    field += " id ";
    field += id;
    if (envelope.recipients.size() == 1) {
        field += "\r\n\tfor <" + envelope.recipients.front().text + ">";
    }
    field += "; " + mail_date(now) + "\r\n";
    return field;
}

}  // namespace mailroom::smtp
