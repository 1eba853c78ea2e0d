// The operations about backups.
#pragma once

#include "dynamodb/job.h"

namespace mailroom::dynamodb {

void create_backup(Job job);
void delete_backup(Job job);
void describe_backup(Job job);
void describe_continuous_backups(Job job);
void list_backups(Job job);
void restore_table_from_backup(Job job);
void restore_table_to_point_in_time(Job job);
void update_continuous_backups(Job job);

}  // namespace mailroom::dynamodb
