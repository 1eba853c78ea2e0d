// The operations of the API of streams.
#pragma once

#include "dynamodb/job.h"

namespace mailroom::dynamodb {

void describe_stream(Job job);
void get_records(Job job);
void get_shard_iterator(Job job);
void list_streams(Job job);

}  // namespace mailroom::dynamodb
