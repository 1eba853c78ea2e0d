#include "people/lifecycle/lifecycle_routes.h"

#include "people/lifecycle/export.h"
#include "people/people_routes.h"
#include "people/person_json.h"
#include "program/action.h"

#include <utility>

namespace mailroom::people {

namespace {

using program::Actor;
using table::required;

struct ByEmail {
    std::string email;
    static constexpr auto fields = std::tuple{required("email", &ByEmail::email)};
};
struct NewAddress {
    std::string email, to;
    static constexpr auto fields =
        std::tuple{required("email", &NewAddress::email, "The address until now."),
                   required("to", &NewAddress::to, "The address from now on.")};
};
struct ToMerge {
    std::string email, other;
    static constexpr auto fields =
        std::tuple{required("email", &ToMerge::email, "Who stays."),
                   required("other", &ToMerge::other, "Who becomes a part of that one.")};
};
struct EverybodyFile {};
struct EverythingFile : program::File {
    static constexpr const char* type = "application/json";
};

Evidence by(const Actor& who) { return {"api", "", "", "", who.name}; }

Answer<EverythingFile> everything(const People& people, const PersonalParts& parts,
                                  const std::string& email) {
    EverythingFile file;
    file.content_type = EverythingFile::type;
    file.bytes = TRY(export_person(people, parts, email));
    file.headers = {{"Content-Disposition", "attachment; filename=\"person.json\""},
                    {"Cache-Control", "no-store"}};
    return file;
}

}  // namespace

}  // namespace mailroom::people

namespace mailroom::program {

template <>
struct Output<people::EverybodyFile> {
    static std::vector<Content> contents(table::Schemas&) {
        return {{200, "application/x-ndjson", ""}, {200, "text/csv", ""}};
    }
};

}  // namespace mailroom::program

namespace mailroom::people {

void add_lifecycle_routes(program::Api& api, const People& people, const Mover& mover,
                          const PersonalParts& parts) {
    api.group("People");
    // Who serves it knows how to stream.
    api.declare<WishedExport, EverybodyFile>("GET", "/v1/people/export",
                                             {.name = "export_people",
                                              .scope = scope::read,
                                              .summary = "Export everybody, as import takes them",
                                              .more = "Lines of JSON, or CSV: format."},
                                             program::Source::query);
    api.get(
        "/v1/people/{email}/export",
        {.name = "export_person",
         .scope = scope::read,
         .summary = "Export everything that is known about somebody",
         .more = "Rows as they are stored, of all programs that keep something by the address."},
        [&people, &parts](const ByEmail& in, const Actor&) {
            return everything(people, parts, in.email);
        });
    api.post("/v1/people/{email}/change-address",
             {.name = "change_address",
              .scope = scope::write,
              .summary = "Give somebody another address",
              .more = "Everything goes along, but for that mail to the old address came back.",
              .once = program::Once::yes,
              .refuses = {Refusal::Kind::not_found, Refusal::Kind::conflict}},
             [&mover](const NewAddress& in, const Actor& who) {
                 return mover.change_address(in.email, in.to, by(who));
             });
    api.post("/v1/people/{email}/merge",
             {.name = "merge_people",
              .scope = scope::write,
              .summary = "Make two people one",
              .more = "What the one who stays has counts where both have something; they get the "
                      "tags of both, and no mail that one of them did not want.",
              .once = program::Once::yes,
              .refuses = {Refusal::Kind::not_found}},
             [&mover](const ToMerge& in, const Actor& who) {
                 return mover.merge(in.email, in.other, by(who));
             });
}

}  // namespace mailroom::people
