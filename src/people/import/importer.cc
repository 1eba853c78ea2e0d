#include "people/import/importer.h"

#include "base/at_once.h"
#include "base/ids.h"
#include "base/log.h"
#include "people/import/mistakes.h"
#include "table/records/many.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

// After what the store could not do just now.
constexpr std::chrono::seconds pause_after_failure{5};

Refusal refusal_of(const CheckedFile& checked) {
    ImportReport report;
    report.rows = checked.rows;
    report.layout = checked.layout;
    report.mistakes_total = checked.mistakes_total;
    report.mistakes = checked.mistakes;
    std::string text;
    if (!checked.mistakes.empty()) {
        const auto& first = checked.mistakes.front();
        text =
            "line " + std::to_string(first.line) + ": " + first.field + " " + first.message + "; ";
    }
    Refusal refusal(Refusal::Kind::invalid, text + std::to_string(checked.mistakes_total) +
                                                " mistakes in all; nothing was imported");
    refusal.details = table::to_json(report);
    return refusal;
}

// As many as a store takes at once.
std::vector<std::vector<table::Item>> chunks_of(const std::vector<table::Item>& keys) {
    constexpr std::size_t chunk = 25;
    std::vector<std::vector<table::Item>> chunks;
    for (std::size_t at = 0; at < keys.size(); at += chunk) {
        const auto end = std::min(at + chunk, keys.size());
        chunks.emplace_back(keys.begin() + static_cast<std::ptrdiff_t>(at),
                            keys.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return chunks;
}

}  // namespace

Importer::Importer(People& people, schedule::Schedule& schedule, std::size_t threads)
    : people_(people),
      books_(people.books()),
      schedule_(schedule),
      threads_(threads),
      writer_(people, schedule),
      imports_(books_.store, Books::people_table(books_.tables.people)) {}

Import Importer::import_of(const CheckedFile& checked, const ImportWish& wish) const {
    Import import;
    import.id = wish.id.empty() ? make_uuid(books_.clock, books_.random) : wish.id;
    import.rows = checked.rows;
    import.mistakes_total = checked.mistakes_total;
    import.layout = checked.layout;
    import.evidence = fit_for_row(wish.evidence);
    import.created = books_.clock.now();
    import.parts = static_cast<std::int64_t>(checked.parts.size());
    return import;
}

Answer<ImportReport> Importer::report(std::string_view file, const ImportWish& wish) const {
    const auto checked = TRY(check_file(file, wish.text_columns, wish.mistakes_after));
    const auto import = import_of(checked, wish);
    ImportReport report;
    report.rows = checked.rows;
    report.layout = checked.layout;
    report.mistakes_total = checked.mistakes_total;
    report.mistakes = checked.mistakes;
    for (const auto& part : checked.parts) {
        for (const auto& batch : TRY(batches_of(import, part.text(file)))) {
            const auto profiles = TRY(profiles_of(people_, batch.people));
            const auto listed = TRY(listed_among(people_, batch.people));
            for (std::size_t i = 0; i < batch.people.size(); ++i) {
                const auto change = change_of(batch.people[i], profiles[i], import);
                const auto kind = kind_of(profiles[i], change, import);
                const bool is_erased = listed[i] == Listed::erased && !profiles[i];
                ++(report.counts.*(is_erased ? &ImportCounts::erased : kind));
            }
        }
    }
    return report;
}

Result<std::optional<Import>> Importer::find(std::string_view id) const {
    return imports_.find(import_key(id, "IMPORT"));
}

Answer<Import> Importer::start(std::string_view file, const ImportWish& wish) const {
    if (!wish.id.empty()) {
        auto started = TRY(find(wish.id));
        if (started) return *std::move(started);
    }
    const auto checked = TRY(check_file(file, wish.text_columns, wish.mistakes_after));
    const bool is_refused = checked.mistakes_total > 0 && wish.on_mistakes == OnMistakes::refuse;
    if (is_refused) return refusal_of(checked);
    return keep(file, checked, wish);
}

Answer<Import> Importer::keep(std::string_view file, const CheckedFile& checked,
                              const ImportWish& wish) const {
    auto import = import_of(checked, wish);
    TRY(write_parts(import, file, checked));
    if (checked.mistakes_total > 0) {
        TRY(list_mistakes(file, wish.text_columns, mistakes_of_row,
                          [&](const std::vector<program::ImportError>& some) {
                              return write_mistakes(books_, import, some);
                          }));
    }
    schedule::Transaction transaction;
    imports_.save(transaction, import);
    schedule_.add(transaction, {.queue = import_queue, .key = import.id, .due = import.created});
    const auto kept = schedule_.commit(transaction);
    if (kept) return import;
    // The same request may be made twice at one time, on two nodes.
    auto other = TRY(find(import.id));
    if (other) return *std::move(other);
    return kept.error();
}

// Those of a file that is then not acknowledged go by their expiry.
Result<> Importer::write_parts(const Import& import, std::string_view file,
                               const CheckedFile& checked) const {
    std::vector<table::BatchWrite::Action> actions;
    for (std::size_t i = 0; i < checked.parts.size(); ++i) {
        auto row = import_key(import.id, "PART#" + part_name(static_cast<std::int64_t>(i)));
        row.set("rows", table::Value(checked.parts[i].text(file)));
        row.set("ttl", table::Value(to_unix_seconds(import.file_expires())));
        actions.emplace_back(table::BatchWrite::Put{std::move(row)});
        if (actions.size() < 25 && i + 1 < checked.parts.size()) continue;
        TRY(table::write_all(books_.store, books_.tables.people,
                             std::exchange(actions, std::vector<table::BatchWrite::Action>())));
    }
    return Ok{};
}

Answer<Import> Importer::require(const std::string& id) const {
    auto found = TRY(find(id));
    if (!found) return Refusal::not_found("there is no import " + id);
    return *std::move(found);
}

Answer<table::Slice<program::ImportError>> Importer::mistakes(const std::string& id,
                                                              const table::PageWish& wish) const {
    TRY(require(id));
    return TRY(mistakes_of(books_, id, wish));
}

void Importer::run(schedule::JobInHand job) const {
    const auto done = step(*job);
    if (done) return;
    log::error("a part of an import could not be written yet",
               {{"import", job->key()}, {"why", done.error().message}});
    schedule::Transaction transaction;
    job->move(transaction, books_.clock.now() + pause_after_failure);
    // If that fails, too, the job is found again when its claim has run out.
    const auto moved = schedule_.commit(transaction);
    if (!moved) log::warn("an import waits for its claim to run out", {{"import", job->key()}});
}

Result<> Importer::step(schedule::Job& job) const {
    const auto import = TRY(find(job.key()));
    schedule::Transaction transaction;
    if (!import || import->state == ImportState::done) {
        job.finish(transaction);
        TRY(schedule_.commit(transaction));
        return Ok{};
    }
    job.claim(transaction);
    TRY(schedule_.commit(transaction));
    if (import->next_part < import->parts) TRY(write_part(*import));
    return end_part(*import, job);
}

Result<> Importer::write_part(const Import& import) const {
    const auto key = import_key(import.id, "PART#" + part_name(import.next_part));
    const auto row = TRY(books_.get(books_.tables.people, key));
    if (!row) return Error{Errc::corrupt, "a part of an import is missing"};
    const auto batches = TRY(batches_of(import, row->text("rows").value_or("")));
    return each_at_once(threads_, batches,
                        [&](const ImportBatch& batch) { return writer_.write(import, batch); });
}

Result<> Importer::end_part(Import import, schedule::Job& job) const {
    const auto notes = TRY(notes_of(books_, import, import.next_part));
    schedule::Transaction transaction;
    if (import.next_part < import.parts) {
        transaction.erase(books_.tables.people,
                          import_key(import.id, "PART#" + part_name(import.next_part)));
    }
    TRY(write_failed(books_, import, import.next_part, notes.failed));
    import.counts.add(notes.counts);
    ++import.next_part;
    if (import.next_part < import.parts) {
        job.move(transaction, books_.clock.now());
    } else {
        import.state = ImportState::done;
        import.finished = books_.clock.now();
        job.finish(transaction);
    }
    imports_.save(transaction, import);
    TRY(schedule_.commit(transaction));
    // Nobody asks for them any more; what stays goes by its expiry.
    const auto erased = each_at_once(threads_, chunks_of(notes.keys), [&](const auto& keys) {
        return table::erase_all(books_.store, books_.tables.people, keys);
    });
    if (!erased) log::warn("notes of an import stay until they expire", {{"import", import.id}});
    return Ok{};
}

}  // namespace mailroom::people
