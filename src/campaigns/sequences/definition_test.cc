#include "campaigns/sequences/definition_checks.h"

#include <gtest/gtest.h>

namespace mailroom::campaigns {
namespace {

constexpr std::string_view onboarding = R"({
 "id": "onboarding",
 "sender": {"fromEmail": "noreply@example.com", "fromName": "Example",
            "replyToEmail": "support@example.com"},
 "trigger": {"detailType": "customer.created", "subscriberMapping":
   {"email": "$.detail.email", "firstName": "$.detail.firstName", "attributes": "$.detail"}},
 "timeoutMinutes": 43200,
 "steps": [
  {"type": "send", "templateKey": "onboarding/welcome", "subject": "Hey {{ firstName }}"},
  {"type": "wait", "days": 1, "hours": 2, "minutes": 3},
  {"type": "choice", "field": "$.subscriber.attributes.plan",
   "branches": [{"value": "pro", "steps": [{"type": "send", "variants": [
      {"templateKey": "onboarding/a", "subject": "A"},
      {"templateKey": "onboarding/b", "subject": "B"}]}]},
     {"value": "free", "steps": []}],
   "default": [{"type": "wait", "minutes": 1}]},
  {"type": "condition", "check": "has_been_sent", "templateKey": "onboarding/welcome",
   "then": [], "else": [{"type": "condition", "check": "subscriber_field_equals",
                         "field": "seats", "value": 5, "then": []}]}
 ],
 "events": [{"detailType": "customer.first_sale", "templateKey": "onboarding/sale",
             "subject": "Well done"}],
 "exitOn": [{"detailType": "email.replied", "subscriberMapping":
   {"email": "$.detail.email", "firstName": "$.detail.email"}}]})";

constexpr std::string_view ours = R"({
 "id": "renewal", "about": "What comes before the renewal",
 "sender": {"fromEmail": "a@example.com", "fromName": "A"},
 "trigger": {"detailType": "contract.signed"}, "timeoutMinutes": 525600,
 "zone": "Europe/Berlin", "endsOnReply": true,
 "window": {"days": ["mon", "tue"], "between": "09:00-17:00", "quiet": "12:00-13:00"},
 "cap": {"mails": 3, "days": 7, "over": "skip"},
 "goals": [{"name": "renewed", "filter": "plan = \"renewed\""}],
 "steps": [
  {"type": "wait", "id": "before", "until": {"attribute": "renewal", "offset": "5 days before",
   "missing": "end"}, "at": "09:00"},
  {"type": "wait", "until": {"date": "2026-12-24"}, "window": {"quiet": "20:00-08:00"}},
  {"type": "wait", "until": {"time": "2026-12-24T09:00:00Z", "yearly": true}},
  {"type": "condition", "rules": {"any": [{"tag": "vip"}, {"did": "opened"}]},
   "then": [{"type": "end", "reason": "vip"}], "else": []},
  {"type": "repeat", "every": "1 week", "at": "09:00", "times": 52,
   "steps": [{"type": "send", "templateKey": "digest", "subject": "News",
              "window": {"between": "08:00-20:00"}}]}
 ]})";

// The faults as "place why", each in a line.
std::string faults(std::string_view text, std::string_view id = "") {
    const auto read = parse_definition(text, id);
    if (read) return "";
    std::string all;
    for (const auto& bad : read.error().fields) all += bad.field + " " + bad.why + "\n";
    return all.empty() ? read.error().message : all;
}

// The definition with one text in place of another.
std::string with(std::string_view from, std::string_view to, std::string_view in = onboarding) {
    std::string text(in);
    const auto at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(SequenceDefinition, IsTheSameAfterItWasWrittenAndReadAgain) {
    for (const auto text : {onboarding, ours}) {
        ASSERT_EQ(faults(text), "");
        const auto written = table::to_json(*parse_definition(text));
        ASSERT_EQ(faults(written), "") << written;
        EXPECT_EQ(table::to_json(*parse_definition(written)), written);
    }
}

TEST(SequenceDefinition, HoldsWhatTheTextSays) {
    const auto read = parse_definition(onboarding);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->steps.size(), 4U);
    const auto& wait = std::get<WaitStep>(read->steps[1].what);
    EXPECT_EQ(wait.days * 86400 + wait.hours * 3600 + wait.minutes * 60, 93780);
    const auto& choice = std::get<ChoiceStep>(read->steps[2].what);
    EXPECT_EQ(std::get<SendStep>(choice.branches[0].steps[0].what).variants[1].subject, "B");
    EXPECT_EQ(read->events[0].mapping, std::nullopt);
    EXPECT_EQ(read->exit_on[0].mapping->first_name, "$.detail.email");
    EXPECT_TRUE(read->sender.list_unsubscribe);
    EXPECT_FALSE(read->transactional);
}

