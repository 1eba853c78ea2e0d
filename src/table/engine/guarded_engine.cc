#include "table/engine/guarded_engine.h"

#include <utility>

namespace mailroom::table {

namespace {

std::string source_of(const std::string& arn) { return table_of_backup(arn).value_or(""); }

}  // namespace

Outcome<> GuardedStreams::check(const std::string& arn_or_iterator) const {
    return guard_.check_name(table_of_stream(arn_or_iterator).value_or(""), TableAccess::read);
}

Outcome<StreamList> GuardedStreams::list(const std::optional<std::string>& table,
                                         const std::string& after, std::size_t limit) const {
    StreamList seen;
    for (std::optional<std::string> from = after; from;) {
        const auto page = TRY(streams_.list(table, *from, list_max));
        for (const auto& stream : page.streams) {
            if (!guard_.check_name(stream.table, TableAccess::read)) continue;
            if (seen.streams.size() == limit) {
                seen.last = seen.streams.back().arn;
                return seen;
            }
            seen.streams.push_back(stream);
        }
        from = page.last;
    }
    return seen;
}

Outcome<StreamDescription> GuardedStreams::describe(const std::string& arn) const {
    TRY(check(arn));
    return streams_.describe(arn);
}

Outcome<std::string> GuardedStreams::iterator(const GetShardIterator& request) const {
    TRY(check(request.arn));
    return streams_.iterator(request);
}

Outcome<StreamPage> GuardedStreams::records(const std::string& iterator, std::size_t limit) const {
    TRY(check(iterator));
    return streams_.records(iterator, limit);
}

Outcome<BackupSummary> GuardedBackups::create(const CreateBackup& request) {
    TRY(guard_.check_name(request.table, TableAccess::write));
    return backups_.create(request);
}

Outcome<BackupDescription> GuardedBackups::describe(const std::string& arn) const {
    TRY(guard_.check_name(source_of(arn), TableAccess::read));
    return backups_.describe(arn);
}

Outcome<BackupList> GuardedBackups::list(const ListBackups& request) const {
    auto wide = request;
    wide.limit = ListBackups::limit_max;
    BackupList seen;
    for (bool more = true; more;) {
        const auto page = TRY(backups_.list(wide));
        for (const auto& backup : page.backups) {
            if (!guard_.check_name(backup.table, TableAccess::read)) continue;
            if (seen.backups.size() == request.limit) {
                seen.last = seen.backups.back().arn;
                return seen;
            }
            seen.backups.push_back(backup);
        }
        more = page.last.has_value();
        wide.after = page.last.value_or("");
    }
    return seen;
}

Outcome<BackupDescription> GuardedBackups::remove(const std::string& arn) {
    TRY(guard_.check_change(source_of(arn)));
    return backups_.remove(arn);
}

Outcome<TableDescription> GuardedBackups::restore(const RestoreBackup& request) {
    TRY(guard_.check_name(source_of(request.arn), TableAccess::read));
    TRY(guard_.check_new_name(request.target));
    return backups_.restore(request);
}

Outcome<TableDescription> GuardedBackups::restore(const RestoreToTime& request) {
    TRY(guard_.check_name(request.source, TableAccess::read));
    TRY(guard_.check_new_name(request.target));
    return backups_.restore(request);
}

Outcome<ContinuousBackups> GuardedBackups::continuous(const std::string& table) const {
    TRY(guard_.check_name(table, TableAccess::read));
    return backups_.continuous(table);
}

Outcome<ContinuousBackups> GuardedBackups::set_continuous(const std::string& table,
                                                          const ContinuousSetting& setting) {
    TRY(guard_.check_change(table));
    return backups_.set_continuous(table, setting);
}

}  // namespace mailroom::table
