#include "api/dynamodb_backups.h"

#include "table/wire/encoder.h"

#include <algorithm>

namespace mailroom::api {

using table::Outcome;
using table::TableAccess;
using table::wire::append_answer;

namespace {

// Backups are for those who may do as much with their tables.
Outcome<> check_backup(const Job& job, const std::string& arn, TableAccess access) {
    return job.store.check_name(table::table_of_backup(arn).value_or(""), access);
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
    if (auto seen = job.store.check_name(request.target, TableAccess::write); !seen) {
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
    if (auto seen = check_backup(job, *arn, TableAccess::write); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().remove(*arn), answer_description);
}

void describe_backup(Job job) {
    const auto arn = decoder().backup_arn(job.body);
    if (!arn) return job.reply.refuse(arn.error());
    if (auto seen = check_backup(job, *arn, TableAccess::read); !seen) {
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
    auto backups = job.engine.backups().list(*request);
    if (backups) {
        std::erase_if(backups->backups, [&](const table::BackupSummary& backup) {
            return !job.store.check_name(backup.table, TableAccess::read);
        });
    }
    answer(job.reply, backups,
           [](std::string& body, const table::BackupList& list) { append_answer(body, list); });
}

void restore_table_from_backup(Job job) {
    const auto request = decoder().restore_table_from_backup(job.body);
    if (!request) return job.reply.refuse(request.error());
    restore(job, *request, table::table_of_backup(request->arn).value_or(""));
}

void restore_table_to_point_in_time(Job job) {
    const auto request = decoder().restore_table_to_point_in_time(job.body);
    if (!request) return job.reply.refuse(request.error());
    restore(job, *request, request->source);
}

void update_continuous_backups(Job job) {
    const auto request = decoder().update_continuous_backups(job.body);
    if (!request) return job.reply.refuse(request.error());
    if (auto seen = job.store.check_name(request->table, TableAccess::write); !seen) {
        return job.reply.refuse(seen.error());
    }
    answer(job.reply, job.engine.backups().set_continuous(request->table, request->setting),
           answer_continuous);
}

}  // namespace mailroom::api
