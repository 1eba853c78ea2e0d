#include "table/hiding_store.h"

namespace mailroom::table {

Failure HidingStore::access_denied(std::string_view table) {
    return {Fault::access_denied,
            "The access key is not allowed to do this with the table " + std::string(table)};
}

Outcome<> HidingStore::check_name(std::string_view table, TableAccess access) const {
    if (scope_ && !scope_->allows(table, access)) return access_denied(table);
    if (!hidden_.contains(table)) return Ok{};
    return Failure{Fault::resource_not_found,
                   "Requested resource not found: Table: " + std::string(table) + " not found"};
}

Outcome<> HidingStore::check_arn(const std::string& arn, TableAccess access) const {
    const auto slash = arn.find('/');
    const auto table = slash == arn.npos ? std::string() : arn.substr(slash + 1);
    if (scope_ && !scope_->allows(table, access)) return access_denied(table);
    if (!hidden_.contains(table)) return Ok{};
    return Failure{Fault::resource_not_found, "Requested resource not found"};
}

Outcome<GetResult> HidingStore::get(const GetItem& request) {
    TRY(check(request));
    return store_.get(request);
}
Outcome<WriteResult> HidingStore::put(const PutItem& request) {
    TRY(check(request));
    return store_.put(request);
}
Outcome<WriteResult> HidingStore::update(const UpdateItem& request) {
    TRY(check(request));
    return store_.update(request);
}
Outcome<WriteResult> HidingStore::erase(const DeleteItem& request) {
    TRY(check(request));
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
    return store_.batch_write(request);
}
Outcome<TransactWriteResult> HidingStore::transact(const TransactWrite& request) {
    TRY(check(request));
    return store_.transact(request);
}
Outcome<TransactGetResult> HidingStore::transact_get(const TransactGet& request) {
    TRY(check(request));
    return store_.transact_get(request);
}

Outcome<TableDescription> HidingStore::create_table(const CreateTable& request) {
    if (scope_ && !scope_->allows(request.name, TableAccess::write)) {
        return access_denied(request.name);
    }
    if (hidden_.contains(request.name)) {
        return Failure{Fault::resource_in_use, "Table already exists: " + request.name};
    }
    return store_.create_table(request);
}
Outcome<TableDescription> HidingStore::describe_table(const std::string& table) {
    TRY(check_name(table, TableAccess::read));
    return store_.describe_table(table);
}
Outcome<TableDescription> HidingStore::update_table(const UpdateTable& request) {
    TRY(check_name(request.name, TableAccess::write));
    return store_.update_table(request);
}
Outcome<TableDescription> HidingStore::delete_table(const std::string& table) {
    TRY(check_name(table, TableAccess::write));
    return store_.delete_table(table);
}

Outcome<TableNames> HidingStore::names_in_scope(const std::string& after, std::size_t limit) {
    TableNames names;
    for (auto it = scope_->tables.upper_bound(after); it != scope_->tables.end(); ++it) {
        if (hidden_.contains(*it) || !store_.describe_table(*it)) continue;
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
    // Asks for as many more as could be hidden, so that a page comes out full.
    auto names = TRY(store_.list_tables(after, limit + hidden_.size()));
    const bool more = names.last.has_value();
    std::erase_if(names.names, [&](const auto& name) { return hidden_.contains(name); });
    names.last.reset();
    if (names.names.size() > limit || (more && !names.names.empty())) {
        names.names.resize(std::min(limit, names.names.size()));
        names.last = names.names.back();
    }
    return names;
}

Outcome<TimeToLive> HidingStore::set_time_to_live(const std::string& table,
                                                  const TimeToLive& setting) {
    TRY(check_name(table, TableAccess::write));
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
