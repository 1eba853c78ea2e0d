// What a sequence is: who enters it, and what happens to them, step after step.
//
// As JSON it has the form that programs which feed mailshot write, and what that form cannot say
// beside it. Reading tells what has the wrong form; definition_checks.h what makes no sense.
#pragma once

#include "base/names.h"
#include "campaigns/sequences/local_clock.h"
#include "campaigns/sequences/times.h"
#include "people/segments/filter_json.h"
#include "table/records/record.h"
#include "table/value.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace mailroom::campaigns {

// A filter over people, in one of its two forms: see people/segments/filter.h.
struct FilterWish {
    std::string filter;
    std::optional<people::Filter> rules;

    static constexpr auto fields = std::tuple{
        table::shown_or_omitted("filter", &FilterWish::filter, "As people write it."),
        table::shown_or_omitted("rules", &FilterWish::rules, "The same as JSON, in its place.")};

    bool is_there() const { return rules || !filter.empty(); }
    // Nobody, if the text cannot be read.
    people::Filter value() const;
};

struct SequenceSender {
    std::string from_email, from_name, reply_to, forward_replies_to;
    bool capture_replies = false;
    bool list_unsubscribe = true;

    static constexpr std::string_view record_name = "SequenceSender";
    static constexpr auto fields =
        std::tuple{table::required("fromEmail", &SequenceSender::from_email),
                   table::required("fromName", &SequenceSender::from_name),
                   table::shown_or_omitted("replyToEmail", &SequenceSender::reply_to),
                   table::shown_or_omitted("captureReplies", &SequenceSender::capture_replies),
                   table::shown_or_omitted("forwardRepliesTo", &SequenceSender::forward_replies_to),
                   table::asked("listUnsubscribe", &SequenceSender::list_unsubscribe,
                                "Whether marketing mails carry the headers that unsubscribe.")};
};

// Where in an event its person is: paths of json_path.h.
struct SubscriberMapping {
    std::string email = "$.detail.email", first_name = "$.detail.firstName";
    std::string attributes = "$.detail";  // Empty: none.

    static constexpr std::string_view record_name = "SubscriberMapping";
    static constexpr auto fields =
        std::tuple{table::asked("email", &SubscriberMapping::email, "A path: $.detail.email"),
                   table::asked("firstName", &SubscriberMapping::first_name),
                   table::asked("attributes", &SubscriberMapping::attributes,
                                "An object whose members become attributes; \"\": none.")};
};

struct Trigger {
    std::string detail_type;
    SubscriberMapping mapping;

    static constexpr std::string_view record_name = "SequenceTrigger";
    static constexpr auto fields = std::tuple{table::required("detailType", &Trigger::detail_type),
                                              table::asked("subscriberMapping", &Trigger::mapping)};
};

// A mail that an event sends at once, whether or not the person is in the sequence.
struct EventMail {
    std::string detail_type, template_key, subject;
    std::optional<SubscriberMapping> mapping;  // None: the trigger's.

    static constexpr std::string_view record_name = "SequenceEventMail";
    static constexpr auto fields =
        std::tuple{table::required("detailType", &EventMail::detail_type),
                   table::required("templateKey", &EventMail::template_key),
                   table::required("subject", &EventMail::subject),
                   table::shown_or_omitted("subscriberMapping", &EventMail::mapping)};
};

// An event that takes the person out.
struct ExitEvent {
    std::string detail_type;
    std::optional<SubscriberMapping> mapping;

    static constexpr std::string_view record_name = "SequenceExit";
    static constexpr auto fields =
        std::tuple{table::required("detailType", &ExitEvent::detail_type),
                   table::shown_or_omitted("subscriberMapping", &ExitEvent::mapping)};
};

// What it is all for: who is so has arrived, and leaves.
struct Goal {
    std::string name;
    FilterWish test;

    static constexpr std::string_view record_name = "SequenceGoal";
    static constexpr auto fields =
        std::tuple{table::required("name", &Goal::name), table::part(&Goal::test)};
};

// No more mails than that to a person within so many days, of whatever sequence or broadcast.
struct FrequencyCap {
    enum class Over { wait, skip };

    std::int64_t mails = 0, days = 0;
    Over over = Over::wait;

    static constexpr std::string_view record_name = "FrequencyCap";
    static constexpr auto fields = std::tuple{
        table::required("mails", &FrequencyCap::mails),
        table::required("days", &FrequencyCap::days),
        table::asked("over", &FrequencyCap::over, "What a mail too many does: wait, or skip.")};
};
constexpr auto names_of(FrequencyCap::Over) {
    return std::array{Name{FrequencyCap::Over::wait, "wait"},
                      Name{FrequencyCap::Over::skip, "skip"}};
}

