// What one side writes, the other reads: random requests, answers and failures, there and back.
#include "table/wire/answer_decoder.h"
#include "table/wire/decoder.h"
#include "table/wire/encoder.h"
#include "table/wire/request_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace mailroom::table {

// Member by member, so that none can get lost unnoticed.
static auto members(const Bindings& x) { return std::tie(x.names, x.values); }
static bool operator==(const Bindings& a, const Bindings& b) { return members(a) == members(b); }

static auto members(const Consumed::Index& x) { return std::tie(x.name, x.local, x.read, x.write); }
static bool operator==(const Consumed::Index& a, const Consumed::Index& b) {
    return members(a) == members(b);
}
static auto members(const Consumed& x) {
    return std::tie(x.table, x.table_read, x.table_write, x.indexes);
}
static bool operator==(const Consumed& a, const Consumed& b) { return members(a) == members(b); }

static auto members(const GetItem& x) {
    return std::tie(x.table, x.key, x.projection, x.bind, x.consistent);
}
static auto members(const PutItem& x) {
    return std::tie(x.table, x.item, x.condition, x.bind, x.returns, x.on_failure);
}
static auto members(const UpdateItem& x) {
    return std::tie(x.table, x.key, x.update, x.condition, x.bind, x.returns, x.on_failure);
}
static auto members(const DeleteItem& x) {
    return std::tie(x.table, x.key, x.condition, x.bind, x.returns, x.on_failure);
}
static auto members(const ConditionCheck& x) {
    return std::tie(x.table, x.key, x.condition, x.bind, x.on_failure);
}
static auto members(const Query& x) {
    return std::tie(x.table, x.index, x.key_condition, x.filter, x.projection, x.bind, x.select,
                    x.limit, x.start_key, x.forward, x.consistent);
}
static auto members(const Scan& x) {
    return std::tie(x.table, x.index, x.filter, x.projection, x.bind, x.select, x.limit,
                    x.start_key, x.segment, x.total_segments, x.consistent);
}
static auto members(const BatchGet::PerTable& x) {
    return std::tie(x.table, x.keys, x.projection, x.bind, x.consistent);
}
static auto members(const Page& x) {
    return std::tie(x.items, x.count, x.scanned_count, x.last_key, x.consumed);
}
static auto members(const GetResult& x) { return std::tie(x.item, x.consumed); }
static auto members(const WriteResult& x) { return std::tie(x.attributes, x.consumed); }
static auto members(const BatchGetResult::PerTable& x) { return std::tie(x.table, x.items); }

template <class T>
concept HasMembers = requires(const T& x) {
    members(x);
};
template <HasMembers T>
static bool same(const T& a, const T& b) {
    return members(a) == members(b);
}
template <class T>
static bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}
static bool same(const BatchGet& a, const BatchGet& b) { return same(a.tables, b.tables); }
static bool same(const BatchWrite::Action& a, const BatchWrite::Action& b) {
    if (a.index() != b.index()) return false;
    if (const auto* put = std::get_if<BatchWrite::Put>(&a)) {
        return put->item == std::get<BatchWrite::Put>(b).item;
    }
    return std::get<BatchWrite::Delete>(a).key == std::get<BatchWrite::Delete>(b).key;
}
static bool same(const BatchWrite::PerTable& a, const BatchWrite::PerTable& b) {
    return a.table == b.table &&
           std::ranges::equal(a.actions, b.actions,
                              [](const auto& x, const auto& y) { return same(x, y); });
}
static bool same(const BatchWrite& a, const BatchWrite& b) {
    return std::ranges::equal(a.tables, b.tables,
                              [](const auto& x, const auto& y) { return same(x, y); });
}
static bool same(const WriteAction& a, const WriteAction& b) {
    return a.index() == b.index() &&
           std::visit(
               [&](const auto& x) {
                   return same(x, std::get<std::remove_cvref_t<decltype(x)>>(b));
               },
               a);
}

namespace wire {
namespace {

constexpr int rounds = 400;

class Generator {
public:
    explicit Generator(unsigned seed) : engine_(seed) {}

    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
    bool coin() { return below(2) == 0; }

    std::string text() {
        static const std::string pieces[] = {"a", "B", "\"",   "\\",         "\n",
                                             "é", "😀", "\x01", "plain text "};
        std::string out;
        for (int i = below(5); i > 0; --i) out += pieces[below(std::size(pieces))];
        return out;
    }
    std::string name(const std::string& prefix) { return prefix + std::to_string(below(1000)); }
    std::string bytes() {
        std::string out;
        for (int i = below(6); i > 0; --i) out += static_cast<char>(below(256));
        return out;
    }
    Number number() {
        std::string digits = coin() ? "-" : "";
        for (int i = 1 + below(38); i > 0; --i) digits += static_cast<char>('0' + below(10));
        if (coin()) digits += "e" + std::to_string(below(160) - 100);
        const auto parsed = Number::parse(digits);
        return parsed ? *parsed : Number(below(1000));
    }
    Value set() {
        std::vector<std::string> payloads;
        const Kind kinds[] = {Kind::string_set, Kind::number_set, Kind::binary_set};
        const Kind kind = kinds[below(3)];
        for (int i = 1 + below(4); i > 0; --i) {
            payloads.push_back(kind == Kind::string_set   ? text()
                               : kind == Kind::number_set ? std::string(number().encoded())
                                                          : bytes());
        }
        return Value::set_of(kind, {payloads.begin(), payloads.end()});
    }
    Value value(int depth = 0) {
        switch (below(depth < 4 ? 9 : 6)) {
            case 0:
            case 1:
                return Value(text());
            case 2:
                return Value(number());
            case 3:
                return Value::binary(bytes());
            case 4:
                return coin() ? Value(coin()) : Value::null();
            case 5:
                return set();
            case 6: {
                std::vector<Value> elements;
                for (int i = below(4); i > 0; --i) elements.push_back(value(depth + 1));
                return Value::list(elements);
            }
            default:
                return Value::map(item(depth + 1));
        }
    }
    Item item(int depth = 0) {
        Item out;
        for (int i = below(5); i > 0; --i) out.set(name("f") + text(), value(depth));
        return out;
    }
    Bindings names() {
        Bindings out;
        for (int i = below(3); i > 0; --i) out.names.emplace_back("#n" + std::to_string(i), text());
        return out;
    }
    Bindings bindings() {
        Bindings out = names();
        for (int i = below(3); i > 0; --i)
            out.values.emplace_back(":v" + std::to_string(i), value());
        return out;
    }
    template <class T>
    T one_of(std::initializer_list<T> all) {
        return *(all.begin() + below(static_cast<int>(all.size())));
    }
    Options options() {
        return {one_of({ShowConsumed::none, ShowConsumed::total, ShowConsumed::indexes}),
                ShowMetrics::none};
    }
    OnConditionFailure on_failure() {
        return coin() ? OnConditionFailure::none : OnConditionFailure::all_old;
    }
    ReturnValues old_or_none() { return coin() ? ReturnValues::none : ReturnValues::all_old; }

