// Tables on a remote DynamoDB: AWS's own, or any server that speaks its protocol.
//
//   auto store = TRY(RemoteStore::open(
//       {.endpoint = "https://dynamodb.eu-central-1.amazonaws.com", .region = "eu-central-1",
//        .credentials = {key_id, secret, std::nullopt}}, clock, random));
//
// Requests are sent again after throttling, after 5xx and when the answer got lost (client.h), so
// one write may be carried out twice. Nothing is lost by that, but two things can be seen:
//   - a conditional put, update or delete may be refused because its own first attempt succeeded;
//   - an update that adds, without a condition, may add twice.
// Where that matters, use transact(): it always carries a token, so it happens once.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "table/remote/client.h"
#include "table/store.h"

#include <cstddef>
#include <memory>
#include <string>

namespace mailroom::table::remote {

struct RemoteOptions {
    std::string endpoint;  // http(s)://host[:port]
    std::string region = "us-east-1";
    net::Credentials credentials = {};
    HttpOptions http = {};
    RetryOptions retry = {};
    // As many calls run at once; more wait for a connection.
    std::size_t connections_max = 64;
};

// What DynamoDB does later, it also does later here: a table just created may still be `creating`,
// and batches may leave some requests `unprocessed`.
class RemoteStore final : public Store {
public:
    // Makes no connection yet. `clock` and `random` must outlive the store. `invalid` if an option
    // is; in particular, region and key id must be printable and without spaces.
    static Result<std::unique_ptr<RemoteStore>> open(const RemoteOptions& options,
                                                     const Clock& clock, Random& random);
    // The same with another way to wait between attempts; `sleeper` must outlive the store.
    static Result<std::unique_ptr<RemoteStore>> open(const RemoteOptions& options,
                                                     const Clock& clock, Random& random,
                                                     Sleeper& sleeper);

    Pauses pauses(const Pauses::Plan& plan) override;
    Outcome<GetResult> get(const GetItem& request) override;
    Outcome<WriteResult> put(const PutItem& request) override;
    Outcome<WriteResult> update(const UpdateItem& request) override;
    Outcome<WriteResult> erase(const DeleteItem& request) override;
    Outcome<Page> query(const Query& request) override;
    Outcome<Page> scan(const Scan& request) override;
    Outcome<BatchGetResult> batch_get(const BatchGet& request) override;
    Outcome<BatchWriteResult> batch_write(const BatchWrite& request) override;
    // Makes a token when the request has none.
    Outcome<TransactWriteResult> transact(const TransactWrite& request) override;
    Outcome<TransactGetResult> transact_get(const TransactGet& request) override;
    Outcome<TableDescription> create_table(const CreateTable& request) override;
    Outcome<TableDescription> describe_table(const std::string& table) override;
    Outcome<TableDescription> update_table(const UpdateTable& request) override;
    Outcome<TableDescription> delete_table(const std::string& table) override;
    // DynamoDB lists at most 100 at once, so `last` may be there before `limit` is reached.
    Outcome<TableNames> list_tables(const std::string& after, std::size_t limit) override;
    Outcome<TimeToLive> set_time_to_live(const std::string& table,
                                         const TimeToLive& setting) override;
    Outcome<TimeToLive> time_to_live(const std::string& table) override;
    Outcome<> tag(const std::string& arn, const Tags& tags) override;
    Outcome<> untag(const std::string& arn, const std::vector<std::string>& keys) override;
    Outcome<Tags> tags(const std::string& arn) override;

    // Calls that wait for another attempt return their failure at once, and no more are made. For
    // shutting down. Without effect on a sleeper given to open().
    void stop_retrying();

private:
    // Without a `sleeper` it waits with its own.
    static Result<std::unique_ptr<RemoteStore>> make(const RemoteOptions& options,
                                                     const Clock& clock, Random& random,
                                                     Sleeper* sleeper);
    RemoteStore(Client::Options options, const Clock& clock, Random& random, Sleeper* sleeper);

    SystemSleeper own_sleeper_;
    Sleeper& sleeper_;
    Random& random_;
    Client client_;
};

}  // namespace mailroom::table::remote
