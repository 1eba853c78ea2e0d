// What a client writes, the server reads: random requests, there and back.
#include "table/wire/decoder.h"
#include "table/wire/random_requests.h"
#include "table/wire/request_encoder.h"
#include "table/wire/same_members.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace mailroom::table::wire {
namespace {

constexpr int rounds = 400;

template <class T>
std::string request_text(const T& request, const Options& options) {
    std::string out;
    append_request(out, request, options);
    return out;
}

// Sends `sent` over the wire and expects it to arrive. `decode` is a member of Decoder.
template <class T>
void expect_arrival(Decoder& decoder, const T& sent, const Options& options,
                    Outcome<Call<T>> (Decoder::*decode)(std::string_view)) {
    const auto text = request_text(sent, options);
    const auto arrived = (decoder.*decode)(text);
    ASSERT_TRUE(arrived) << arrived.error().message << "\n" << text;
    EXPECT_TRUE(same(arrived->request, sent)) << text;
    EXPECT_EQ(arrived->options.consumed, options.consumed) << text;
}

TEST(RoundTrip, RequestsForItemsArriveAsTheyWereSent) {
    RandomRequests generator(1);
    Decoder decoder;
    for (int i = 0; i < rounds; ++i) {
        auto get = generator.get();
        get.consistent = generator.coin();
        expect_arrival(decoder, get, generator.options(), &Decoder::get_item);
        auto put = generator.put();
        put.returns = generator.old_or_none();
        expect_arrival(decoder, put, generator.options(), &Decoder::put_item);
        auto update = generator.update();
        update.returns = generator.one_of({ReturnValues::none, ReturnValues::all_new,
                                           ReturnValues::updated_old, ReturnValues::updated_new});
        expect_arrival(decoder, update, generator.options(), &Decoder::update_item);
        auto erase = generator.erase();
        erase.returns = generator.old_or_none();
        expect_arrival(decoder, erase, generator.options(), &Decoder::delete_item);
    }
}

TEST(RoundTrip, QueriesAndScansArriveAsTheyWereSent) {
    RandomRequests generator(2);
    Decoder decoder;
    for (int i = 0; i < rounds; ++i) {
        Query query;
        query.table = generator.name("table");
        if (generator.coin()) query.index = generator.name("index");
        query.key_condition = "k" + generator.text();
        if (generator.coin()) query.filter = "f" + generator.text();
        query.bind = generator.bindings();
        query.select = generator.one_of({Select::unset, Select::all_attributes, Select::count});
        if (!query.index.empty() && generator.coin()) {
            query.select = Select::all_projected_attributes;
        }
        if (generator.coin()) query.limit = 1 + generator.below(1000);
        if (generator.coin()) query.start_key = generator.item();
        query.forward = generator.coin();
        query.consistent = generator.coin();
        expect_arrival(decoder, query, generator.options(), &Decoder::query);

        Scan scan;
        scan.table = query.table;
        scan.index = query.index;
        scan.filter = "f" + generator.text();
        scan.projection = generator.coin() ? "p" : "";
        scan.select = scan.projection.empty() ? Select::unset : Select::specific_attributes;
        scan.bind = generator.bindings();
        scan.limit = query.limit;
        scan.start_key = query.start_key;
        if (generator.coin()) {
            scan.total_segments = 1 + generator.below(10);
            scan.segment = *scan.total_segments - 1;
        }
        scan.consistent = query.consistent;
        expect_arrival(decoder, scan, generator.options(), &Decoder::scan);
    }
}

TEST(RoundTrip, BatchesAndTransactionsArriveAsTheyWereSent) {
    RandomRequests generator(3);
    Decoder decoder;
    for (int i = 0; i < rounds; ++i) {
        BatchGet gets;
        BatchWrite writes;
        for (int t = 1 + generator.below(3); t > 0; --t) {
            const std::string table = "table" + std::to_string(t);
            Item key = generator.item();
            gets.tables.push_back({table,
                                   {key.set("n", Value(1)), Item(key).set("n", Value(2))},
                                   "p",
                                   generator.names(),
                                   generator.coin()});
            writes.tables.push_back(
                {table, {BatchWrite::Put{generator.item()}, BatchWrite::Delete{generator.item()}}});
        }
        expect_arrival(decoder, gets, generator.options(), &Decoder::batch_get_item);
        expect_arrival(decoder, writes, generator.options(), &Decoder::batch_write_item);

        TransactWrite write;
        if (generator.coin()) write.token = generator.name("token");
        write.actions = {generator.put(), generator.update(), generator.erase(), generator.check()};
        std::string text = request_text(write, {});
        const auto arrived = decoder.transact_write_items(text);
        ASSERT_TRUE(arrived) << arrived.error().message;
        EXPECT_EQ(arrived->request.token, write.token);
        EXPECT_TRUE(same(arrived->request.actions, write.actions)) << text;

        TransactGet get;
        get.gets = {generator.get(), generator.get()};
        text = request_text(get, {});
        const auto arrived_get = decoder.transact_get_items(text);
        ASSERT_TRUE(arrived_get) << arrived_get.error().message;
        EXPECT_TRUE(same(arrived_get->request.gets, get.gets)) << text;
    }
}

}  // namespace
}  // namespace mailroom::table::wire
