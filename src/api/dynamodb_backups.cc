#include "api/dynamodb_backups.h"

#include "table/wire/encoder.h"

#include <utility>

namespace mailroom::api {

using table::Outcome;
using table::TableAccess;
using table::wire::append_answer;

namespace {

// Backups are for those who may do as much with their tables.
std::string source_of(const std::string& arn) { return table::table_of_backup(arn).value_or(""); }

// Those of the caller's tables. What is not theirs neither shortens a page nor ends one, so that no
// page tells of it.
Outcome<table::BackupList> seen_backups(const Job& job, table::ListBackups request) {
    const auto limit = std::exchange(request.limit, table::ListBackups::limit_max);
    table::BackupList seen;
    for (bool more = true; more;) {
        const auto page = TRY(job.engine.backups().list(request));
        for (const auto& backup : page.backups) {
            if (!job.store.check_name(backup.table, TableAccess::read)) continue;
            if (seen.backups.size() == limit) {
                seen.last = seen.backups.back().arn;
                return seen;
            }
            seen.backups.push_back(backup);
        }
        more = page.last.has_value();
        request.after = page.last.value_or("");
    }
    return seen;
}

void answer_description(std::string& body, const table::BackupDescription& backup) {
    append_answer(body, backup);
}

void answer_continuous(std::string& body, const table::ContinuousBackups& setting) {
    append_answer(body, setting);
}

// Both the source and the new table must be the caller's.
template <class Request>
void restore(Job& job, const Request& request, const std::string& source) {
    if (auto seen = job.store.check_name(source, TableAccess::read); !seen) {
        return job.reply.refuse(seen.error());
    }
    if (auto seen = job.store.check_new_name(request.target); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().restore(request), table::wire::append_changed_table);
}

}  // namespace

void create_backup(Job job) {
    const auto request = decoder().create_backup(job.body);
    if (!request) return job.reply.refuse(request.error());
    if (auto seen = job.store.check_name(request->table, TableAccess::write); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().create(*request), table::wire::append_created_backup);
}

void delete_backup(Job job) {
    const auto arn = decoder().backup_arn(job.body);
    if (!arn) return job.reply.refuse(arn.error());
    if (auto seen = job.store.check_change(source_of(*arn)); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().remove(*arn), answer_description);
}

void describe_backup(Job job) {
    const auto arn = decoder().backup_arn(job.body);
    if (!arn) return job.reply.refuse(arn.error());
    if (auto seen = job.store.check_name(source_of(*arn), TableAccess::read); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().describe(*arn), answer_description);
}

void describe_continuous_backups(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    if (auto seen = job.store.check_name(*name, TableAccess::read); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().continuous(*name), answer_continuous);
}

void list_backups(Job job) {
    const auto request = decoder().list_backups(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, seen_backups(job, *request),
           [](std::string& body, const table::BackupList& list) { append_answer(body, list); });
}

void restore_table_from_backup(Job job) {
    const auto request = decoder().restore_table_from_backup(job.body);
    if (!request) return job.reply.refuse(request.error());
    restore(job, *request, source_of(request->arn));
}

void restore_table_to_point_in_time(Job job) {
    const auto request = decoder().restore_table_to_point_in_time(job.body);
    if (!request) return job.reply.refuse(request.error());
    restore(job, *request, request->source);
}

void update_continuous_backups(Job job) {
    const auto request = decoder().update_continuous_backups(job.body);
    if (!request) return job.reply.refuse(request.error());
    if (auto seen = job.store.check_change(request->table); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().set_continuous(request->table, request->setting),
           answer_continuous);
}

}  // namespace mailroom::api
