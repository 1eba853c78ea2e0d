#include "people/people_routes.h"

#include "base/text.h"
#include "people/checks.h"
#include "people/person_json.h"
#include "table/records/record.h"
#include "table/records/storable.h"

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mailroom::people {

namespace {

using program::Actor;
using program::Agents;
using program::Done;
using table::asked;
using table::required;

constexpr std::size_t reason_bytes_max = 500;
constexpr auto about_email = "In any spelling.";

// One of a record within a request that may be left out.
template <class At>
constexpr table::Member<At> said(const char* name, At at, const char* about) {
    return {"", name, at, table::Need::omitted, about};
}

// What speaks for a consent, as a request gives it.
struct Proof {
    std::optional<std::string> source, ip, form, wording;

    static constexpr std::string_view record_name = "Proof";
    static constexpr auto fields = std::tuple{
        said("source", &Proof::source, "form, link, import: a word; api if none is said."),
        said("ip", &Proof::ip, "The address of whoever agreed or did not."),
        said("form", &Proof::form, "The page or form."),
        said("wording", &Proof::wording, "What it said there.")};

    Evidence evidence(const Actor& who) const {
        return {.source = source.value_or("api"),
                .ip = ip.value_or(""),
                .form = form.value_or(""),
                .wording = wording.value_or(""),
                .by = who.name};
    }
};

struct ByEmail {
    std::string email;
    static constexpr auto fields = std::tuple{required("email", &ByEmail::email, about_email)};
};

// What is said of a person.
struct Description {
    std::optional<std::string> first_name;
    std::optional<AttributeChanges> attributes;
    std::optional<std::vector<std::string>> tags;
    std::optional<bool> tracking;
    std::optional<std::string> zone, language;
    std::optional<std::string> source;
    std::optional<Proof> evidence;

    static constexpr auto fields = std::tuple{
        asked("firstName", &Description::first_name),
        asked("attributes", &Description::attributes,
              "These are set, others stay. Where the person is changed, null takes one away."),
        asked("tags", &Description::tags, "All of them."),
        asked("tracking", &Description::tracking, "Whether opens and clicks may be followed."),
        asked("time_zone", &Description::zone, "Such as Europe/Berlin; empty: not known."),
        asked("language", &Description::language, "Such as de or pt-BR; empty: not known."),
        asked("source", &Description::source, "Where the person comes from; the first one stays."),
        asked("evidence", &Description::evidence, "Of what this says of consent.")};

    Change change(const Actor& who) const {
        Change change{.first_name = first_name,
                      .tags = tags,
                      .may_track = tracking,
                      .zone = zone,
                      .language = language,
                      .evidence = evidence.value_or(Proof()).evidence(who)};
        if (attributes) change.attributes = attributes->set;
        change.source = source.value_or("");
        return change;
    }
};
struct Described {
    std::string email;
    Description said;
    static constexpr auto fields = std::tuple{required("email", &Described::email, about_email),
                                              table::part(&Described::said)};
};

struct Tagging {
    std::string email, tag;
    static constexpr auto fields =
        std::tuple{required("email", &Tagging::email, about_email),
                   required("tag", &Tagging::tag, "At most 256 bytes, on one line.")};
    static void check(const Tagging& in, table::Reading& reading) {
        const auto why = wrong_with_tag(in.tag);
        if (!why.empty()) reading.wrong_member("tag", std::string(why));
    }
};

struct Wish {
    std::string email;
    std::optional<std::string> reason;
    Proof proof;
    static constexpr auto fields = std::tuple{
        required("email", &Wish::email, about_email),
        asked("reason", &Wish::reason, "request unless it is said."), table::part(&Wish::proof)};
};

// As the tables' other programs do: what is empty says nothing.
Answer<Profile> put(const Described& in, const Actor& who, People& people) {
    auto change = in.said.change(who);
    change.email = std::string(trim(in.email));
    if (change.tags && change.tags->empty()) change.tags.reset();
    if (change.source.empty()) change.source = change.evidence.source;
    return people.change(in.email, change);
}

Answer<Profile> patch(const Described& in, const Actor& who, People& people) {
    auto change = in.said.change(who);
    if (in.said.attributes) change.dropped_attributes = in.said.attributes->dropped;
    return people.change_known(in.email, change);
}

Answer<Profile> unsubscribe(const Wish& in, const Actor& who, People& people) {
    Change change{.unsubscribed = true,
                  .reason = table::storable(in.reason.value_or("request"), reason_bytes_max),
                  .evidence = in.proof.evidence(who)};
    change.given = trim(in.email);
    return people.change(in.email, change);
}

Answer<Profile> resubscribe(const Wish& in, const Actor& who, People& people) {
    return people.change_known(in.email,
                               {.unsubscribed = false, .evidence = in.proof.evidence(who)});
}

Answer<Done> erase(const ByEmail& in, const Actor& who, People& people) {
    TRY(people.erase(in.email, {.source = "erasure", .by = who.name}));
    return Done{};
}

program::About changes(std::string_view name, std::string_view summary) {
    return {.name = name, .scope = scope::write, .summary = summary};
}

void add_tag_routes(program::Api& api, People& people) {
    api.put("/v1/people/{email}/tags/{tag}", changes("tag_person", "Give a person a tag"),
            [&people](const Tagging& in, const Actor&) { return people.tag(in.email, in.tag); });
    api.remove(
        "/v1/people/{email}/tags/{tag}", changes("untag_person", "Take a tag away"),
        [&people](const Tagging& in, const Actor&) { return people.untag(in.email, in.tag); });
}

void add_wish_routes(program::Api& api, People& people) {
    auto no = changes("unsubscribe_person", "No bulk mail goes to them from now on");
    no.more = "Whoever is not known yet is remembered for it. Transactional mail still goes.";
    api.post("/v1/people/{email}/unsubscribe", no,
             [&people](const Wish& in, const Actor& who) { return unsubscribe(in, who, people); });
    auto yes = changes("resubscribe_person", "They want bulk mail again");
    yes.more = "A suppression stays: DELETE /v1/suppressions/{address} takes that back.";
    api.post("/v1/people/{email}/resubscribe", yes,
             [&people](const Wish& in, const Actor& who) { return resubscribe(in, who, people); });
}

}  // namespace

void add_people_routes(program::Api& api, People& people) {
    api.group("People", "Who they are, and what they want to get.");
    auto add = changes("put_person", "Add a person, or say more of one");
    add.more =
        "What is not said stays as it is, and so do tags if the list is empty. Nobody who "
        "unsubscribed or is suppressed gets mail again by it.";
    api.put("/v1/people/{email}", add,
            [&people](const Described& in, const Actor& who) { return put(in, who, people); });
    api.get("/v1/people/{email}",
            {.name = "show_person",
             .scope = scope::read,
             .summary = "One person",
             .agents = Agents::may},
            [&people](const ByEmail& in, const Actor&) { return people.require(in.email); });
    api.patch("/v1/people/{email}", changes("change_person", "Change what is known of a person"),
              [&people](const Described& in, const Actor& who) { return patch(in, who, people); });
    auto erasing = changes("erase_person", "Forget a person");
    erasing.more =
        "What is left is a hash of the address, by which nobody writes to it, also when it is "
        "imported again. DELETE /v1/suppressions/{address} takes that back.";
    api.remove("/v1/people/{email}", erasing,
               [&people](const ByEmail& in, const Actor& who) { return erase(in, who, people); });
    add_tag_routes(api, people);
    add_wish_routes(api, people);
}

}  // namespace mailroom::people
