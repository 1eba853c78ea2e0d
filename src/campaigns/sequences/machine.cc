#include "campaigns/sequences/machine.h"

#include "campaigns/sequences/json_path.h"
#include "campaigns/sequences/moments.h"
#include "campaigns/sequences/variants.h"
#include "people/segments/holds.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace mailroom::campaigns {

namespace {

using std::chrono::days;
using std::chrono::minutes;

// A date of the person's may come nearer while it is waited for, and nobody tells.
constexpr auto looks_again_after = days(1);
constexpr std::array<minutes, 3> retry_pauses = {minutes(1), minutes(2), minutes(4)};

using Todo = decltype(Progress::todo);

class Walk {
public:
    Walk(const Plan& plan, const Journey& journey, const Standing& standing, const Known& known)
        : plan_(plan), journey_(journey), known_(known), progress_{standing, Finish()} {}

    Progress go() {
        auto todo = leaves();
        while (!todo) todo = step();
        progress_.todo = *std::move(todo);
        return std::move(progress_);
    }

private:
    const Definition& definition() const { return plan_.definition(); }
    Standing& standing() { return progress_.standing; }
    Time deadline() const {
        return progress_.standing.began + minutes(definition().timeout_minutes);
    }
    void passed(std::string what) { progress_.passed.push_back({standing().at, std::move(what)}); }

    // Whatever step it is at.
    std::optional<Todo> leaves() {
        if (known_.now >= deadline()) {
            return Finish{Finish::Ending::timed_out,
                          "after " + std::to_string(definition().timeout_minutes) + " minutes"};
        }
        const auto& replied = known_.activity.of(people::Deed::replied);
        if (definition().ends_on_reply && replied && replied->last >= standing().began) {
            return Finish{Finish::Ending::replied, "the person replied"};
        }
        for (std::size_t i = 0; i < plan_.goals().size(); ++i) {
            if (!is_true(plan_.goals()[i])) continue;
            return Finish{Finish::Ending::goal, definition().goals[i].name};
        }
        return std::nullopt;
    }
    bool is_true(const people::Filter& filter) const {
        if (!known_.profile) return false;
        return people::holds(filter, {known_.profile->row, &known_.activity}, known_.now);
    }

    std::optional<Todo> step() {
        if (standing().at.empty()) return Finish{};
        const auto* const at = plan_.find(standing().at);
        if (at == nullptr) {
            return Finish{Finish::Ending::failed, "there is no step " + standing().at};
        }
        return std::visit([&](const auto& what) { return take(*at, what); }, at->step->what);
    }
    std::optional<Todo> go_on(std::size_t step) {
        standing().at = plan_.path_of(step);
        standing().arrived = known_.now;
        standing().failures = 0;
        return std::nullopt;
    }
    Todo sleep(Time until, Time target, Sleep::Why why) const {
        return Sleep{std::min(until, deadline()), target, why};
    }
    Todo sleep(Time until, Sleep::Why why) const { return sleep(until, until, why); }

    std::optional<Todo> take(const PlanStep& at, const SendStep& send) {
        const auto& window = send.window ? send.window : definition().window;
        const auto opens = window ? window->opens(known_.now, known_.clock) : known_.now;
        if (opens > known_.now) return sleep(opens, Sleep::Why::window);
        if (definition().cap) {
            if (!known_.mails) return LookUp{LookUp::What::mails, "", cap_since()};
            if (const auto free = free_of_cap()) {
                if (definition().cap->over == FrequencyCap::Over::wait) {
                    return sleep(*free, Sleep::Why::cap);
                }
                passed("skipped: too many mails");
                return go_on(at.next);
            }
        }
        SendMail mail{at.path, 0, send.template_key, send.subject, send_key(at.path)};
        if (!send.variants.empty()) {
            mail.variant = variant_of(journey_.address, definition().id, send.variants.size());
            mail.template_key = send.variants[mail.variant].template_key;
            mail.subject = send.variants[mail.variant].subject;
        }
        go_on(at.next);
        return mail;
    }
    Time cap_since() const { return known_.now - days(definition().cap->days); }
    // When one mail more is not too many; none if that is now.
    std::optional<Time> free_of_cap() const {
        auto mails = *known_.mails;
        std::erase_if(mails, [&](Time time) { return time <= cap_since(); });
        std::ranges::sort(mails);
        const auto most = static_cast<std::size_t>(definition().cap->mails);
        if (mails.size() < most) return std::nullopt;
        return mails[mails.size() - most] + days(definition().cap->days);
    }
    std::string send_key(const std::string& path) const {
        return "sequence/" + definition().id + "/" + journey_.execution + "/" +
               std::to_string(journey_.version) + "/" + path + "/" +
               std::to_string(progress_.standing.round);
    }