TEST(SequenceDefinition, NamesThePlaceOfEachFault) {
    struct Case {
        std::string_view what, from, to, faults;
    };
    const Case cases[] = {
        {"no id", R"("id": "onboarding",)", "",
         "id must be 1 to 64 letters, digits, - and _, and not a word that is taken: export, "
         "import, fire_and_forget, unknown\n"},
        {"no detailType", R"("detailType": "customer.created", )", "",
         "trigger.detailType is missing\n"},
        {"no steps", R"("steps": [)", R"("stepz": [)",
         "stepz is not known; did you mean steps?\nsteps is missing\n"},
        {"no timeout", R"("timeoutMinutes": 43200,)", "", "timeoutMinutes is missing\n"},
        {"timeout 0", "43200", "0", "timeoutMinutes must be 1 to 5270400, which are ten years\n"},
        {"no fromEmail", R"("fromEmail": "noreply@example.com",)", "",
         "sender.fromEmail is missing\n"},
        {"no fromName", R"("fromName": "Example",)", "", "sender.fromName is missing\n"},
        {"a sender that is none", "noreply@example.com", "noreply",
         "sender.fromEmail must be an e-mail address\n"},
        {"captureReplies alone", R"("replyToEmail": "support@example.com")",
         R"("captureReplies": true)", "sender.captureReplies requires replyToEmail\n"},
        {"both forms", R"("templateKey": "onboarding/welcome", "subject": "Hey {{ firstName }}")",
         R"("templateKey": "x", "variants": [{"templateKey": "a", "subject": "A"},
            {"templateKey": "b", "subject": "B"}])",
         "steps[0].variants must not stand beside templateKey and subject\n"},
        {"neither", R"(, "templateKey": "onboarding/welcome", "subject": "Hey {{ firstName }}")",
         "", "steps[0].templateKey is missing\nsteps[0].subject is missing\n"},
        {"one variant", R"({"templateKey": "onboarding/a", "subject": "A"},)", "",
         "steps[2].branches[0].steps[0].variants must be 2 to 20\n"},
        {"a variant without subject", R"("onboarding/b", "subject": "B")", R"("onboarding/b")",
         "steps[2].branches[0].steps[0].variants[1].subject is missing\n"},
        {"a negative wait", R"("days": 1,)", R"("days": -1,)", "steps[1].days must be 0 to 3660\n"},
        {"a wait for nothing", R"("default": [{"type": "wait", "minutes": 1}])",
         R"("default": [{"type": "wait"}])",
         "steps[2].default[0] waits for nothing: it needs days, hours, minutes, until, at or "
         "window\n"},
        {"an unknown type", R"({"type": "wait", "minutes": 1})", R"({"type": "pause"})",
         "steps[2].default[0].type must be send, wait, choice, condition, repeat or end\n"},
        {"a path that is none", R"("$.subscriber.attributes.plan")", R"("plan")",
         "steps[2].field must be a path such as $.subscriber.attributes.plan\n"},
        {"a value twice", R"("value": "free")", R"("value": "pro")",
         "steps[2].branches[1].value is that of an earlier branch\n"},
        {"an unknown check", "has_been_sent", "has_been_seen",
         "steps[3].check must be subscriber_field_exists, subscriber_field_equals or "
         "has_been_sent\n"},
        {"no value", R"("value": 5, )", "", "steps[3].else[0].value is missing\n"},
        {"a list as value", R"("value": 5, )", R"("value": [5], )",
         "steps[3].else[0].value must be a text, a number, true or false\n"},
        {"a filter beside a check", R"("field": "seats",)",
         R"("field": "seats", "filter": "plan exists",)",
         "steps[3].else[0] must have one of check, filter and rules\n"},
        {"a subject that is no Liquid", "Well done", "{% if %}",
         "events[0].subject cannot be read: a value is missing at line 1, column 1: {% if "
         "%}\n"},
        {"a subject of two lines", "Well done", "Well\\ndone",
         "events[0].subject must be one line\n"},
        {"a doubled member", R"("timeoutMinutes": 43200,)",
         R"("timeoutMinutes": 43200, "timeoutMinutes": 1,)", "timeoutMinutes is there twice\n"},
        {"steps that are none", R"("then": [], "else")", R"("then": {}, "else")",
         "steps[3].then must be a list\n"},
    };
    for (const auto& c : cases) EXPECT_EQ(faults(with(c.from, c.to)), c.faults) << c.what;
}

