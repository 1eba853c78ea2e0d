#include "campaigns/sequences/sequence_routes.h"

#include "campaigns/scopes.h"
#include "campaigns/sequences/definition_checks.h"
#include "program/action.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

using program::Actor;
using program::Agents;
using program::Asked;
using program::ById;
using program::Rendered;
using table::PageWish;

constexpr std::size_t import_bytes_max = 16UL * 1024 * 1024;

struct SequenceWish {
    std::string id;

    static constexpr auto fields = std::tuple{table::required("id", &SequenceWish::id)};
    // The definition itself is the body.
    static void describe_body(json::Writer& writer, table::Schemas& schemas) {
        table::describe_object<Definition>(writer, schemas, table::Way::in);
    }
};

struct SequencesFile {
    std::vector<Definition> sequences;

    static constexpr std::string_view record_name = "SequencesFile";
    static constexpr auto fields =
        std::tuple{table::required("sequences", &SequencesFile::sequences)};
};

struct ImportedSequence {
    std::string id;
    std::int64_t version = 0;

    static constexpr std::string_view record_name = "ImportedSequence";
    static constexpr auto fields = std::tuple{table::shown("id", &ImportedSequence::id),
                                              table::shown("version", &ImportedSequence::version)};
};
struct ImportedSequences {
    std::vector<ImportedSequence> sequences;

    static constexpr std::string_view record_name = "ImportedSequences";
    static constexpr auto fields =
        std::tuple{table::shown("sequences", &ImportedSequences::sequences)};
};

struct VersionWish {
    std::string id;
    std::int64_t version = 0;

    static constexpr auto fields = std::tuple{table::required("id", &VersionWish::id),
                                              table::required("version", &VersionWish::version)};
};

Answer<Sequence> put_sequence(const Sequences& sequences, const Asked& asked) {
    const auto& id = asked.path.front().second;
    return sequences.save(TRY(parse_definition(asked.body, id)), asked.actor);
}

Answer<ImportedSequences> import_sequences(const Sequences& sequences, const Asked& asked) {
    const auto definitions = TRY(parse_definitions(asked.body));
    ImportedSequences imported;
    for (auto& one : TRY(sequences.save_all(definitions, asked.actor))) {
        imported.sequences.push_back({std::move(one.id), one.version});
    }
    return imported;
}

template <class T>
Rendered rendered(const Answer<T>& answer) {
    return answer ? program::Output<T>::render(*answer) : program::render(answer.error());
}

void add_writing(program::Api& api, const Sequences& sequences) {
    auto& put = api.declare<SequenceWish, Sequence>(
        "PUT", "/v1/sequences/{id}",
        {.name = "put_sequence",
         .scope = scope::draft,
         .summary = "Make a sequence, or a new version of it",
         .more = "Everything that is wrong is said at once, each with its place. People who are in "
                 "the sequence finish the version that they began. The same definition again makes "
                 "no version."},
        program::Source::body);
    put.act = [&sequences](const Asked& asked) { return rendered(put_sequence(sequences, asked)); };
    auto& import = api.declare<SequencesFile, ImportedSequences>(
        "POST", "/v1/sequences/import",
        {.name = "import_sequences",
         .scope = scope::draft,
         .summary = "Make many sequences, or versions of them, of an export",
         .more = "Nothing is done if one of them is wrong. Sequences that the file does not name "
                 "stay as they are.",
         .body_bytes_max = import_bytes_max},
        program::Source::body);
    import.act = [&sequences](const Asked& asked) {
        return rendered(import_sequences(sequences, asked));
};
api.remove("/v1/sequences/{id}",
           {.name = "delete_sequence",
            .scope = scope::draft,
            .summary = "Delete a sequence that nobody is in",
            .more = "Its versions stay, for those who were in it.",
            .refuses = {Refusal::Kind::conflict}},
           [&sequences](const ById& in, const Actor&) { return sequences.remove(in.id); });
}  // namespace

void add_reading(program::Api& api, const Sequences& sequences) {
    api.list("/v1/sequences",
             {.name = "list_sequences",
              .scope = scope::read,
              .summary = "Sequences, by id",
              .agents = Agents::may},
             [&sequences](const program::Nothing&, const PageWish& page, const Actor&) {
                 return sequences.page(page);
             });
    api.get("/v1/sequences/export",
            {.name = "export_sequences",
             .scope = scope::read,
             .summary = "All sequences, as import takes them"},
            [&sequences](const program::Nothing&, const Actor&) -> Answer<SequencesFile> {
                SequencesFile file;
                for (auto& one : TRY(sequences.all())) {
                    file.sequences.push_back(std::move(one.definition));
                }
                return file;
            });
    api.get("/v1/sequences/{id}",
            {.name = "get_sequence",
             .scope = scope::read,
             .summary = "Show a sequence",
             .agents = Agents::may},
            [&sequences](const ById& in, const Actor&) { return sequences.require(in.id); });
    api.list("/v1/sequences/{id}/versions",
             {.name = "list_sequence_versions",
              .scope = scope::read,
              .summary = "Versions of a sequence, newest first",
              .agents = Agents::may},
             [&sequences](const ById& in, const PageWish& page, const Actor&) {
                 return sequences.versions(in.id, page);
             });
    api.get("/v1/sequences/{id}/versions/{version}",
            {.name = "get_sequence_version",
             .scope = scope::read,
             .summary = "Show a version of a sequence",
             .agents = Agents::may},
            [&sequences](const VersionWish& in, const Actor&) {
                return sequences.require_version(in.id, in.version);
            });
}

}  // namespace mailroom::campaigns

void add_sequence_routes(program::Api& api, const Sequences& sequences,
                         const Simulation& simulation) {
    api.group("Sequences", "What happens to people step after step: definitions, and dry runs.");
    add_writing(api, sequences);
    add_reading(api, sequences);
    api.post(
        "/v1/sequences/{id}/simulate",
        {.name = "simulate_sequence",
         .scope = scope::read,
         .summary = "Tell what would happen to somebody in a sequence",
         .more = "Nothing is written or sent. Mails count as sent when they are due.",
         .agents = Agents::may},
        [&simulation](const SimulationWish& wish, const Actor&) { return simulation.run(wish); });
}

}  // namespace mailroom::campaigns
