// Operations about the service and about features that are off here, answered as DynamoDB answers
// them then.
#pragma once

#include "dynamodb/job.h"

namespace mailroom::dynamodb {

void describe_contributor_insights(Job job);
void describe_endpoints(Job job);
void describe_kinesis_streaming_destination(Job job);
void describe_limits(Job job);
void describe_table_replica_auto_scaling(Job job);
void list_contributor_insights(Job job);
void list_exports(Job job);
void list_global_tables(Job job);
void list_imports(Job job);

}  // namespace mailroom::dynamodb
