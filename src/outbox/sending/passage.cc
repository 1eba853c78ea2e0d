#include "outbox/sending/passage.h"

#include "mime/domain.h"

#include <algorithm>
#include <set>

namespace mailroom::outbox {

std::vector<std::string> waiting_addresses(const Mail& mail) {
    std::vector<std::string> addresses;
    for (const auto& recipient : mail.recipients) {
        if (is_waiting(recipient)) addresses.push_back(recipient.address);
    }
    return addresses;
}

std::vector<std::size_t> places_of(const Mail& mail, const std::vector<std::size_t>& waiting) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < mail.recipients.size(); ++i) {
        if (is_waiting(mail.recipients[i])) all.push_back(i);
    }
    std::vector<std::size_t> places;
    places.reserve(waiting.size());
    for (const auto index : waiting) places.push_back(all[index]);
    return places;
}

std::vector<std::string> domains_of(const std::vector<std::string>& addresses) {
    std::set<std::string> domains;
    for (const auto& address : addresses) {
        const auto domain = address.substr(std::min(address.rfind('@'), address.size() - 1) + 1);
        domains.insert(mime::domain_to_ascii(domain).value_or(domain));
    }
    return {domains.begin(), domains.end()};
}

}  // namespace mailroom::outbox