    GetItem get() {
        const bool projected = coin();
        return {name("table"), item(), projected ? "p" + text() : "",
                projected ? names() : Bindings{}, false};
    }
    PutItem put() {
        return {name("table"), item(), "c" + text(), bindings(), ReturnValues::none, on_failure()};
    }
    UpdateItem update() {
        return {
            name("table"),      item(),      "u" + text(), coin() ? "c" + text() : "", bindings(),
            ReturnValues::none, on_failure()};
    }
    DeleteItem erase() {
        return {name("table"), item(), "c" + text(), bindings(), ReturnValues::none, on_failure()};
    }
    ConditionCheck check() {
        return {name("table"), item(), "c" + text(), bindings(), on_failure()};
    }
    Consumed consumed(bool write) {
        Consumed out;
        out.table = name("table");
        (write ? out.table_write : out.table_read) = below(100) * 0.5;
        if (coin()) out.indexes.push_back({name("local"), true, write ? 0 : 1.5, write ? 1.5 : 0});
        if (coin())
            out.indexes.push_back({name("global"), false, write ? 0 : 2.5, write ? 2.5 : 0});
        return out;
    }
    std::vector<Item> items() {
        std::vector<Item> out;
        for (int i = below(4); i > 0; --i) out.push_back(item());
        return out;
    }

private:
    std::mt19937 engine_;
};

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
    Generator generator(1);
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
    Generator generator(2);
    Decoder decoder;
    for (int i = 0; i < rounds; ++i) {
        Query query;
        query.table = generator.name("table");
        if (generator.coin()) query.index = generator.name("index");
        query.key_condition = "k" + generator.text();
        if (generator.coin()) query.filter = "f" + generator.text();
        query.bind = generator.bindings();
        query.select = generator.one_of({Select::unset, Select::all_attributes,
                                         Select::all_projected_attributes, Select::count});
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
    Generator generator(3);
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

TEST(RoundTrip, AnswersArriveAsTheyWereSent) {
    Generator generator(4);
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

TEST(RoundTrip, TablesArriveAsTheyWereSent) {
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

TEST(RoundTrip, FailuresArriveWithTheirReasons) {
    Generator generator(5);
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

TEST(AnswerDecoder, MapsExceptionsWeHaveNoNameFor) {
    struct Row {
        int status;
        std::string_view body;
        Fault fault;
        std::string_view message;
    };
    // clang-format off
    const Row rows[] = {
        {400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException","message":"slow"})", Fault::throttling, "ProvisionedThroughputExceededException: slow"},
        {400, R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"wait"})", Fault::throttling, "TransactionConflictException: wait"},
        {400, R"({"__type":"com.amazon.coral.service#UnrecognizedClientException","message":"who"})", Fault::validation, "UnrecognizedClientException: who"},
        {500, R"({"__type":"Strange","message":"x"})", Fault::internal, "Strange: x"},
        {400, R"({"__type":"ValidationException:http://internal.amazon.com/","message":"x"})", Fault::validation, "x"},
        {502, "<html>", Fault::internal, "The remote DynamoDB answered with status 502"},
        {404, "", Fault::validation, "The remote DynamoDB answered with status 404"},
    };
    // clang-format on
    AnswerDecoder decoder;
    for (const auto& row : rows) {
        SCOPED_TRACE(row.body);
        const auto failure = decoder.failure(row.status, row.body);
        EXPECT_EQ(failure.fault, row.fault);
        EXPECT_EQ(failure.message, row.message);
    }
}

TEST(AnswerDecoder, CallsAnUnreadableAnswerInternal) {
    AnswerDecoder decoder;
    for (const std::string_view body :
         {"", "[]", R"({"Item":[]})", R"({"Item":{"a":{"N":"x"}}})", R"({"Item":{"a":{"S":1}}})"}) {
        SCOPED_TRACE(body);
        const auto answer = decoder.get_item(body);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().fault, Fault::internal);
    }
    EXPECT_FALSE(decoder.table("{}"));
    EXPECT_FALSE(decoder.table(R"({"Table":{"KeySchema":[]}})"));
}

}  // namespace
}  // namespace wire
}  // namespace mailroom::table
