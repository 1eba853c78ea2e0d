// What the routes of reminders refuse before a rule is asked.
#include "reminders/routes.h"
#include "reminders/reminders_fixture.h"

#include <algorithm>

namespace mailroom::reminders {
namespace {

class RoutesTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
        privacy.emplace(*accounts);
        assessor.emplace(*books, *suppressions);
        add_routes(api,
                   {*accounts, *templates, *author, *drafts, *deliveries, *privacy, *assessor});
    }
    int patch(const std::string& things, const std::string& id, const std::string& body) {
        const auto path = "/v1/reminders/" + things + "/{id}";
        const auto route = std::ranges::find_if(api.routes(), [&](const program::Route& route) {
            return route.method == "PATCH" && route.path == path;
        });
        const program::Pairs in_path = {{"id", id}}, query;
        return route->act({.path = in_path, .query = query, .body = body, .actor = boss}).status;
    }

    program::Api api;
    std::optional<Privacy> privacy;
    std::optional<Assessor> assessor;
};

TEST_F(RoutesTest, AChangeThatAsksForNothingIsRefusedAndWritesNothing) {
    const auto drafted = taken(draft(ReminderType::first));
    const auto of_customer = customer().version;
    const auto of_invoice = taken(accounts->require_invoice("INV-001")).version;
    for (const auto* body : {"", "{}", " {\n}"}) {
        clock.advance(std::chrono::seconds(1));
        EXPECT_EQ(patch("customers", "cust_001", body), 400) << body;
        EXPECT_EQ(patch("invoices", "INV-001", body), 400) << body;
        EXPECT_EQ(patch("drafts", drafted.id, body), 400) << body;
    }
    EXPECT_EQ(patch("customers", "cust_001", R"({"name":null,"opt_out":null})"), 400);
    EXPECT_EQ(patch("invoices", "INV-001", R"({"amount":null})"), 400);
    EXPECT_EQ(patch("drafts", drafted.id, R"({"version":1})"), 400) << "neither a text nor anew";
    EXPECT_EQ(customer().version, of_customer);
    EXPECT_EQ(taken(accounts->require_invoice("INV-001")).version, of_invoice);
    EXPECT_EQ(taken(drafts->find(drafted.id)).version, drafted.version);

    EXPECT_EQ(patch("customers", "cust_001", R"({"name":"John"})"), 200);
    EXPECT_EQ(customer().version, of_customer + 1);
    EXPECT_EQ(patch("invoices", "INV-001", R"({"amount":900})"), 200);
    EXPECT_EQ(patch("invoices", "INV-001", R"({"status":"LATE"})"), 400);
}

}  // namespace
}  // namespace mailroom::reminders
