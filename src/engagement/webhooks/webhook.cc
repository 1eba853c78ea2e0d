#include "engagement/webhooks/webhook.h"

#include "net/url.h"
#include "outbox/callbacks/webhook.h"

#include <algorithm>

namespace mailroom::engagement::webhooks {

namespace {

bool is_of_id(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

template <class T>
bool fits(const std::vector<T>& list, const T& value) {
    return list.empty() || std::ranges::find(list, value) != list.end();
}

void check_names(const std::vector<std::string>& names, const char* member,
                 table::Reading& reading) {
    if (names.size() > filter_names_max) {
        reading.wrong_member(member, "must have at most " + std::to_string(filter_names_max));
    }
}

}  // namespace

bool Webhook::wants(const Happening& happening) const {
    if (happening.is_machine && !machines) return false;
    return fits(events, happening.type) && fits(template_keys, happening.template_key) &&
           fits(sequence_ids, happening.sequence_id);
}

void NewWebhook::check(const NewWebhook& in, table::Reading& reading) {
    if (in.id.empty() || in.id.size() > id_bytes_max || !std::ranges::all_of(in.id, is_of_id)) {
        reading.wrong_member("id", "must be 1 to 64 letters, digits, '-', '_' and '.'");
    }
    const auto url = net::Url::parse(in.url);
    if (!url) reading.wrong_member("url", "cannot be used: " + url.error().message);
    check_names(in.template_keys, "template_keys", reading);
    check_names(in.sequence_ids, "sequence_ids", reading);
    if (in.secret.empty()) return;
    const auto secret = outbox::parse_webhook_secret(in.secret);
    if (!secret) reading.wrong_member("secret", "cannot be used: " + secret.error().message);
}

}  // namespace mailroom::engagement::webhooks
