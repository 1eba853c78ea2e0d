#include "campaigns/sequences/definition_checks.h"

#include "campaigns/sequences/json_path.h"
#include "campaigns/sequences/step_checks.h"
#include "people/canonical.h"
#include "people/locale.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mailroom::campaigns {

namespace {

using table::Reading;
using Inside = Reading::Inside;

constexpr std::size_t about_bytes_max = 1000, name_bytes_max = 200;
constexpr std::size_t events_max = 50, goals_max = 20, bad_fields_max = 100;
// Of ids that other programs use as they are, in keys of rows and in headers of mails.
constexpr std::array<std::string_view, 4> taken_ids = {"export", "import", "fire_and_forget",
                                                       "unknown"};

class DefinitionChecks {
public:
    explicit DefinitionChecks(Reading& reading) : reading_(reading) {}

    void check(const Definition& definition) {
        if (!is_sequence_id(definition.id)) {
            reading_.wrong_member("id",
                                  "must be 1 to 64 letters, digits, - and _, and not a word that "
                                  "is taken: export, import, fire_and_forget, unknown");
        }
        check_text(reading_, "about", definition.about, about_bytes_max, 0);
        sender(definition.sender);
        trigger(definition.trigger);
        timeout(definition.timeout_minutes);
        events(definition);
        house_rules(definition);
        goals(definition.goals);
        check_steps(definition, reading_);
    }

private:
    void sender(const SequenceSender& sender) {
        const Inside inside(reading_, "sender");
        address("fromEmail", sender.from_email);
        check_text(reading_, "fromName", sender.from_name, name_bytes_max);
        if (!sender.reply_to.empty()) address("replyToEmail", sender.reply_to);
        if (!sender.forward_replies_to.empty()) {
            address("forwardRepliesTo", sender.forward_replies_to);
        }
        if (sender.capture_replies && sender.reply_to.empty()) {
            reading_.wrong_member("captureReplies", "requires replyToEmail");
        }
    }
    void trigger(const Trigger& trigger) {
        const Inside inside(reading_, "trigger");
        check_text(reading_, "detailType", trigger.detail_type, name_bytes_max);
        mapping(trigger.mapping);
    }
    void mapping(const SubscriberMapping& mapping) {
        const Inside inside(reading_, "subscriberMapping");
        path("email", mapping.email);
        if (!mapping.first_name.empty()) path("firstName", mapping.first_name);
        if (!mapping.attributes.empty()) path("attributes", mapping.attributes);
    }
    void timeout(std::int64_t minutes) {
        if (minutes < 1 || minutes > timeout_minutes_max) {
            reading_.wrong_member(
                "timeoutMinutes",
                "must be 1 to " + std::to_string(timeout_minutes_max) + ", which are ten years");
        }
    }
    void events(const Definition& definition) {
        count("events", definition.events.size(), events_max);
        for (std::size_t i = 0; i < definition.events.size(); ++i) {
            const Inside list(reading_, "events"), element(reading_, i);
            const auto& event = definition.events[i];
            check_text(reading_, "detailType", event.detail_type, name_bytes_max);
            check_mail(reading_, event.template_key, event.subject);
            if (event.mapping) mapping(*event.mapping);
        }
        count("exitOn", definition.exit_on.size(), events_max);
        for (std::size_t i = 0; i < definition.exit_on.size(); ++i) {
            const Inside list(reading_, "exitOn"), element(reading_, i);
            const auto& exit = definition.exit_on[i];
            check_text(reading_, "detailType", exit.detail_type, name_bytes_max);
            if (exit.mapping) mapping(*exit.mapping);
        }
    }
    void house_rules(const Definition& definition) {
        if (!definition.zone.empty() && !people::is_time_zone(definition.zone)) {
            reading_.wrong_member("zone", "must be a time zone such as Europe/Berlin");
        }
        if (definition.window) {
            const Inside inside(reading_, "window");
            check_window(reading_, *definition.window);
        }
        if (!definition.cap) return;
        const Inside inside(reading_, "cap");
        const auto& cap = *definition.cap;
        if (cap.mails < 1 || cap.mails > 100) reading_.wrong_member("mails", "must be 1 to 100");
        if (cap.days < 1 || cap.days > 366) reading_.wrong_member("days", "must be 1 to 366");
    }
    void goals(const std::vector<Goal>& goals) {
        count("goals", goals.size(), goals_max);
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const Inside list(reading_, "goals"), element(reading_, i);
            check_text(reading_, "name", goals[i].name, name_bytes_max);
            check_filter(reading_, goals[i].test);
            if (!goals[i].test.is_there()) reading_.wrong_member("filter", "is missing");
        }
    }

