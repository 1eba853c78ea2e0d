#include "dynamodb/backups.h"

#include "table/wire/encoder.h"

namespace mailroom::dynamodb {

using table::wire::append_answer;

namespace {

void answer_description(std::string& body, const table::BackupDescription& backup) {
    append_answer(body, backup);
}

void answer_continuous(std::string& body, const table::ContinuousBackups& setting) {
    append_answer(body, setting);
}

}  // namespace

void create_backup(Job job) {
    const auto request = decoder().create_backup(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.backups().create(*request), table::wire::append_created_backup);
}

void delete_backup(Job job) {
    const auto arn = decoder().backup_arn(job.body);
    if (!arn) return job.reply.refuse(arn.error());
    answer(job.reply, job.tables.backups().remove(*arn), answer_description);
}

void describe_backup(Job job) {
    const auto arn = decoder().backup_arn(job.body);
    if (!arn) return job.reply.refuse(arn.error());
    answer(job.reply, job.tables.backups().describe(*arn), answer_description);
}

void describe_continuous_backups(Job job) {
    const auto name = decoder().table_name(job.body);
    if (!name) return job.reply.refuse(name.error());
    answer(job.reply, job.tables.backups().continuous(*name), answer_continuous);
}

void list_backups(Job job) {
    const auto request = decoder().list_backups(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.backups().list(*request),
           [](std::string& body, const table::BackupList& list) { append_answer(body, list); });
}

void restore_table_from_backup(Job job) {
    const auto request = decoder().restore_table_from_backup(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.backups().restore(*request), table::wire::append_changed_table);
}

void restore_table_to_point_in_time(Job job) {
    const auto request = decoder().restore_table_to_point_in_time(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.backups().restore(*request), table::wire::append_changed_table);
}

void update_continuous_backups(Job job) {
    const auto request = decoder().update_continuous_backups(job.body);
    if (!request) return job.reply.refuse(request.error());
    answer(job.reply, job.tables.backups().set_continuous(request->table, request->setting),
           answer_continuous);
}

}  // namespace mailroom::dynamodb
