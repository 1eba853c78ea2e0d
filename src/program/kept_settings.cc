#include "program/kept_settings.h"

#include "table/records/ensure_table.h"
#include "table/write_builder.h"

namespace mailroom::program {

table::OwnTable KeptSettings::declared() {
    return table::own_table(table_name, {{"Name", table::Kind::string}}, "TTL");
}

Result<KeptSettings> KeptSettings::open(table::Store& store) {
    TRY(table::ensure_table(store, declared()));
    return KeptSettings(store);
}

Result<std::optional<std::string>> KeptSettings::get(const std::string& name) {
    table::GetItem request;
    request.table = table_name;
    request.key = {{"Name", name}};
    request.consistent = true;
    const auto found = TRY(store_->get(request));
    if (!found.item) return std::optional<std::string>();
    const auto value = found.item->text("Value");
    if (!value) return Error{Errc::corrupt, "the setting " + name + " has no value"};
    return std::optional(std::string(*value));
}

Result<std::string> KeptSettings::get_or_keep(const std::string& name,
                                              const std::function<std::string()>& make) {
    if (auto present = TRY(get(name))) return *std::move(present);
    const auto made = make();
    const auto kept = store_->put(
        table::write::Put(table_name, {{"Name", name}, {"Value", made}}).if_absent("Name"));
    if (kept) return made;
    if (kept.error().fault != table::Fault::conditional_check_failed) return kept.error();
    // Another node was faster: its value counts.
    auto theirs = TRY(get(name));
    if (!theirs) return Error{Errc::unavailable, "the setting " + name + " came and went"};
    return *std::move(theirs);
}

}  // namespace mailroom::program
