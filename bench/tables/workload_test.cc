#include "workload.h"

#include <gtest/gtest.h>

#include <set>

namespace mailroom::bench {
namespace {

std::string body_of(const std::string& request) {
    return request.substr(request.find("\r\n\r\n") + 4);
}

// Every text that follows `before`, `bytes` long.
std::vector<std::string> all_after(const std::string& text, const std::string& before,
                                   std::size_t bytes) {
    std::vector<std::string> found;
    for (auto at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
        found.push_back(text.substr(at + before.size(), bytes));
    }
    return found;
}

TEST(Workload, EveryRequestIsWholeAndTheSameForEveryServer) {
    for (const auto operation : all_operations) {
        SCOPED_TRACE(name_of(operation));
        Workload one(100), other(100);
        const auto render_one = one.render(operation), render_other = other.render(operation);
        for (int i = 0; i < 50; ++i) {
            std::string request, same;
            render_one(request);
            render_other(same);
            ASSERT_EQ(request, same);
            ASSERT_EQ(request.find_first_of("\x01\x02\x03"), request.npos);
            if (operation == Operation::empty) continue;
            const auto length = "Content-Length: " + std::to_string(body_of(request).size());
            ASSERT_NE(request.find(length + "\r\n\r\n"), request.npos);
        }
    }
}

TEST(Workload, NewItemsNeverRepeatAKeyAcrossOperations) {
    Workload workload(100);
    std::set<std::string> seen;
    std::size_t written = 0;
    for (int i = 0; i < 500; ++i) {
        for (const auto operation : {Operation::put, Operation::transact, Operation::batch}) {
            std::string request;
            workload.render(operation)(request);
            for (auto& key : all_after(request, "CUSTOMER#", 8)) {
                EXPECT_GE(key, "10000000");
                seen.insert(std::move(key));
                ++written;
            }
        }
    }
    EXPECT_EQ(written, 500u * (1 + 2 + items_per_batch));
    EXPECT_EQ(seen.size(), written);
}

TEST(Workload, ThePreloadWritesEachItemThatIsReadLaterOnce) {
    Workload workload(10);
    const auto preload = workload.preload();
    std::multiset<std::string> written;
    for (std::uint64_t i = 0; i < workload.preload_requests(); ++i) {
        std::string request;
        preload(request);
        for (auto& key : all_after(request, R"("pk":{"S":"CUSTOMER#)", 31)) written.insert(key);
    }
    EXPECT_EQ(written.size(), 100u);
    const auto get = workload.render(Operation::get);
    for (int i = 0; i < 1000; ++i) {
        std::string request;
        get(request);
        const auto keys = all_after(request, R"("pk":{"S":"CUSTOMER#)", 31);
        ASSERT_EQ(keys.size(), 1u);
        EXPECT_EQ(written.count(keys.front()), 1u) << keys.front();
    }
}

TEST(Workload, AnAnswerThatLacksWhatWasAskedForIsNotAccepted) {
    struct Case {
        Operation operation;
        std::string_view body;
        bool want;
    };
    const Case cases[] = {
        {Operation::get, R"({"Item":{"pk":{"S":"a"},"preview":{"S":"b"}}})", true},
        {Operation::get, "{}", false},
        {Operation::query, R"({"Count":10,"Items":[],"ScannedCount":10})", true},
        {Operation::query, R"({"Count":9,"Items":[],"ScannedCount":10})", false},
        {Operation::batch, R"({"UnprocessedItems":{}})", true},
        {Operation::batch, R"({"UnprocessedItems":{"Bench":[{"PutRequest":{}}]}})", false},
        {Operation::put, "{}", true},
    };
    const Workload workload(5);
    for (const auto& c : cases) {
        SCOPED_TRACE(c.body);
        EXPECT_EQ(workload.accept(c.operation)(c.body), c.want);
    }
}

TEST(Workload, TheHotItemsCountIsReadFromTheAnswer) {
    EXPECT_EQ(hot_item_count(R"({"Item":{"opens":{"N":"1234"},"pk":{"S":"COUNTER"}}})"), 1234u);
    EXPECT_EQ(hot_item_count("{}"), std::nullopt);
    EXPECT_EQ(hot_item_count(R"({"Item":{"opens":{"N":"x"}}})"), std::nullopt);
}

TEST(Workload, TheEmptyRequestIsAsLongAsAGet) {
    std::string get, healthz, echo;
    Workload workload(5);
    workload.render(Operation::get)(get);
    workload.render(Operation::empty)(healthz);
    empty_request("/echo")(echo);
    EXPECT_EQ(healthz.size(), get.size());
    EXPECT_EQ(echo.size(), get.size());
}

}  // namespace
}  // namespace mailroom::bench
