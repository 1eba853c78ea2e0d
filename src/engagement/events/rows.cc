#include "engagement/events/rows.h"

#include "base/hex.h"
#include "base/time_format.h"

#include <openssl/evp.h>

#include <cassert>

namespace mailroom::engagement::rows {

using table::Kind;

table::OwnTable declared_events(std::string name) {
    auto declared = table::own_table(std::move(name), {{"PK", Kind::string}, {"SK", Kind::string}},
                                     std::string(expiry));
    declared.made.attributes.push_back({"templateKey", Kind::string});
    declared.made.attributes.push_back({"sequenceId", Kind::string});
    declared.made.global_indexes = {
        {std::string(template_index), {"templateKey", "SK"}, {table::ProjectionKind::all, {}}, {}},
        {std::string(sequence_index), {"sequenceId", "SK"}, {table::ProjectionKind::all, {}}, {}}};
    declared.outside = table::Outside::shared;
    declared.keeps_history = true;
    return declared;
}

table::OwnTable declared_own(std::string name) {
    return table::own_table(std::move(name), {{"PK", Kind::string}, {"SK", Kind::string}},
                            std::string(expiry));
}

table::Item key(std::string_view partition, std::string_view sort) {
    return {{partition_key, partition}, {sort_key, sort}};
}

std::string person(std::string_view canonical) { return "SUB#" + std::string(canonical); }

std::string sort_of(EventType type, Time at, std::string_view event_id, std::size_t tail) {
    auto sort = type == EventType::sent ? std::string(sent_prefix) + format_rfc3339(at)
                                        : std::string(event_prefix) + format_rfc3339(at) + "#" +
                                              std::string(name_of(type));
    if (tail > 0) sort += "#" + digest_of(event_id).substr(0, tail);
    return sort;
}

table::Item mail(std::string_view mail_id) { return key("MAIL#" + std::string(mail_id), "MAIL"); }

table::Item mail_by(std::string_view mail_id, std::string_view canonical) {
    return key("MAIL#" + std::string(mail_id), "BY#" + std::string(canonical));
}

table::Item message_id(std::string_view text) { return key("MID#" + std::string(text), "MAIL"); }

table::Item done(std::string_view event_id) { return key("DONE#" + digest_of(event_id), "DONE"); }

table::Item stats(std::string_view sequence_id) {
    return key("STATS#" + std::string(sequence_id), "COUNTERS");
}

std::string digest_of(std::string_view bytes) {
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned int size = 0;
    [[maybe_unused]] const int ok =
        EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()),
                   &size, EVP_sha256(), nullptr);
    assert(ok == 1);
    digest.resize(size);
    return hex_encode(digest);
}

}  // namespace mailroom::engagement::rows
