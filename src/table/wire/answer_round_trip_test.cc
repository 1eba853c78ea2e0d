// What the server writes, a client reads: random answers and failures, there and back.
#include "table/wire/answer_decoder.h"
#include "table/wire/encoder.h"
#include "table/wire/random_requests.h"
#include "table/wire/same_members.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace mailroom::table::wire {
namespace {

constexpr int rounds = 400;

TEST(AnswerRoundTrip, AnswersArriveAsTheyWereSent) {
    RandomRequests generator(4);
    AnswerDecoder decoder;
    const auto show = ShowConsumed::indexes;
    for (int i = 0; i < rounds; ++i) {
        std::string text;
        const GetResult get{generator.coin() ? std::optional(generator.item()) : std::nullopt,
                            generator.consumed(false)};
        append_answer(text, get, show);
        const auto arrived_get = decoder.get_item(text);
        ASSERT_TRUE(arrived_get);
        EXPECT_TRUE(same(*arrived_get, get)) << text;

        const WriteResult write{generator.coin() ? std::optional(generator.item()) : std::nullopt,
                                generator.consumed(true)};
        text.clear();
        append_answer(text, write, show);
        const auto arrived_write = decoder.write_item(text);
        ASSERT_TRUE(arrived_write);
        EXPECT_TRUE(same(*arrived_write, write)) << text;

        Page page{generator.items(), 7, 9, std::nullopt, generator.consumed(false)};
        if (generator.coin()) page.last_key = generator.item();
        text.clear();
        append_answer(text, page, Select::unset, show);
        const auto arrived_page = decoder.page(text);
        ASSERT_TRUE(arrived_page);
        EXPECT_TRUE(same(*arrived_page, page)) << text;

        BatchGetResult got;
        got.tables = {{"table1", generator.items()}, {"table2", generator.items()}};
        got.unprocessed.tables = {{"table3", {generator.item()}, "p", generator.names(), true}};
        got.consumed = {generator.consumed(false), generator.consumed(false)};
        text.clear();
        append_answer(text, got, show);
        const auto arrived_got = decoder.batch_get_item(text);
        ASSERT_TRUE(arrived_got) << arrived_got.error().message;
        EXPECT_TRUE(same(arrived_got->tables, got.tables));
        EXPECT_TRUE(same(arrived_got->unprocessed, got.unprocessed)) << text;
        EXPECT_EQ(arrived_got->consumed, got.consumed);

        BatchWriteResult written;
        written.unprocessed.tables = {{"table1", {BatchWrite::Put{generator.item()}}}};
        written.consumed = {generator.consumed(true)};
        text.clear();
        append_answer(text, written, show);
        const auto arrived_written = decoder.batch_write_item(text);
        ASSERT_TRUE(arrived_written);
        EXPECT_TRUE(same(arrived_written->unprocessed, written.unprocessed)) << text;
        EXPECT_EQ(arrived_written->consumed, written.consumed);

        const TransactGetResult gotten{{generator.item(), std::nullopt},
                                       {generator.consumed(false)}};
        text.clear();
        append_answer(text, gotten, show);
        const auto arrived_gotten = decoder.transact_get_items(text);
        ASSERT_TRUE(arrived_gotten);
        EXPECT_EQ(arrived_gotten->items, gotten.items);
        EXPECT_EQ(arrived_gotten->consumed, gotten.consumed);
    }
}

TEST(AnswerRoundTrip, TablesArriveAsTheyWereSent) {
    TableDescription table;
    table.name = "Orders";
    table.id = "id";
    table.arn = "arn";
    table.status = TableStatus::updating;
    table.created = from_unix_ms(1'763'186'844'007);
    table.attributes = {{"a", Kind::string}, {"b", Kind::number}};
    table.keys = {"a", "b"};
    table.pay_per_request_since = from_unix_ms(1'763'186'844'999);
    table.deletion_protection = true;
    table.table_class = "STANDARD_INFREQUENT_ACCESS";
    table.item_count = 5;
    table.size_bytes = 1'000'000'000'000;
    IndexDescription index;
    index.spec = {"idx", {"b", ""}, {ProjectionKind::keys_only, {}}, {}};
    index.status = IndexStatus::deleting;
    index.arn = "index arn";
    index.item_count = 1;
    index.size_bytes = 2;
    table.global_indexes = {index};
    index.status = IndexStatus::active;
    table.local_indexes = {index};
    std::string sent, again;
    append_changed_table(sent, table);
    AnswerDecoder decoder;
    const auto arrived = decoder.table(sent);
    ASSERT_TRUE(arrived);
    append_changed_table(again, *arrived);
    EXPECT_EQ(again, sent);
    EXPECT_EQ(arrived->created, table.created);
    EXPECT_EQ(arrived->pay_per_request_since, table.pay_per_request_since);
    EXPECT_EQ(arrived->global_indexes[0].status, IndexStatus::deleting);
}

TEST(AnswerRoundTrip, FailuresArriveWithTheirReasons) {
    RandomRequests generator(5);
    AnswerDecoder decoder;
    for (const auto fault :
         {Fault::validation, Fault::serialization, Fault::conditional_check_failed,
          Fault::transaction_canceled, Fault::transaction_in_progress,
          Fault::idempotent_parameter_mismatch, Fault::resource_not_found, Fault::resource_in_use,
          Fault::limit_exceeded, Fault::item_collection_size_limit_exceeded, Fault::throttling,
          Fault::duplicate_item, Fault::internal}) {
        Failure failure{fault, "m" + generator.text()};
        if (fault == Fault::conditional_check_failed) failure.item = generator.item();
        if (fault == Fault::transaction_canceled) {
            failure.reasons = {{}, {"ConditionalCheckFailed", "no", generator.item()}};
        }
        std::string text;
        append_failure(text, failure);
        const auto arrived = decoder.failure(http_status(fault), text);
        EXPECT_EQ(arrived.fault, fault);
        EXPECT_EQ(arrived.message, failure.message);
        EXPECT_EQ(arrived.item, failure.item);
        ASSERT_EQ(arrived.reasons.size(), failure.reasons.size());
        for (std::size_t i = 0; i < failure.reasons.size(); ++i) {
            EXPECT_EQ(arrived.reasons[i].code, failure.reasons[i].code);
            EXPECT_EQ(arrived.reasons[i].message, failure.reasons[i].message);
            EXPECT_EQ(arrived.reasons[i].item, failure.reasons[i].item);
        }
    }
}

}  // namespace
}  // namespace mailroom::table::wire
