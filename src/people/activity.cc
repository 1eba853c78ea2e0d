#include "people/activity.h"

#include <utility>

namespace mailroom::people {

namespace {

std::string last_name(Deed deed) { return std::string(name_of(deed)) + "At"; }
std::string count_name(Deed deed) { return std::string(name_of(deed)) + "Count"; }

}  // namespace

Activity activity_of(const table::ItemView& row) {
    Activity activity;
    for (const auto& [deed, name] : all_names<Deed>) {
        const auto last = row.integer(last_name(deed));
        if (!last) continue;
        const auto count = row.integer(count_name(deed)).value_or(1);
        activity.done[static_cast<std::size_t>(deed)] = {from_unix_ms(*last), count};
    }
    return activity;
}

Activities::Activities(table::Store& store, std::string table)
    : store_(store), table_(std::move(table)) {}

std::string Activities::partition_of(std::string_view canonical) {
    return std::string(prefix) + std::string(canonical);
}

table::Item Activities::key_of(std::string_view canonical) {
    return {{"PK", partition_of(canonical)}, {"SK", sort_key}};
}

Result<> Activities::add_to(table::write::Transaction& transaction, std::string_view canonical,
                            Deed deed, Time at) const {
    const auto known = TRY(of(canonical)).of(deed);
    auto& update = transaction.update(table_, key_of(canonical)).add(count_name(deed), 1);
    const auto name = last_name(deed);
    // Events come late and out of order: the latest time stays.
    if (!known) {
        update.set(name, to_unix_ms(at)).if_absent(name);
    } else if (at > known->last) {
        update.set(name, to_unix_ms(at)).when(name, to_unix_ms(known->last));
    }
    return Ok{};
}

Result<Activity> Activities::of(std::string_view canonical) const {
    table::GetItem request;
    request.table = table_;
    request.key = key_of(canonical);
    request.consistent = true;
    const auto found = TRY(store_.get(request));
    return found.item ? activity_of(*found.item) : Activity();
}

}  // namespace mailroom::people
