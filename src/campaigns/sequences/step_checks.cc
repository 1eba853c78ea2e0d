#include "campaigns/sequences/step_checks.h"

#include "base/text.h"
#include "campaigns/sequences/definition_checks.h"
#include "campaigns/sequences/json_path.h"
#include "liquid/template.h"
#include "people/segments/filter_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace mailroom::campaigns {

namespace {

using table::Reading;
using Inside = Reading::Inside;

constexpr std::size_t key_bytes_max = 256, subject_bytes_max = 998, id_bytes_max = 64;
constexpr std::size_t variants_max = 20, branches_max = 100, value_bytes_max = 1024;
constexpr std::int64_t days_max = 3660, rounds_max = 10'000;

class StepChecks {
public:
    explicit StepChecks(Reading& reading) : reading_(reading) {}

    void list(std::string_view member, const std::vector<Step>& steps) {
        if (steps.empty()) return;
        const Inside inside(reading_, member);
        if (++depth_ > steps_depth_max) {
            reading_.wrong("is more than " + std::to_string(steps_depth_max) + " lists deep");
        } else {
            bool is_reached = true;
            for (std::size_t i = 0; i < steps.size(); ++i) {
                const Inside element(reading_, i);
                if (!is_reached) reading_.wrong("is never reached");
                one(steps[i]);
                is_reached = !ends_here(steps[i]);
            }
        }
        --depth_;
    }

private:
    void one(const Step& step) {
        if (++count_ == steps_max + 1) {
            reading_.wrong("is one too many: a sequence has at most " + std::to_string(steps_max) +
                           " steps");
        }
        const auto& id = step.head().id;
        if (!id.empty()) {
            check_text(reading_, "id", id, id_bytes_max);
            if (!ids_.insert(id).second) reading_.wrong_member("id", "is that of another step");
        }
        std::visit([&](const auto& what) { check(what); }, step.what);
    }
    static bool ends_here(const Step& step) {
        const auto* const repeat = std::get_if<RepeatStep>(&step.what);
        return std::holds_alternative<EndStep>(step.what) || (repeat && repeat->times == 0);
    }

    void check(const SendStep& send) {
        if (send.window) window(*send.window);
        if (!send.variants.empty()) return variants(send);
        check_mail(reading_, send.template_key, send.subject);
    }
    void variants(const SendStep& send) {
        if (!send.template_key.empty() || !send.subject.empty()) {
            reading_.wrong_member("variants", "must not stand beside templateKey and subject");
        }
        if (send.variants.size() < 2 || send.variants.size() > variants_max) {
            reading_.wrong_member("variants", "must be 2 to " + std::to_string(variants_max));
        }
        for (std::size_t i = 0; i < send.variants.size(); ++i) {
            const Inside list(reading_, "variants"), element(reading_, i);
            check_mail(reading_, send.variants[i].template_key, send.variants[i].subject);
        }
    }
    void check(const WaitStep& wait) {
        amount("days", wait.days, days_max);
        amount("hours", wait.hours, 24 * days_max);
        amount("minutes", wait.minutes, 24 * 60 * days_max);
        if (wait.window) window(*wait.window);
        const bool is_length = wait.days != 0 || wait.hours != 0 || wait.minutes != 0;
        if (wait.until && is_length) {
            reading_.wrong_member("until", "must not stand beside days, hours and minutes");
        }
        if (wait.until) until(*wait.until);
        if (!is_length && !wait.until && !wait.at && !wait.window) {
            reading_.wrong("waits for nothing: it needs days, hours, minutes, until, at or window");
        }
    }
    void until(const WaitUntil& until) {
        const Inside inside(reading_, "until");
        const int said =
            (until.time ? 1 : 0) + (until.date ? 1 : 0) + (until.attribute.empty() ? 0 : 1);
        if (said != 1) reading_.wrong("must have one of time, date and attribute");
        if (until.attribute.size() > key_bytes_max) {
            reading_.wrong_member("attribute", "must be at most 256 bytes");
        }
    }
    void check(const ChoiceStep& choice) {
        if (!JsonPath::parse(choice.field)) {
            reading_.wrong_member("field", "must be a path such as $.subscriber.attributes.plan");
        }
        if (choice.branches.size() > branches_max) {
            reading_.wrong_member("branches", "must be at most " + std::to_string(branches_max));
        }
        std::set<std::string_view> values;
        for (std::size_t i = 0; i < choice.branches.size(); ++i) {
            const Inside branches(reading_, "branches"), element(reading_, i);
            const auto& branch = choice.branches[i];
            check_text(reading_, "value", branch.value, value_bytes_max, 0);
            if (!values.insert(branch.value).second) {
                reading_.wrong_member("value", "is that of an earlier branch");
            }
            list("steps", branch.steps);
        }
        list("default", choice.otherwise);
    }
    void check(const ConditionStep& condition) {
        if (condition.check.empty() == !condition.test.is_there()) {
            reading_.wrong("must have one of check, filter and rules");
        }
        if (!condition.check.empty()) known_check(condition);
        check_filter(reading_, condition.test);
        list("then", condition.then);
        list("else", condition.otherwise);
    }
    void known_check(const ConditionStep& condition) {
        const bool is_equal = condition.check == "subscriber_field_equals";
        const bool is_sent = condition.check == "has_been_sent";
        if (!is_equal && !is_sent && condition.check != "subscriber_field_exists") {
            return reading_.wrong_member("check",
                                         "must be subscriber_field_exists, subscriber_field_equals "
                                         "or has_been_sent");
        }
        if (is_sent)
            return check_text(reading_, "templateKey", condition.template_key, key_bytes_max);
        check_text(reading_, "field", condition.field, key_bytes_max);
        if (is_equal && !condition.value.is_there()) reading_.wrong_member("value", "is missing");
    }
    void check(const RepeatStep& repeat) {
        if (repeats_++ > 0) reading_.wrong("must not stand inside another repeat");
        using enum people::Unit;
        if (repeat.every.unit == minute) {
            reading_.wrong_member("every", "must be at least an hour, in hours or more");
        }
        amount("times", repeat.times, rounds_max);
        if (repeat.steps.empty()) reading_.wrong_member("steps", "must not be empty");
        list("steps", repeat.steps);
        --repeats_;
    }
    void check(const EndStep& end) { check_text(reading_, "reason", end.reason, key_bytes_max, 0); }

