// Notes what people did with their mails in the tables of a server that does not run, and says how
// long keeping and handing out whom a filter means takes there: people_deeds DATA TAG < deeds
//
// Each line is a JSON object: email, and perhaps opened_days_ago and clicked_days_ago. Noting is
// neither durable nor measured; what is measured is.
#include "app/config.h"
#include "app/storage.h"
#include "base/random.h"
#include "json/json.h"
#include "people/activity.h"
#include "people/segments/expansions.h"
#include "program/metrics.h"
#include "table/records/many.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace mailroom;
using Actions = std::vector<table::BatchWrite::Action>;

constexpr std::size_t batch_rows = 5000;

template <class T, class E>
T must(Result<T, E> result) {
    if (result) return *std::move(result);
    std::fprintf(stderr, "%s\n", static_cast<Error>(result.error()).message.c_str());
    std::exit(1);
}

void add_deed(table::Item& row, const json::View& person, const char* member, people::Deed deed,
              Time now) {
    const auto days = person.find(member);
    if (!days || days->is_null()) return;
    const auto at = now - std::chrono::days(*days->integer());
    row.set(std::string(name_of(deed)) + "At", table::Value(to_unix_ms(at)));
    row.set(std::string(name_of(deed)) + "Count", table::Value(1));
}

void add_deeds(const json::View& person, Time now, Actions& rows) {
    auto row = people::Activities::key_of(std::string(person.find("email")->text()));
    add_deed(row, person, "opened_days_ago", people::Deed::opened, now);
    add_deed(row, person, "clicked_days_ago", people::Deed::clicked, now);
    rows.push_back(table::BatchWrite::Put{std::move(row)});
}

void write(table::Store& store, Actions& rows) {
    must(table::write_all(store, "MailroomPeople", std::exchange(rows, {})));
}

void note_deeds(const app::Config& config) {
    const SystemClock clock;
    SystemRandom random;
    auto storage = must(app::open_storage(config, clock, random));
    people::Books books(*storage.engine, clock, random);
    must(books.open());
    Actions rows;
    json::Parser parser;
    for (std::string line; std::getline(std::cin, line);) {
        const auto person = parser.parse(line);
        if (!person) {
            std::fprintf(stderr, "a line is no JSON: %s\n", line.c_str());
            std::exit(1);
        }
        add_deeds(*person, clock.now(), rows);
        if (rows.size() == batch_rows) write(*storage.engine, rows);
    }
    write(*storage.engine, rows);
}

// Prints how many, and the seconds to keep them durably and to read them all again.
void expand(const app::Config& config, const std::string& tag) {
    const SystemClock clock;
    SystemRandom random;
    auto storage = must(app::open_storage(config, clock, random));
    people::Books books(*storage.engine, clock, random);
    people::LiveCrowd crowd(*storage.engine, books.tables);
    const program::Stopwatch reading;
    crowd.start();
    crowd.with(people::LiveCrowd::Order::by_address, [](const people::Crowd&) {});
    const auto read_seconds = std::chrono::duration<double>(reading.elapsed()).count();
    const people::Finder finder(books, crowd);
    const people::Segments segments(books);
    const people::Expansions expansions(books, finder, segments);
    const program::Stopwatch keeping;
    const auto kept = must(expansions.expand("bench", people::Tagged{{tag}}));
    const auto kept_seconds = std::chrono::duration<double>(keeping.elapsed()).count();
    const program::Stopwatch handing_out;
    std::string last;
    for (std::size_t some = 1; some > 0;) {
        const auto page = must(expansions.page("bench", last, 1000));
        some = page.size();
        if (some > 0) last = page.back();
    }
    const auto out_seconds = std::chrono::duration<double>(handing_out.elapsed()).count();
    must(expansions.remove("bench"));
    std::printf("{\"people\":%lld,\"keep\":%.6f,\"hand_out\":%.6f,\"read\":%.6f,\"bytes\":%zu}\n",
                static_cast<long long>(kept.people), kept_seconds, out_seconds, read_seconds,
                crowd.figures().bytes);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "people_deeds DATA TAG < deeds\n");
        return 2;
    }
    app::Config config;
    config.server.data = argv[1];
    config.server.durability = app::Durability::relaxed;
    note_deeds(config);
    config.server.durability = app::Durability::full;
    expand(config, argv[2]);
    return 0;
}
