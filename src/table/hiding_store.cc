#include "table/hiding_store.h"

namespace mailroom::table {

Failure HidingStore::access_denied(std::string_view table) {
    return {Fault::access_denied,
            "The access key is not allowed to do this with the table " + std::string(table)};
}

Outcome<> HidingStore::check_name(std::string_view table, TableAccess access) const {
    if (!allows(table, access)) return access_denied(table);
    if (!OwnTables::hides(table)) return Ok{};
    return Failure{Fault::resource_not_found,
                   "Requested resource not found: Table: " + std::string(table) + " not found"};
}

Outcome<> HidingStore::check_change(std::string_view table) const {
    TRY(check_name(table, TableAccess::write));
    if (!own_.shared.contains(table) || allows(table, TableAccess::manage)) return Ok{};
    return Failure{Fault::access_denied,
                   "The table " + std::string(table) +
                       " is Mailroom's own: to change it as a whole takes an access key that may "
                       "manage"};
}

Outcome<> HidingStore::check_new_name(std::string_view table) const {
    if (!allows(table, TableAccess::write)) return access_denied(table);
    if (OwnTables::hides(table)) {
        return Failure{Fault::access_denied, "Names of tables that begin with " +
                                                 std::string(OwnTables::hidden_prefix) +
                                                 " are reserved: " + std::string(table)};
    }
    return check_change(table);
}

Outcome<> HidingStore::check_arn(const std::string& arn, TableAccess access) const {
    const auto slash = arn.rfind('/');  // As the store looks for the name.
    const auto table = slash == arn.npos ? std::string() : arn.substr(slash + 1);
    if (!allows(table, access)) return access_denied(table);
    if (!OwnTables::hides(table)) return Ok{};
    return Failure{Fault::resource_not_found, "Requested resource not found"};
}

Outcome<GetResult> HidingStore::get(const GetItem& request) {
    TRY(check(request));
    return store_.get(request);
}
Outcome<WriteResult> HidingStore::put(const PutItem& request) {
    TRY(check(request));
    const auto watched_write = watched(request);
    return store_.put(request);
}
Outcome<WriteResult> HidingStore::update(const UpdateItem& request) {
    TRY(check(request));
    const auto watched_write = watched(request);
    return store_.update(request);
}
Outcome<WriteResult> HidingStore::erase(const DeleteItem& request) {
    TRY(check(request));
    const auto watched_write = watched(request);
    return store_.erase(request);
}
Outcome<Page> HidingStore::query(const Query& request) {
    TRY(check(request));
    return store_.query(request);
}
Outcome<Page> HidingStore::scan(const Scan& request) {
    TRY(check(request));
    return store_.scan(request);
}
Outcome<BatchGetResult> HidingStore::batch_get(const BatchGet& request) {
    TRY(check(request));
    return store_.batch_get(request);
}
Outcome<BatchWriteResult> HidingStore::batch_write(const BatchWrite& request) {
    TRY(check(request));
    const auto watched_write = watched(request);
    return store_.batch_write(request);
}
Outcome<TransactWriteResult> HidingStore::transact(const TransactWrite& request) {
    TRY(check(request));
    const auto watched_write = watched(request);
    return store_.transact(request);
}
Outcome<TransactGetResult> HidingStore::transact_get(const TransactGet& request) {
    TRY(check(request));
    return store_.transact_get(request);
}

Outcome<TableDescription> HidingStore::create_table(const CreateTable& request) {
    TRY(check_new_name(request.name));
    return store_.create_table(request);
}
Outcome<TableDescription> HidingStore::describe_table(const std::string& table) {
    TRY(check_name(table, TableAccess::read));
    return store_.describe_table(table);
}
Outcome<TableDescription> HidingStore::update_table(const UpdateTable& request) {
    TRY(check_change(request.name));
    return store_.update_table(request);
}
Outcome<TableDescription> HidingStore::delete_table(const std::string& table) {
    TRY(check_change(table));
    return store_.delete_table(table);
}

Outcome<TableNames> HidingStore::names_in_scope(const std::string& after, std::size_t limit) {
    TableNames names;
    for (auto it = scope_->tables.upper_bound(after); it != scope_->tables.end(); ++it) {
        if (OwnTables::hides(*it) || !store_.describe_table(*it)) continue;
        if (names.names.size() == limit) {
            names.last = names.names.back();
            break;
        }
        names.names.push_back(*it);
    }
    return names;
}

Outcome<TableNames> HidingStore::list_tables(const std::string& after, std::size_t limit) {
    if (scope_ && !scope_->tables.empty()) return names_in_scope(after, limit);
    // Pages are full whatever is left out, and a page that ends is not the last for what is hidden.
    TableNames seen;
    for (std::optional<std::string> from = after; from;) {
        const auto page = TRY(store_.list_tables(*from, limit));
        for (const auto& name : page.names) {
            if (OwnTables::hides(name)) continue;
            if (seen.names.size() == limit) {
                seen.last = seen.names.back();
                return seen;
            }
            seen.names.push_back(name);
        }
        from = page.last;
    }
    return seen;
}

Outcome<TimeToLive> HidingStore::set_time_to_live(const std::string& table,
                                                  const TimeToLive& setting) {
    TRY(check_change(table));
    return store_.set_time_to_live(table, setting);
}
Outcome<TimeToLive> HidingStore::time_to_live(const std::string& table) {
    TRY(check_name(table, TableAccess::read));
    return store_.time_to_live(table);
}
Outcome<> HidingStore::tag(const std::string& arn, const Tags& tags) {
    TRY(check_arn(arn, TableAccess::write));
    return store_.tag(arn, tags);
}
Outcome<> HidingStore::untag(const std::string& arn, const std::vector<std::string>& keys) {
    TRY(check_arn(arn, TableAccess::write));
    return store_.untag(arn, keys);
}
Outcome<Tags> HidingStore::tags(const std::string& arn) {
    TRY(check_arn(arn, TableAccess::read));
    return store_.tags(arn);
}

}  // namespace mailroom::table