    void window(const SendingWindow& window) {
        const Inside inside(reading_, "window");
        check_window(reading_, window);
    }
    void amount(std::string_view member, std::int64_t amount, std::int64_t max) {
        if (amount >= 0 && amount <= max) return;
        reading_.wrong_member(member, "must be 0 to " + std::to_string(max));
    }

    Reading& reading_;
    std::size_t depth_ = 0, count_ = 0, repeats_ = 0;
    std::set<std::string_view> ids_;
};

}  // namespace

void check_steps(const Definition& definition, Reading& reading) {
    StepChecks(reading).list("steps", definition.steps);
}

void check_window(Reading& reading, const SendingWindow& window) {
    if (window.minutes_open() < 60) reading.wrong("must be open for an hour of a day at least");
    if (window.days.size() > 7) reading.wrong_member("days", "must be at most 7");
}

void check_filter(Reading& reading, const FilterWish& wish) {
    if (wish.rules && !wish.filter.empty()) {
        reading.wrong_member("rules", "must not stand beside filter");
    }
    if (wish.rules || wish.filter.empty()) return;
    const auto parsed = people::parse_filter(wish.filter);
    if (!parsed) reading.wrong_member("filter", "cannot be read: " + parsed.error().text());
}

void check_mail(Reading& reading, const std::string& template_key, const std::string& subject) {
    check_text(reading, "templateKey", template_key, key_bytes_max);
    check_text(reading, "subject", subject, subject_bytes_max);
    const auto compiled = liquid::Template::compile(subject);
    if (!compiled) {
        reading.wrong_member("subject", "cannot be read: " + Error(compiled.error()).message);
    }
}

void check_text(Reading& reading, std::string_view member, const std::string& text,
                std::size_t bytes_max, std::size_t bytes_min) {
    const bool is_line = std::ranges::none_of(text, [](char c) { return c >= 0 && c < ' '; });
    if (text.empty() && bytes_min > 0) {
        reading.wrong_member(member, "is missing");
    } else if (text.size() > bytes_max) {
        reading.wrong_member(member, "must be at most " + std::to_string(bytes_max) + " bytes");
    } else if (!is_line) {
        reading.wrong_member(member, "must be one line");
    }
}

}  // namespace mailroom::campaigns
