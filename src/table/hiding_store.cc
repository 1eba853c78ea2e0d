#include "table/hiding_store.h"

namespace mailroom::table {

Outcome<> HidingStore::check_name(const std::string& table) const {
    if (!hidden_.contains(table)) return Ok{};
    return Failure{Fault::resource_not_found,
                   "Requested resource not found: Table: " + table + " not found"};
}

Outcome<> HidingStore::check_arn(const std::string& arn) const {
    const auto slash = arn.find('/');
    if (slash == arn.npos || !hidden_.contains(arn.substr(slash + 1))) return Ok{};
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
    if (hidden_.contains(request.name)) {
        return Failure{Fault::resource_in_use, "Table already exists: " + request.name};
    }
    return store_.create_table(request);
}
Outcome<TableDescription> HidingStore::describe_table(const std::string& table) {
    TRY(check_name(table));
    return store_.describe_table(table);
}
Outcome<TableDescription> HidingStore::update_table(const UpdateTable& request) {
    TRY(check_name(request.name));
    return store_.update_table(request);
}
Outcome<TableDescription> HidingStore::delete_table(const std::string& table) {
    TRY(check_name(table));
    return store_.delete_table(table);
}

Outcome<TableNames> HidingStore::list_tables(const std::string& after, std::size_t limit) {
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
    TRY(check_name(table));
    return store_.set_time_to_live(table, setting);
}
Outcome<TimeToLive> HidingStore::time_to_live(const std::string& table) {
    TRY(check_name(table));
    return store_.time_to_live(table);
}
Outcome<> HidingStore::tag(const std::string& arn, const Tags& tags) {
    TRY(check_arn(arn));
    return store_.tag(arn, tags);
}
Outcome<> HidingStore::untag(const std::string& arn, const std::vector<std::string>& keys) {
    TRY(check_arn(arn));
    return store_.untag(arn, keys);
}
Outcome<Tags> HidingStore::tags(const std::string& arn) {
    TRY(check_arn(arn));
    return store_.tags(arn);
}

}  // namespace mailroom::table