    void address(std::string_view member, const std::string& address) {
        const auto canonical = people::canonical_of(address);
        if (!canonical) reading_.wrong_member(member, "must be an e-mail address");
    }
    void path(std::string_view member, const std::string& path) {
        if (!JsonPath::parse(path)) reading_.wrong_member(member, std::string(wanted_path));
    }
    void count(std::string_view member, std::size_t number, std::size_t max) {
        if (number <= max) return;
        reading_.wrong_member(member, "must be at most " + std::to_string(max));
    }

    Reading& reading_;
};

// Whether one is the other, or inside it.
bool is_at(std::string_view place, std::string_view other) {
    if (place.size() < other.size()) return is_at(other, place);
    if (!place.starts_with(other)) return false;
    return place.size() == other.size() || other.empty() || place[other.size()] == '.' ||
           place[other.size()] == '[';
}

// Where nothing else can make sense: of a step of no known type that is all of it.
std::string_view unread(std::string_view place) {
    constexpr std::string_view type = ".type";
    if (place.ends_with(type)) place.remove_suffix(type.size());
    return place;
}

// What could not be read makes no sense either: that is not said twice.
std::vector<BadField> merged(std::vector<BadField> form, std::vector<BadField> sense) {
    const auto known = form.size();
    for (auto& bad : sense) {
        const bool is_said =
            std::any_of(form.begin(), form.begin() + static_cast<long>(known),
                        [&](auto& one) { return is_at(unread(one.field), bad.field); });
        if (!is_said) form.push_back(std::move(bad));
    }
    return form;
}

}  // namespace

bool is_sequence_id(std::string_view id) {
    if (id.empty() || id.size() > 64) return false;
    return std::ranges::find(taken_ids, id) == taken_ids.end() &&
           std::ranges::all_of(id, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
           });
}

std::vector<BadField> faults_of(const Definition& definition) {
    Reading reading;
    DefinitionChecks(reading).check(definition);
    return reading.take();
}

Answer<Definition> read_definition(const json::View& view, std::string_view id) {
    Definition definition;
    Reading reading;
    table::read_object(view, definition, reading);
    if (definition.id.empty()) definition.id = id;
    if (!id.empty() && definition.id != id) {
        reading.wrong_member("id", "must be " + std::string(id) + ", as in the path");
    }
    auto bad = reading.take();
    // Of something else altogether there is nothing more to say.
    if (view.type() == json::View::Type::object)
        bad = merged(std::move(bad), faults_of(definition));
    if (!bad.empty()) return Refusal(std::move(bad));
    if (table::to_json(definition).size() > definition_bytes_max) {
        return Refusal::bad_field("steps", "are too much: a definition is at most 256 KB");
    }
    return definition;
}

namespace {

Refusal not_json(json::Parser::Refusal why) {
    return {Refusal::Kind::invalid, "the body is " + std::string(json::describe(why))};
}

// The list, or what is wrong with what should hold it.
Answer<json::View> list_of_definitions(const json::View& file) {
    if (file.type() != json::View::Type::object) {
        return Refusal::bad_field("", "must be an object");
    }
    json::Members members(file);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) {
        if (name != "sequences") return Refusal::bad_field(std::string(name), "is not known");
    }
    const auto list = file.find("sequences");
    if (!list) return Refusal::bad_field("sequences", "is missing");
    if (list->type() == json::View::Type::list) return *list;
    return Refusal::bad_field("sequences", "must be a list");
}

std::string place_in_list(std::size_t index, const std::string& field) {
    const auto element = "sequences[" + std::to_string(index) + "]";
    return field.empty() ? element : element + "." + field;
}

}  // namespace

Answer<Definition> parse_definition(std::string_view text, std::string_view id) {
    json::Parser parser;
    const auto view = parser.parse(text);
    if (!view) return not_json(view.error());
    return read_definition(*view, id);
}

Answer<std::vector<Definition>> parse_definitions(std::string_view text) {
    json::Parser parser;
    const auto view = parser.parse(text);
    if (!view) return not_json(view.error());
    json::Elements elements(TRY(list_of_definitions(*view)));
    std::vector<Definition> all;
    std::vector<BadField> bad;
    json::View element;
    for (std::size_t i = 0; elements.next(element); ++i) {
        auto one = read_definition(element);
        if (!one) {
            for (auto& fault : one.error().fields) {
                fault.field = place_in_list(i, fault.field);
                if (bad.size() < bad_fields_max) bad.push_back(std::move(fault));
            }
            continue;
        }
        if (std::ranges::find(all, one->id, &Definition::id) != all.end()) {
            bad.push_back({place_in_list(i, "id"), "is that of another sequence of these"});
        }
        all.push_back(*std::move(one));
    }
    if (!bad.empty()) return Refusal(std::move(bad));
    return all;
}

}  // namespace mailroom::campaigns
