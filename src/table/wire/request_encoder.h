// DynamoDB's requests, as JSON: what decoder.h reads, written by a client of a remote DynamoDB.
// Everything is added to the end of a string.
#pragma once

#include "table/wire/requests.h"

#include <string>
#include <string_view>

namespace mailroom::table::wire {

void append_request(std::string& out, const GetItem& request, const Options& options = {});
void append_request(std::string& out, const PutItem& request, const Options& options = {});
void append_request(std::string& out, const UpdateItem& request, const Options& options = {});
void append_request(std::string& out, const DeleteItem& request, const Options& options = {});
void append_request(std::string& out, const Query& request, const Options& options = {});
void append_request(std::string& out, const Scan& request, const Options& options = {});
void append_request(std::string& out, const BatchGet& request, const Options& options = {});
void append_request(std::string& out, const BatchWrite& request, const Options& options = {});
void append_request(std::string& out, const TransactWrite& request, const Options& options = {});
void append_request(std::string& out, const TransactGet& request, const Options& options = {});

void append_request(std::string& out, const CreateTable& request);
void append_request(std::string& out, const UpdateTable& request);
void append_request(std::string& out, const ListTables& request);
void append_request(std::string& out, const UpdateTimeToLive& request);
void append_request(std::string& out, const TagResource& request);
void append_request(std::string& out, const UntagResource& request);
// DescribeTable, DeleteTable, DescribeTimeToLive.
void append_table_name_request(std::string& out, std::string_view table);
// ListTagsOfResource.
void append_arn_request(std::string& out, std::string_view arn);

void append_request(std::string& out, const ExecuteStatement& request, const Options& options = {});
void append_request(std::string& out, const BatchExecuteStatement& request,
                    const Options& options = {});
void append_request(std::string& out, const ExecuteTransaction& request,
                    const Options& options = {});

}  // namespace mailroom::table::wire
