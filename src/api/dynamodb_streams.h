// The operations of the API of streams.
#pragma once

#include "api/dynamodb_job.h"

namespace mailroom::api {

void describe_stream(Job job);
void get_records(Job job);
void get_shard_iterator(Job job);
void list_streams(Job job);

}  // namespace mailroom::api