struct Step;

struct StepHead {
    std::string type;
    std::string id;  // Or empty. Of those of one definition no two are the same.

    static constexpr auto fields =
        std::tuple{table::required("type", &StepHead::type),
                   table::shown_or_omitted("id", &StepHead::id, "By which it is known for ever.")};
};

struct MailVariant {
    std::string template_key, subject;

    static constexpr std::string_view record_name = "SequenceVariant";
    static constexpr auto fields =
        std::tuple{table::required("templateKey", &MailVariant::template_key),
                   table::required("subject", &MailVariant::subject)};
};

struct SendStep {
    StepHead head;
    std::string template_key, subject;
    std::vector<MailVariant> variants;
    std::optional<SendingWindow> window;  // In place of the sequence's.

    static constexpr std::string_view type = "send";
    static constexpr std::string_view record_name = "SequenceSend";
    static constexpr auto fields =
        std::tuple{table::part(&SendStep::head),
                   table::shown_or_omitted("templateKey", &SendStep::template_key),
                   table::shown_or_omitted("subject", &SendStep::subject),
                   table::shown_or_omitted("variants", &SendStep::variants),
                   table::shown_or_omitted("window", &SendStep::window)};
};

enum class Otherwise { go_on, end };
constexpr auto names_of(Otherwise) {
    return std::array{Name{Otherwise::go_on, "continue"}, Name{Otherwise::end, "end"}};
}

// A moment to wait for: one of time, date and attribute.
struct WaitUntil {
    std::optional<Time> time;
    std::optional<CalendarDay> date;
    std::string attribute;  // Of the person, as it is at that time; holds a day or a time.
    std::optional<Offset> offset;
    bool is_yearly = false;  // The next such day: birthdays.
    Otherwise missing = Otherwise::go_on, passed = Otherwise::go_on;

    static constexpr std::string_view record_name = "SequenceUntil";
    static constexpr auto fields = std::tuple{
        table::shown_or_omitted("time", &WaitUntil::time),
        table::shown_or_omitted("date", &WaitUntil::date, "Where the person is."),
        table::shown_or_omitted("attribute", &WaitUntil::attribute, "One that holds a date."),
        table::shown_or_omitted("offset", &WaitUntil::offset, "5 days before"),
        table::shown_or_omitted("yearly", &WaitUntil::is_yearly, "The next such day of a year."),
        table::asked("missing", &WaitUntil::missing,
                     "Without such an attribute: continue, or end."),
        table::asked("passed", &WaitUntil::passed, "When that has passed: continue, or end.")};
};

struct WaitStep {
    StepHead head;
    std::int64_t days = 0, hours = 0, minutes = 0;  // They add up, in seconds that pass.
    std::optional<WaitUntil> until;
    std::optional<TimeOfDay> at;
    std::optional<SendingWindow> window;

    static constexpr std::string_view type = "wait";
    static constexpr std::string_view record_name = "SequenceWait";
    static constexpr auto fields = std::tuple{
        table::part(&WaitStep::head),
        table::shown_or_omitted("days", &WaitStep::days, "Of 24 hours."),
        table::shown_or_omitted("hours", &WaitStep::hours),
        table::shown_or_omitted("minutes", &WaitStep::minutes),
        table::shown_or_omitted("until", &WaitStep::until),
        table::shown_or_omitted("at", &WaitStep::at, "On to that time of day: 09:00."),
        table::shown_or_omitted("window", &WaitStep::window, "And on to when that is open.")};
};

struct Branch {
    std::string value;
    std::vector<Step> steps;

    static constexpr std::string_view record_name = "SequenceBranch";
    static constexpr auto fields = std::tuple{table::required("value", &Branch::value),
                                              table::required("steps", &Branch::steps)};
};

// By what the person came with.
struct ChoiceStep {
    StepHead head;
    std::string field;
    std::vector<Branch> branches;
    std::vector<Step> otherwise;

    static constexpr std::string_view type = "choice";
    static constexpr std::string_view record_name = "SequenceChoice";
    static constexpr auto fields = std::tuple{
        table::part(&ChoiceStep::head),
        table::required("field", &ChoiceStep::field, "A path: $.subscriber.attributes.plan"),
        table::required("branches", &ChoiceStep::branches),
        table::shown_or_omitted("default", &ChoiceStep::otherwise)};
};

// A text, a number, true or false.
struct PlainValue {
    table::Value value = table::Value::null();

