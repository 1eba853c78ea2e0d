#include "campaigns/sequences/timeline.h"

#include "people/books.h"
#include "people/canonical.h"

#include <algorithm>
#include <utility>

namespace mailroom::campaigns {

namespace {

constexpr std::size_t turns_max = 20'000;

std::string two_digits(std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string shown(const WallTime& wall) {
    auto day = std::string(name_of(wall.weekday()));
    day[0] = static_cast<char>(day[0] - 'a' + 'A');
    return day + " " + CalendarDay{wall.day}.text() + " " + two_digits(wall.minute() / 60) + ":" +
           two_digits(wall.minute() % 60);
}

class Foretelling {
public:
    Foretelling(const Plan& plan, const Outlook& outlook, const liquid::TimeZones& zones)
        : plan_(plan), outlook_(outlook), zones_(zones), events_(outlook.events) {
        known_.now = outlook.begin;
        known_.activity = outlook.activity;
        std::ranges::stable_sort(events_, {}, &FutureEvent::time);
        std::erase_if(events_, [&](const auto& event) { return event.time < outlook.begin; });
    }

    Result<Timeline> tell() {
        const auto canonical = people::canonical_of(outlook_.subscriber.email);
        journey_.address = canonical ? *canonical : outlook_.subscriber.email;
        journey_.execution = "simulation";
        row_ = outlook_.profile.value_or(people::profile_key(journey_.address));
        TRY(enter(outlook_.subscriber));
        for (std::size_t turn = 0; !is_over_; ++turn) {
            timeline_.is_whole = turn < turns_max && timeline_.lines.size() < timeline_lines_max;
            if (!timeline_.is_whole) break;
            TRY(go_on());
        }
        return std::move(timeline_);
    }

private:
    Definition const& definition() const { return plan_.definition(); }

    TimelineLine& line(std::string what, std::string detail, std::string_view path = "") {
        const auto* const step = plan_.find(path);
        timeline_.lines.push_back({known_.now,
                                   shown(known_.clock.at(known_.now)),
                                   std::string(path),
                                   step ? step->step->head().id : "",
                                   std::move(what),
                                   std::move(detail),
                                   {},
                                   "",
                                   ""});
        return timeline_.lines.back();
    }
    Result<> take_attributes(const Subscriber& subscriber) {
        add_attributes(row_, subscriber.attributes);
        row_.set("email", table::Value(journey_.address));
        if (!subscriber.first_name.empty()) {
            row_.set("firstName", table::Value(subscriber.first_name));
        }
        known_.profile = TRY(people::read_profile(row_));
        known_.clock = clock_of(known_.profile, definition(), zones_);
        return Ok{};
    }
    Result<> enter(const Subscriber& subscriber) {
        TRY(take_attributes(subscriber));
        journey_.data = journey_data(subscriber);
        standing_ = Standing::at_the_beginning(plan_, known_.now);
        const auto refused = entry_refusal(definition(), known_.profile, journey_.address);
        line("enter", "");
        if (refused) end(*refused);
        return Ok{};
    }
    void end(std::string detail) {
        line("end", std::move(detail));
        is_over_ = true;
    }

    Result<> go_on() {
        auto progress = next(plan_, journey_, standing_, known_);
        for (auto& passed : progress.passed) line("step", std::move(passed.what), passed.at);
        const auto path = progress.standing.at;
        standing_ = std::move(progress.standing);
        if (auto* const mail = std::get_if<SendMail>(&progress.todo)) send(*mail);
        if (auto* const wish = std::get_if<LookUp>(&progress.todo)) look_up(*wish);
        if (auto* const sleep = std::get_if<Sleep>(&progress.todo)) TRY(rest(*sleep, path));
        if (auto* const finish = std::get_if<Finish>(&progress.todo)) {
            const auto ending = std::string(name_of(finish->ending));
            end(finish->reason.empty() ? ending : ending + ": " + finish->reason);
        }
        return Ok{};
    }
    void send(const SendMail& mail) { mailed(mail.template_key, mail.subject, mail.at); }
    void mailed(const std::string& template_key, const std::string& subject,
                std::string_view path) {
        const auto& profile = *known_.profile;
        std::string skipped;
        if (profile.suppressed) skipped = "skipped: suppressed";
        if (profile.unsubscribed && !definition().transactional) skipped = "skipped: unsubscribed";
        auto& told = line("send", skipped, path);
        told.template_key = template_key;
        told.subject = subject;
        if (skipped.empty()) sent_.push_back({known_.now, template_key});
    }
    void look_up(const LookUp& wish) {
        auto all = outlook_.sent;
        all.insert(all.end(), sent_.begin(), sent_.end());
        if (wish.what == LookUp::What::was_sent) {
            known_.was_sent[wish.template_key] =
                std::ranges::find(all, wish.template_key, &SentMail::template_key) != all.end();
            return;
        }
        known_.mails.emplace();
        for (const auto& mail : all) {
            if (mail.time > wish.since && mail.time <= known_.now) {
                known_.mails->push_back(mail.time);
            }
        }
    }
    Result<> rest(const Sleep& sleep, std::string_view path) {
        const bool is_the_same = !timeline_.lines.empty() &&
                                 timeline_.lines.back().what == "wait" &&
                                 timeline_.lines.back().until == sleep.target;
        if (!is_the_same) {
            line("wait", std::string(name_of(sleep.why)), path).until = sleep.target;
        }
        known_.was_sent.clear();
        known_.mails.reset();
        if (events_.empty() || events_.front().time > sleep.until) {
            known_.now = sleep.until;
            return Ok{};
        }
        const auto event = events_.front();
        events_.erase(events_.begin());
        known_.now = event.time;
        return happen(event);
    }
    Result<> happen(const FutureEvent& event) {
        const auto whole = table::Value::map(
            table::Item{{"detail-type", event.detail_type}, {"detail", event.detail}});
        for (const auto& exit : definition().exit_on) {
            if (exit.detail_type != event.detail_type) continue;
            end("exit event: " + event.detail_type);
            return Ok{};
        }
        line("event", event.detail_type);
        for (const auto& mail : definition().events) {
            if (mail.detail_type != event.detail_type) continue;
            const auto& mapping = mail.mapping ? *mail.mapping : definition().trigger.mapping;
            TRY(take_attributes(subscriber_in(whole, mapping)));
            mailed(mail.template_key, mail.subject, "");
        }
        if (definition().trigger.detail_type == event.detail_type) {
            TRY(enter(subscriber_in(whole, definition().trigger.mapping)));
        }
        return Ok{};
    }

    const Plan& plan_;
    const Outlook& outlook_;
    const liquid::TimeZones& zones_;
    std::vector<FutureEvent> events_;
    Known known_;
    Journey journey_{"", 0, "", table::Value::null()};
    Standing standing_;
    table::Item row_;
    std::vector<SentMail> sent_;
    Timeline timeline_;
    bool is_over_ = false;
};

}  // namespace

Result<Timeline> foretell(const Plan& plan, const Outlook& outlook,
                          const liquid::TimeZones& zones) {
    return Foretelling(plan, outlook, zones).tell();
}

LocalClock clock_of(const std::optional<people::Profile>& profile, const Definition& definition,
                    const liquid::TimeZones& zones) {
    for (const auto& name : {profile ? profile->zone : std::string(), definition.zone}) {
        const auto zone = zones.find(name);
        if (!name.empty() && zone) return LocalClock(*zone);
    }
    return LocalClock();
}

}  // namespace mailroom::campaigns
