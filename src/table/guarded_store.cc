#include "table/guarded_store.h"

namespace mailroom::table {

Outcome<GetResult> GuardedStore::get(const GetItem& request) {
    TRY(guard_.check(request));
    return store_.get(request);
}
Outcome<WriteResult> GuardedStore::put(const PutItem& request) {
    TRY(guard_.check(request));
    const auto watched_write = watched(request);
    return store_.put(request);
}
Outcome<WriteResult> GuardedStore::update(const UpdateItem& request) {
    TRY(guard_.check(request));
    const auto watched_write = watched(request);
    return store_.update(request);
}
Outcome<WriteResult> GuardedStore::erase(const DeleteItem& request) {
    TRY(guard_.check(request));
    const auto watched_write = watched(request);
    return store_.erase(request);
}
Outcome<Page> GuardedStore::query(const Query& request) {
    TRY(guard_.check(request));
    return store_.query(request);
}
Outcome<Page> GuardedStore::scan(const Scan& request) {
    TRY(guard_.check(request));
    return store_.scan(request);
}
Outcome<BatchGetResult> GuardedStore::batch_get(const BatchGet& request) {
    TRY(guard_.check(request));
    return store_.batch_get(request);
}
Outcome<BatchWriteResult> GuardedStore::batch_write(const BatchWrite& request) {
    TRY(guard_.check(request));
    const auto watched_write = watched(request);
    return store_.batch_write(request);
}
Outcome<TransactWriteResult> GuardedStore::transact(const TransactWrite& request) {
    TRY(guard_.check(request));
    const auto watched_write = watched(request);
    return store_.transact(request);
}
Outcome<TransactGetResult> GuardedStore::transact_get(const TransactGet& request) {
    TRY(guard_.check(request));
    return store_.transact_get(request);
}

Outcome<TableDescription> GuardedStore::create_table(const CreateTable& request) {
    const auto seen = guard_.check_new_name(request.name);
    if (seen) return store_.create_table(request);
    // Programs make their table at each start, and go on when it is there.
    if (guard_.may_work_in_shared(request.name) && store_.describe_table(request.name)) {
        return Failure{Fault::resource_in_use, "Table already exists: " + request.name};
    }
    return seen.error();
}
Outcome<TableDescription> GuardedStore::describe_table(const std::string& table) {
    TRY(guard_.check_name(table, TableAccess::read));
    return store_.describe_table(table);
}
Outcome<TableDescription> GuardedStore::update_table(const UpdateTable& request) {
    TRY(guard_.check_change(request.name));
    return store_.update_table(request);
}
Outcome<TableDescription> GuardedStore::delete_table(const std::string& table) {
    TRY(guard_.check_change(table));
    return store_.delete_table(table);
}

Outcome<TableNames> GuardedStore::names_in_scope(const TableSet& scope, const std::string& after,
                                                 std::size_t limit) {
    TableNames names;
    for (auto it = scope.upper_bound(after); it != scope.end(); ++it) {
        if (guard_.hides(*it) || !store_.describe_table(*it)) continue;
        if (names.names.size() == limit) {
            names.last = names.names.back();
            break;
        }
        names.names.push_back(*it);
    }
    return names;
}

Outcome<TableNames> GuardedStore::list_tables(const std::string& after, std::size_t limit) {
    if (const auto* scope = guard_.names()) return names_in_scope(*scope, after, limit);
    // Pages are full whatever is left out, and a page that ends is not the last for what is hidden.
    TableNames seen;
    for (std::optional<std::string> from = after; from;) {
        const auto page = TRY(store_.list_tables(*from, limit));
        for (const auto& name : page.names) {
            if (guard_.hides(name)) continue;
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

Outcome<TimeToLive> GuardedStore::set_time_to_live(const std::string& table,
                                                   const TimeToLive& setting) {
    TRY(guard_.check_change(table));
    return store_.set_time_to_live(table, setting);
}
Outcome<TimeToLive> GuardedStore::time_to_live(const std::string& table) {
    TRY(guard_.check_name(table, TableAccess::read));
    return store_.time_to_live(table);
}
Outcome<> GuardedStore::tag(const std::string& arn, const Tags& tags) {
    TRY(guard_.check_arn(arn, TableAccess::write));
    return store_.tag(arn, tags);
}
Outcome<> GuardedStore::untag(const std::string& arn, const std::vector<std::string>& keys) {
    TRY(guard_.check_arn(arn, TableAccess::write));
    return store_.untag(arn, keys);
}
Outcome<Tags> GuardedStore::tags(const std::string& arn) {
    TRY(guard_.check_arn(arn, TableAccess::read));
    return store_.tags(arn);
}

}  // namespace mailroom::table
