#include "program/as_of.h"

#include "table/records/record.h"

#include <gtest/gtest.h>

namespace mailroom::program {
namespace {

struct Standing {
    bool late = false;
    static constexpr auto fields = std::tuple{table::shown("late", &Standing::late)};
};

struct Loan {
    std::string id;
    Time due;

    Standing at(Time now) const { return {due < now}; }
    static constexpr std::string_view record_name = "Loan";
    static constexpr auto fields = std::tuple{table::kept("id", &Loan::id)};
};

class Desk {
public:
    Answer<Loan> find(const std::string& id) {
        if (id.empty()) return Refusal::not_found("no such loan");
        return Loan{id, from_unix_ms(1000)};
    }
    Result<table::Slice<Loan>> list(const table::PageWish& wish) {
        return table::Slice<Loan>{{{"a", from_unix_ms(1000)}, {"b", from_unix_ms(3000)}},
                                  wish.after};
    }
    Answer<> erase(const std::string& id, const Actor& who) {
        if (id != who.name) return Refusal::conflict("not_yours", "it is somebody else's");
        return Ok{};
    }
};

const Actor ann{"key-ann", "ann", {}};

TEST(AsOf, WhatIsShownDependsOnTheMomentOfLooking) {
    Desk desk;
    ManualClock clock(from_unix_ms(500));
    const auto find = as_of_now(clock, act(desk, &Desk::find));
    EXPECT_EQ(table::to_json(*find({"a"}, ann)), R"({"id":"a","late":false})");
    clock.set(from_unix_ms(2000));
    EXPECT_EQ(table::to_json(*find({"a"}, ann)), R"({"id":"a","late":true})");
    EXPECT_EQ(find({""}, ann).error().kind, Refusal::Kind::not_found);
}

TEST(AsOf, APageIsShownAsOfOneMoment) {
    Desk desk;
    ManualClock clock(from_unix_ms(2000));
    const auto list = as_of_now(clock, act(desk, &Desk::list));
    const auto page = list({}, {.limit = 2, .after = "there"}, ann);
    ASSERT_TRUE(page);
    EXPECT_EQ(Output<table::Slice<AsOf<Loan>>>::render(*page).body,
              R"({"items":[{"id":"a","late":true},{"id":"b","late":false}],"next":"there"})");
}

TEST(AsOf, WhatIsMadeIsAnsweredAs201AndWhatIsOnlyDoneAs204) {
    Desk desk;
    const ManualClock clock(from_unix_ms(2000));
    const auto find = created(as_of_now(clock, act(desk, &Desk::find)));
    EXPECT_EQ(Output<Created<AsOf<Loan>>>::render(*find({"a"}, ann)).status, 201);
    const auto erase = act(desk, &Desk::erase);
    EXPECT_EQ(Output<Ok>::render(*erase({"ann"}, ann)).status, 204);
    EXPECT_EQ(erase({"bob"}, ann).error().code, "not_yours");
}

}  // namespace
}  // namespace mailroom::program