    bool is_there() const { return value.view().kind() != table::Kind::null; }
    bool operator==(const PlainValue&) const = default;
};

// By what the person is at that time: one check as mailshot has them, or a filter.
struct ConditionStep {
    StepHead head;
    std::string check, field, template_key;
    PlainValue value;
    FilterWish test;
    std::vector<Step> then, otherwise;

    static constexpr std::string_view type = "condition";
    static constexpr std::string_view record_name = "SequenceCondition";
    static constexpr auto fields =
        std::tuple{table::part(&ConditionStep::head),
                   table::shown_or_omitted("check", &ConditionStep::check,
                                           "subscriber_field_exists, subscriber_field_equals or "
                                           "has_been_sent."),
                   table::shown_or_omitted("field", &ConditionStep::field),
                   table::shown_or_omitted("value", &ConditionStep::value),
                   table::shown_or_omitted("templateKey", &ConditionStep::template_key),
                   table::part(&ConditionStep::test),
                   table::required("then", &ConditionStep::then),
                   table::shown_or_omitted("else", &ConditionStep::otherwise)};
};

// The same again, each so often.
struct RepeatStep {
    StepHead head;
    Period every;
    std::optional<TimeOfDay> at;
    std::int64_t times = 0;  // 0: until something ends the sequence.
    std::vector<Step> steps;

    static constexpr std::string_view type = "repeat";
    static constexpr std::string_view record_name = "SequenceRepeat";
    static constexpr auto fields = std::tuple{
        table::part(&RepeatStep::head), table::required("every", &RepeatStep::every, "1 week"),
        table::shown_or_omitted("at", &RepeatStep::at, "Each round at that time of day."),
        table::shown_or_omitted("times", &RepeatStep::times, "None: until something ends it."),
        table::required("steps", &RepeatStep::steps)};
};

struct EndStep {
    StepHead head;
    std::string reason;

    static constexpr std::string_view type = "end";
    static constexpr std::string_view record_name = "SequenceEnd";
    static constexpr auto fields = std::tuple{table::part(&EndStep::head),
                                              table::shown_or_omitted("reason", &EndStep::reason)};
};

struct Step {
    std::variant<SendStep, WaitStep, ChoiceStep, ConditionStep, RepeatStep, EndStep> what;

    const StepHead& head() const;
    std::string_view type() const;
};

struct Definition {
    std::string id, about;
    SequenceSender sender;
    bool transactional = false;
    Trigger trigger;
    std::int64_t timeout_minutes = 0;
    std::vector<Step> steps;
    std::vector<EventMail> events;
    std::vector<ExitEvent> exit_on;
    bool ends_on_reply = false;
    std::string zone;  // Of people of whom none is known; empty: UTC.
    std::optional<SendingWindow> window;
    std::optional<FrequencyCap> cap;
    std::vector<Goal> goals;

    static constexpr std::string_view record_name = "SequenceDefinition";
    static constexpr auto fields = std::tuple{
        table::asked("id", &Definition::id),
        table::shown_or_omitted("about", &Definition::about, "What it is for."),
        table::required("sender", &Definition::sender),
        table::asked("transactional", &Definition::transactional,
                     "Goes to people who want no marketing, too."),
        table::required("trigger", &Definition::trigger),
        table::required("timeoutMinutes", &Definition::timeout_minutes,
                        "So long somebody is in it at most."),
        table::required("steps", &Definition::steps),
        table::shown_or_omitted("events", &Definition::events, "Mails that events send at once."),
        table::shown_or_omitted("exitOn", &Definition::exit_on, "Events that end it."),
        table::shown_or_omitted("endsOnReply", &Definition::ends_on_reply,
                                "Whether it ends for those who reply to a mail."),
        table::shown_or_omitted("zone", &Definition::zone,
                                "The time zone of people of whom none is known."),
        table::shown_or_omitted("window", &Definition::window, "When its mails may leave."),
        table::shown_or_omitted("cap", &Definition::cap),
        table::shown_or_omitted("goals", &Definition::goals)};
};

}  // namespace mailroom::campaigns

namespace mailroom::table {

template <>
struct Form<campaigns::PlainValue> {
    static void show(json::Writer& writer, const campaigns::PlainValue& value);
    static void read(const json::View& view, campaigns::PlainValue& to, Reading& reading);
    static void describe(json::Writer& writer, Schemas& schemas);
};

template <>
struct Form<campaigns::Step> {
    static void show(json::Writer& writer, const campaigns::Step& step);
    static void read(const json::View& view, campaigns::Step& to, Reading& reading);
    static void describe(json::Writer& writer, Schemas& schemas);
};

}  // namespace mailroom::table
