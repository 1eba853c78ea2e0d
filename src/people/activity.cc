#include "people/activity.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

std::string last_name(Deed deed) { return std::string(name_of(deed)) + "At"; }
std::string count_name(Deed deed) { return std::string(name_of(deed)) + "Count"; }
std::string before_name(Deed deed) { return std::string(name_of(deed)) + "Before"; }

constexpr std::size_t time_bytes = 8;

std::string packed(const std::vector<Time>& times) {
    std::string bytes;
    for (const auto time : times) {
        const auto ms = static_cast<std::uint64_t>(to_unix_ms(time));
        for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(ms >> shift & 0xff);
    }
    return bytes;
}

std::vector<Time> unpacked(std::string_view bytes) {
    std::vector<Time> times;
    for (; bytes.size() >= time_bytes; bytes.remove_prefix(time_bytes)) {
        std::uint64_t ms = 0;
        for (const char c : bytes.substr(0, time_bytes)) {
            ms = ms << 8 | static_cast<unsigned char>(c);
        }
        times.push_back(from_unix_ms(static_cast<std::int64_t>(ms)));
    }
    if (times.size() >= Activity::times_kept) {
        times.erase(times.begin(), times.end() - (Activity::times_kept - 1));
    }
    return times;
}

std::optional<table::Value> bytes_in(const table::ItemView& row, const std::string& name) {
    const auto value = row.find(name);
    if (!value || value->kind() != table::Kind::binary) return std::nullopt;
    return table::Value(*value);
}

}  // namespace

void Activity::Done::add(Time at) {
    if (count++ > 0) before.push_back(last);
    before.insert(std::ranges::upper_bound(before, at), at);
    if (before.size() > times_kept) before.erase(before.begin());
    last = before.back();
    before.pop_back();
}

std::int64_t Activity::Done::since(Time first) const {
    return (last >= first ? 1 : 0) +
           std::ranges::count_if(before, [&](Time time) { return time >= first; });
}

Activity activity_of(const table::ItemView& row) {
    Activity activity;
    for (const auto& [deed, name] : all_names<Deed>) {
        const auto last = row.integer(last_name(deed));
        if (!last) continue;
        const auto count = row.integer(count_name(deed)).value_or(1);
        auto& done = activity.done[static_cast<std::size_t>(deed)];
        done = {from_unix_ms(*last), count};
        if (const auto before = bytes_in(row, before_name(deed))) {
            done->before = unpacked(before->view().bytes());
            std::erase_if(done->before, [&](Time time) { return time > done->last; });
        }
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
    const auto row = TRY(row_of(canonical));
    const auto known = activity_of(row).of(deed);
    auto now = known.value_or(Activity::Done());
    now.add(at);
    auto& update = transaction.update(table_, key_of(canonical)).add(count_name(deed), 1);
    // On condition that it is as it was read, whoever wrote it.
    const auto set = [&](const std::string& name, const table::Value& value) {
        update.set(name, value);
        const auto before = row.view().find(name);
        before ? update.when(name, table::Value(*before)) : update.if_absent(name);
    };
    // Events come late and out of order: the latest times stay.
    const bool is_later = !known || now.before != known->before || now.last != known->last;
    if (is_later) set(last_name(deed), to_unix_ms(now.last));
    if (is_later && known) set(before_name(deed), table::Value::binary(packed(now.before)));
    return Ok{};
}

Result<Activity> Activities::of(std::string_view canonical) const {
    return activity_of(TRY(row_of(canonical)));
}

Result<table::Item> Activities::row_of(std::string_view canonical) const {
    table::GetItem request;
    request.table = table_;
    request.key = key_of(canonical);
    request.consistent = true;
    auto found = TRY(store_.get(request));
    return found.item ? *std::move(found.item) : table::Item();
}

}  // namespace mailroom::people
