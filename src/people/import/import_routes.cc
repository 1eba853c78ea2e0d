#include "people/import/import_routes.h"

#include "base/text.h"
#include "net/sigv4.h"
#include "people/people_routes.h"
#include "program/action.h"

#include <algorithm>
#include <cstddef>
#include <variant>

namespace mailroom::people {

namespace {

using program::Actor;
using program::ById;
using program::Taken;
using table::asked;

// What a request may say of the file beside it.
struct GivenFile {
    bool dry_run = false;
    OnMistakes on_mistakes = OnMistakes::refuse;
    std::string text, form, wording;
    std::int64_t mistakes_after = 0;
    program::RawBody body;

    static constexpr const char* body_type = "text/csv";
    static constexpr auto fields = std::tuple{
        asked("dry_run", &GivenFile::dry_run, "Only tell what would be done."),
        asked("on_mistakes", &GivenFile::on_mistakes,
              "refuse: a mistake refuses the file; skip: its row is left out."),
        asked("text", &GivenFile::text,
              "Columns, with commas between them, whose values stay text whatever they look like."),
        asked("form", &GivenFile::form, "Evidence: where these people agreed to mail."),
        asked("wording", &GivenFile::wording, "Evidence: what it said there."),
        asked("mistakes_after", &GivenFile::mistakes_after,
              "Where the answer tells mistakes: those after this line.")};
};

std::vector<std::string> names_in_list(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const auto end = std::min(text.find(','), text.size());
        const auto name = trim(text.substr(0, end));
        if (!name.empty()) names.emplace_back(name);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

// Requests are known for a while only; the import of one is known for good. The same file under the
// same name is the same import.
std::string id_of(const GivenFile& in, const Actor& who) {
    if (!who.once) return {};
    constexpr std::size_t id_chars = 32;
    std::string all = who.id;
    for (const auto& part : {*who.once, std::string(name_of(in.on_mistakes)), in.text, in.form,
                             in.wording, net::sha256_hex(in.body.bytes)}) {
        all += std::to_string(part.size()) + ":" + part;
    }
    return net::sha256_hex(all).substr(0, id_chars);
}

using Imported = std::variant<ImportReport, Taken<Import>>;

Answer<Imported> import_file(const Importer& importer, const GivenFile& in, const Actor& who) {
    ImportWish wish;
    wish.id = id_of(in, who);
    wish.on_mistakes = in.on_mistakes;
    wish.text_columns = names_in_list(in.text);
    wish.mistakes_after = in.mistakes_after;
    wish.evidence = {"import", "", in.form, in.wording, who.name};
    if (in.dry_run) return Imported(TRY(importer.report(in.body.bytes, wish)));
    return Imported(Taken<Import>{TRY(importer.start(in.body.bytes, wish))});
}

}  // namespace

void add_import_routes(program::Api& api, const Importer& importer) {
    api.group("People");
    api.post(
        "/v1/people/import",
        {.name = "import_people",
         .scope = scope::write,
         .summary = "Take people in from a file",
         .more = "CSV with a line of column names (commas, semicolons or tabs), or lines of JSON, "
                 "up to 128 MiB. A column email must be there; firstName, tags, unsubscribed, "
                 "suppressed, time_zone and language are known; every other column is an "
                 "attribute. What is empty says nothing; nobody becomes subscribed by a file, and "
                 "nobody who was erased comes back by one. The answer is a job that goes on by "
                 "itself, also after a crash.",
         .once = program::Once::yes,
         .body_bytes_max = import_body_bytes_max},
        [&importer](const GivenFile& in, const Actor& who) {
            return import_file(importer, in, who);
        });
    api.get("/v1/people/import/{id}",
            {.name = "show_import",
             .scope = scope::read,
             .summary = "Show how far an import is",
             .agents = program::Agents::may},
            [&importer](const ById& in, const Actor&) { return importer.require(in.id); });
    api.list("/v1/people/import/{id}/mistakes",
             {.name = "list_import_mistakes",
              .scope = scope::read,
              .summary = "List the rows that an import left out, by line",
              .more = "All of them, and then those that could not be stored.",
              .agents = program::Agents::may},
             [&importer](const ById& in, const table::PageWish& page, const Actor&) {
                 return importer.mistakes(in.id, page);
             });
}

}  // namespace mailroom::people