TEST(SequenceDefinition, NamesTheFaultsOfWhatIsOurs) {
    struct Case {
        std::string_view what, from, to, faults;
    };
    const Case cases[] = {
        {"a zone", "Europe/Berlin", "Mars/Crater",
         "zone must be a time zone such as Europe/Berlin\n"},
        {"hours", "09:00-17:00", "9-17", "window.between must be hours such as 20:00-08:00\n"},
        {"never open", "12:00-13:00", "08:00-18:00",
         "window must be open for an hour of a day at least\n"},
        {"a day", R"("mon")", R"("monday")",
         "window.days[0] must be sun, mon, tue, wed, thu, fri or sat\n"},
        {"a cap", R"("mails": 3)", R"("mails": 0)", "cap.mails must be 1 to 100\n"},
        {"a goal", R"(plan = \"renewed\")", "plan =", "goals[0].filter cannot be read: "},
        {"an offset", "5 days before", "5 days",
         "steps[0].until.offset must be an offset such as 5 days before\n"},
        {"two dates", R"({"date": "2026-12-24"})", R"({"date": "2026-12-24", "attribute": "x"})",
         "steps[1].until must have one of time, date and attribute\n"},
        {"a length beside it", R"({"type": "wait", "until": {"date")",
         R"({"type": "wait", "days": 1, "until": {"date")",
         "steps[1].until must not stand beside days, hours and minutes\n"},
        {"rules", R"({"tag": "vip"})", R"({"tug": "vip"})",
         "steps[3].rules.any[0].tug is no test: it is all, any, not, attribute, tag, topic, "
         "segment or did\n"},
        {"a quick repeat", "1 week", "5 minutes",
         "steps[4].every must be at least an hour, in hours or more\n"},
        {"after an end", R"([{"type": "end", "reason": "vip"}])",
         R"([{"type": "end", "reason": "vip"}, {"type": "wait", "days": 1}])",
         "steps[3].then[1] is never reached\n"},
        {"an id twice", R"({"type": "end", )", R"({"type": "end", "id": "before", )",
         "steps[3].then[0].id is that of another step\n"},
    };
    for (const auto& c : cases) {
        EXPECT_TRUE(faults(with(c.from, c.to, ours)).starts_with(c.faults))
            << c.what << ": " << faults(with(c.from, c.to, ours));
    }
}

TEST(SequenceDefinition, SaysAllFaultsAtOnceAndNoneOfThemTwice) {
    auto text = with("noreply@example.com", "nobody");
    text = with(R"("days": 1,)", R"("days": "one",)", text);
    text = with(R"("value": "free")", R"("value": "pro")", text);
    EXPECT_EQ(faults(text),
              "steps[1].days must be a whole number\n"
              "sender.fromEmail must be an e-mail address\n"
              "steps[2].branches[1].value is that of an earlier branch\n");
}

TEST(SequenceDefinition, TakesItsIdFromThePathAndNoOther) {
    EXPECT_EQ(faults(onboarding, "onboarding"), "");
    EXPECT_EQ(faults(with(R"("id": "onboarding",)", ""), "onboarding"), "");
    EXPECT_EQ(faults(onboarding, "other"), "id must be other, as in the path\n");
    for (const auto* bad : {"", "a#b", "a b", "a/b", "export", "fire_and_forget", "ü"}) {
        EXPECT_FALSE(is_sequence_id(bad)) << bad;
    }
    EXPECT_TRUE(is_sequence_id("win-back_2"));
}

TEST(SequenceDefinition, IsNeitherTooDeepNorTooLong) {
    std::string steps = R"({"type": "wait", "days": 1})";
    for (int i = 0; i < 9; ++i) {
        steps = R"({"type": "condition", "filter": "plan exists", "then": [)" + steps + "]}";
    }
    const std::string end = R"({"type": "wait", "minutes": 1})";
    EXPECT_EQ(faults(with(end, steps)),
              "steps[2].default[0].then[0].then[0].then[0].then[0]"
              ".then[0].then[0].then[0].then[0].then is more than 10 "
              "lists deep\n");
    std::string many = end;
    for (int i = 0; i < 500; ++i) many += "," + end;
    EXPECT_NE(faults(with(end, many)).find("is one too many: a sequence has at most 500 steps"),
              std::string::npos);
    std::string deep = "[";
    for (int i = 0; i < 300; ++i) deep += "[";
    EXPECT_NE(faults(deep), "");
    EXPECT_EQ(faults("[]"), " must be an object\n");
    EXPECT_NE(faults(""), "");
}

TEST(SequenceDefinition, MayHaveNoSteps) {
    const auto text = R"({"id": "x", "sender": {"fromEmail": "a@b.c", "fromName": "A"},
        "trigger": {"detailType": "t"}, "timeoutMinutes": 1, "steps": []})";
    EXPECT_EQ(faults(text), "");
}

}  // namespace
}  // namespace mailroom::campaigns