    std::optional<Todo> take(const PlanStep& at, const WaitStep& wait) {
        const auto arrived = standing().arrived;
        const auto target = target_of(wait, arrived, known_.profile, known_.clock);
        if (!target.time) {
            if (wait.until->missing == Otherwise::end) return ended("there is no such date");
            passed("no such date");
            return go_on(at.next);
        }
        if (target.has_passed && wait.until->passed == Otherwise::end) {
            return ended("the date has passed");
        }
        if (known_.now >= *target.time) {
            passed(target.has_passed ? "the date has passed" : "waited");
            return go_on(at.next);
        }
        auto until = *target.time;
        if (wait.until && !wait.until->attribute.empty()) {
            until = std::min<Time>(until, known_.now + looks_again_after);
        }
        return sleep(until, *target.time, Sleep::Why::wait);
    }
    static Todo ended(std::string reason) {
        return Finish{Finish::Ending::ended, std::move(reason)};
    }

    std::optional<Todo> take(const PlanStep& at, const ChoiceStep& choice) {
        const auto value = text_by_path(choice.field, journey_.data);
        const auto found = find_by_path(choice.field, journey_.data);
        const bool is_text = found && found->view().kind() == table::Kind::string;
        for (std::size_t i = 0; i < choice.branches.size() && is_text; ++i) {
            if (choice.branches[i].value != value) continue;
            passed("branch " + value);
            return go_on(at.ways[i]);
        }
        passed("default");
        return go_on(at.ways.back());
    }

    std::optional<Todo> take(const PlanStep& at, const ConditionStep& condition) {
        bool is_so = false;
        if (condition.check == "has_been_sent" && !condition.template_key.empty()) {
            const auto sent = known_.was_sent.find(condition.template_key);
            if (sent == known_.was_sent.end()) {
                return LookUp{LookUp::What::was_sent, condition.template_key, {}};
            }
            is_so = sent->second;
        } else {
            is_so = condition.check.empty() ? is_true(at.filter) : checks_out(condition);
        }
        passed(is_so ? "true" : "false");
        return go_on(at.ways[is_so ? 0 : 1]);
    }
    bool checks_out(const ConditionStep& condition) const {
        const auto field =
            known_.profile ? known_.profile->row.find(condition.field) : std::nullopt;
        if (!field || condition.field.empty()) return false;
        if (condition.check == "subscriber_field_equals") return *field == condition.value.value;
        if (condition.check != "subscriber_field_exists") return false;
        if (field->kind() == table::Kind::null) return false;
        return field->kind() != table::Kind::string || !field->text().empty();
    }

    std::optional<Todo> take(const PlanStep& at, const RepeatStep& repeat) {
        auto& here = standing();
        if (!here.due) {
            if (here.round > 0 && repeat.times > 0 && here.round >= repeat.times) {
                passed(std::to_string(here.round) + " rounds");
                here.round = here.periods = 0;
                here.first_round.reset();
                return go_on(at.next);
            }
            here.due = here.round == 0 ? begin_rounds(repeat) : next_round(repeat);
        }
        if (known_.now < *here.due) return sleep(*here.due, Sleep::Why::round);
        here.due.reset();
        passed("round " + std::to_string(++here.round));
        return go_on(at.ways[0]);
    }
    Time begin_rounds(const RepeatStep& repeat) {
        auto& here = standing();
        here.first_round = repeat.at ? known_.clock.next(*repeat.at, known_.now) : known_.now;
        return *here.first_round;
    }
    // Rounds that were missed altogether are not made up for.
    Time next_round(const RepeatStep& repeat) {
        auto& here = standing();
        const auto first = here.first_round.value_or(known_.now);
        for (;;) {
            ++here.periods;
            const Period since{here.periods * repeat.every.amount, repeat.every.unit};
            const auto due = known_.clock.moved(first, {since, false});
            if (due > known_.now) return due;
        }
    }

    std::optional<Todo> take(const PlanStep&, const EndStep& end) {
        return ended(end.reason.empty() ? "as the sequence says" : end.reason);
    }

    const Plan& plan_;
    const Journey& journey_;
    const Known& known_;
    Progress progress_;
};

}  // namespace

Standing Standing::at_the_beginning(const Plan& plan, Time now) {
    Standing standing;
    standing.at = plan.first();
    standing.began = standing.arrived = now;
    return standing;
}

Progress next(const Plan& plan, const Journey& journey, const Standing& standing,
              const Known& known) {
    return Walk(plan, journey, standing, known).go();
}

Progress after_failure(Standing standing, Time now, std::string_view reason) {
    const auto failed = static_cast<std::size_t>(standing.failures++);
    if (failed >= retry_pauses.size()) {
        return {std::move(standing), Finish{Finish::Ending::failed, std::string(reason)}};
    }
    const auto until = now + retry_pauses[failed];
    return {std::move(standing), Sleep{until, until, Sleep::Why::retry}};
}

std::optional<std::string> entry_refusal(const Definition& definition,
                                         const std::optional<people::Profile>& profile,
                                         std::string_view address) {
    if (!profile) return std::nullopt;
    const auto refused = [&](std::string_view why) {
        return "Cannot register sequence for " + std::string(why) +
               " subscriber: " + std::string(address);
    };
    if (profile->unsubscribed && !definition.transactional) return refused("unsubscribed");
    if (profile->suppressed) return refused("suppressed");
    return std::nullopt;
}

}  // namespace mailroom::campaigns
