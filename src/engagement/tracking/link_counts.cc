#include "engagement/tracking/link_counts.h"

#include "base/text.h"
#include "engagement/events/account.h"
#include "engagement/events/rows.h"
#include "table/query_builder.h"

#include <chrono>

namespace mailroom::engagement {

namespace {

constexpr std::size_t url_bytes_max = 900;  // Of a sort key, which takes 1,024.

std::string partition_of(LinkCounts::Of of, std::string_view name) {
    const auto* what = of == LinkCounts::Of::templates ? "template#" : "sequence#";
    return "LINKS#" + (what + std::string(name));
}

std::string sort_of(const std::string& url) {
    if (url.size() <= url_bytes_max) return url;
    return std::string(truncate_utf8(url, url_bytes_max)) + "…" + rows::digest_of(url);
}

}  // namespace

Result<> LinkCounts::add_to(schedule::Transaction& transaction, const Event& event) {
    const auto& happening = event.happening;
    if (happening.type != EventType::click || happening.link_url.empty()) return Ok{};
    const bool is_unique = !happening.is_machine && TRY(is_first(transaction, event));
    const auto sort = sort_of(happening.link_url);
    const auto count = [&](Of of, const std::string& name) {
        if (name.empty()) return;
        const auto key = rows::key(partition_of(of, name), sort);
        const auto& table = settings_.tables.own;
        transaction.add(table, key, happening.is_machine ? "machineClicks" : "clicks", 1);
        if (is_unique) transaction.add(table, key, "uniqueClicks", 1);
    };
    count(Of::templates, happening.template_key);
    count(Of::sequences, happening.sequence_id);
    return Ok{};
}

// By this person in this mail; notes that it was.
Result<bool> LinkCounts::is_first(schedule::Transaction& transaction, const Event& event) const {
    if (event.mail == nullptr) return false;
    table::GetItem wanted;
    wanted.table = settings_.tables.own;
    wanted.key =
        rows::key("MAIL#" + event.mail->id,
                  "LINK#" + rows::digest_of(event.email + "\n" + event.happening.link_url));
    wanted.consistent = true;
    if (TRY(store_.get(wanted)).item) return false;
    auto mark = wanted.key;
    if (settings_.data_ttl_days > 0) {
        const auto until = clock_.now() + std::chrono::days(settings_.data_ttl_days);
        mark.set(rows::expiry, table::Value(to_unix_seconds(until)));
    }
    transaction.put(settings_.tables.own, std::move(mark)).if_absent(rows::partition_key);
    return true;
}

Result<table::Slice<LinkFigures>> LinkCounts::page(Of of, const std::string& name,
                                                   const table::PageWish& wish) const {
    const auto query = table::from(settings_.tables.own)
                           .partition(rows::partition_key, partition_of(of, name))
                           .consistent();
    return table::read_page(store_, table::Query(query),
                            rows::declared_own(settings_.tables.own).made, wish,
                            table::from_item<LinkFigures>);
}

}  // namespace mailroom::engagement
