// Random histories, decided by the rules on what a customer's row remembers, and by a model that
// remembers everything and looks at all of it each time.
#include "base/time_format.h"
#include "reminders/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace mailroom::reminders {
namespace {

using namespace std::chrono_literals;

// Every reminder there ever was, and when everything overdue was paid.
class Model {
public:
    struct Reminder {
        ReminderType type;
        Time at;
        std::string draft_id;
        std::size_t order;  // Among reminders and payments.
        Fate fate;
    };

    void approve(ReminderType type, Time now, const std::string& draft_id) {
        reminders_.push_back({type, now, draft_id, ++events_, Fate::in_flight});
    }
    void settle(const std::string& draft_id, Fate fate, Time at) {
        for (auto& reminder : reminders_) {
            if (reminder.draft_id != draft_id) continue;
            reminder.fate = fate;
            reminder.at = at;
        }
    }
    void pay_all() { paid_ = ++events_; }

    Verdict verdict(ReminderType type, Time now) const {
        if (any([&](const Reminder& r) { return in_cycle(r) && r.type > type; })) {
            return Verdict::regression;
        }
        int finals = 0;
        for (const auto& r : reminders_) finals += counted(r) && in_cycle(r) && is_final(r) ? 1 : 0;
        if (type == ReminderType::final_notice && finals >= 2) return Verdict::escalate;
        const auto window = type == ReminderType::first ? 7 : type == ReminderType::second ? 5 : 3;
        if (any([&](const Reminder& r) { return r.type == type && younger(r, window, now); })) {
            return Verdict::sent_recently;
        }
        if (type == ReminderType::first) return Verdict::allowed;
        const auto before =
            type == ReminderType::second ? ReminderType::first : ReminderType::second;
        const auto spacing = type == ReminderType::second ? 7 : 5;
        const auto is_before = [&](const Reminder& r) { return in_cycle(r) && r.type == before; };
        if (!any(is_before)) return Verdict::predecessor_missing;
        if (any([&](const Reminder& r) { return is_before(r) && younger(r, spacing, now); })) {
            return Verdict::predecessor_too_recent;
        }
        return Verdict::allowed;
    }

    // Of those in flight, or of all.
    std::vector<std::string> ids(std::optional<Fate> fate) const {
        std::vector<std::string> ids;
        for (const auto& r : reminders_) {
            if (!fate || r.fate == *fate) ids.push_back(r.draft_id);
        }
        return ids;
    }

private:
    static bool counted(const Reminder& r) {
        return r.fate != Fate::failed && r.fate != Fate::bounced;
    }
    static bool is_final(const Reminder& r) { return r.type == ReminderType::final_notice; }
    bool in_cycle(const Reminder& r) const { return r.order > paid_; }
    static bool younger(const Reminder& r, int days, Time now) {
        return std::max(now - r.at, 0ms) < std::chrono::days(days);
    }
    template <class Wanted>
    bool any(Wanted wanted) const {
        return std::ranges::any_of(reminders_,
                                   [&](const Reminder& r) { return counted(r) && wanted(r); });
    }

    std::vector<Reminder> reminders_;
    std::size_t events_ = 0, paid_ = 0;
};

class Walk {
public:
    explicit Walk(unsigned seed) : random_(seed) {}

    // The number of decisions that were compared.
    int run(int steps) {
        for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) step();
        return compared_;
    }

private:
    int pick(int below) { return std::uniform_int_distribution<>(0, below - 1)(random_); }

    void step() {
        constexpr std::chrono::milliseconds jumps[] = {
            1ms, 1h, 23h, 24h, 72h, 5 * 24h, 120h - 1ms, 168h - 1ms, 168h, 24h * 12, 0ms};
        now_ += jumps[pick(std::size(jumps))];
        switch (pick(6)) {
            case 0:
                model_.pay_all();
                past_.close_cycle(now_);
                break;
            case 1:
                settle(Fate::sent, Fate::in_flight);
                break;
            case 2:
                settle(pick(2) == 0 ? Fate::failed : Fate::bounced, std::nullopt);
                break;
            default:
                approve();
        }
        past_.prune({}, now_);
        compare();
    }

    void settle(Fate fate, std::optional<Fate> before) {
        auto ids = model_.ids(before);
        if (ids.empty()) return;
        // Answers come to mails of the last days: what is older is settled.
        const auto back = std::min<int>(4, static_cast<int>(ids.size()));
        const auto& id = ids[ids.size() - 1 - static_cast<std::size_t>(pick(back))];
        if (past_.find(id) == nullptr) return;
        const auto when = fate == Fate::sent ? now_ : past_.find(id)->at;
        model_.settle(id, fate, when);
        past_.settle(id, fate, when);
    }

    void approve() {
        const auto type = all_types[static_cast<std::size_t>(pick(3))];
        const bool forced = pick(20) == 0;  // A manager overrides.
        if (!forced && !decide({}, {.past = past_, .anything_overdue = true}, type, now_).allowed())
            return;
        const auto id = "draft" + std::to_string(++drafts_);
        model_.approve(type, now_, id);
        past_.begin(type, now_, id);
    }

    void compare() {
        for (const auto type : all_types) {
            const auto got = decide({}, {.past = past_, .anything_overdue = true}, type, now_);
            EXPECT_EQ(name_of(got.verdict), name_of(model_.verdict(type, now_)))
                << name_of(type) << " at " << format_rfc3339(now_) << " after " << drafts_
                << " drafts";
            ++compared_;
        }
    }

    std::mt19937 random_;
    Time now_ = *parse_rfc3339("2025-01-01T00:00:00Z");
    Model model_;
    Past past_;
    int drafts_ = 0, compared_ = 0;
};

TEST(RulesModel, RandomHistoriesAreDecidedAsTheWholeHistoryWouldBe) {
    int compared = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        compared += Walk(seed).run(250);
        if (HasFailure()) break;
    }
    EXPECT_EQ(compared, 400 * 250 * 3);
}

}  // namespace
}  // namespace mailroom::reminders
