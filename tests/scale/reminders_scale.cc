// Finds who is due among many customers, and holds a run over few against a run over many: for one
// customer as many rows are read in both. Prints what it took.
//
//   reminders_scale DIRECTORY [CUSTOMERS]   default 20,000; with MAILROOM_LONG in the environment
//   100,000; three invoices each

#include "counting_store.h"
#include "measured.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/time_format.h"
#include "kv/rocks_store.h"
#include "reminders/due.h"
#include "reminders/import.h"
#include "table/engine/engine.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::reminders {
namespace {

constexpr std::size_t import_rows = 20'000;
constexpr std::size_t page_customers = 200;
constexpr int history_invoices = 200;  // Paid ones, of each of some customers.
constexpr int history_customers = 100;
// Of the rows of one customer: pages of both runs begin and end at other customers.
constexpr double more_max = 1.02;

// Of this thread: what others do meanwhile does not count.
double processor_seconds() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class Office {
public:
    Office(table::Store& store, const ManualClock& clock, Random& random)
        : schedule_(must(schedule::Schedule::open(store, clock, random))),
          books_{store, *schedule_, clock, random},
          suppressions_(must(people::Suppressions::open(store, clock, random))) {
        must(books_.open());
    }

    // Each has one invoice due in 2025-01, one in 2025-03 and one in 2025-12.
    void load(std::size_t customers) {
        for (std::size_t from = 0; from < customers; from += import_rows) {
            std::string people = "customer_id,name,email\n";
            std::string bills = "invoice_id,customer_id,amount,due_date\n";
            for (auto i = from; i < std::min(customers, from + import_rows); ++i) {
                const auto id = "cust_" + std::to_string(i);
                people += id + ",Customer " + id + "," + id + "@example.com\n";
                const auto day = std::to_string(10 + i % 20);
                bills += id + "-a," + id + ",100.00,2025-01-" + day + "\n";
                bills += id + "-b," + id + ",50.00,2025-03-" + day + "\n";
                bills += id + "-c," + id + ",75.25,2025-12-" + day + "\n";
            }
            must(import_customers(accounts_, people, ImportMode::for_real));
            must(import_invoices(accounts_, bills, ImportMode::for_real));
        }
    }

    // Settled long ago: no question about today should read it.
    void add_history() {
        std::string bills = "invoice_id,customer_id,amount,due_date,status,paid_date\n";
        for (int i = 0; i < history_customers; ++i) {
            const auto id = "cust_" + std::to_string(i);
            for (int j = 0; j < history_invoices; ++j) {
                bills += id + "-old" + std::to_string(j) + "," + id +
                         ",10.00,2024-01-10,PAID,2024-01-05\n";
            }
        }
        must(import_invoices(accounts_, bills, ImportMode::for_real));
    }

    struct Run {
        std::size_t due = 0, allowed = 0;
        double seconds = 0, processor = 0;
        std::int64_t rows = 0;
        std::vector<double> pages;  // Seconds each.
        double page(double share) {
            std::ranges::sort(pages);
            return pages[static_cast<std::size_t>(share * static_cast<double>(pages.size() - 1))];
        }
        double microseconds_each() const { return 1e6 * processor / static_cast<double>(due); }
        double rows_each() const { return static_cast<double>(rows) / static_cast<double>(due); }
    };
    Run run() {
        Run run;
        const auto begun = Timer::now();
        const auto begun_processor = processor_seconds();
        const auto rows_before = rows_looked_at;
        table::PageWish wish{.limit = page_customers, .after = {}};
        do {
            const auto page_begun = Timer::now();
            const auto page = must(list_due(accounts_, assessor_, Which::all, wish));
            run.pages.push_back(seconds_since(page_begun));
            run.due += page.items.size();
            for (const auto& one : page.items) run.allowed += one.decision.allowed() ? 1 : 0;
            wish.after = page.next;
        } while (wish.after);
        run.rows = rows_looked_at - rows_before;
        run.seconds = seconds_since(begun);
        run.processor = processor_seconds() - begun_processor;
        return run;
    }

private:
    std::unique_ptr<schedule::Schedule> schedule_;
    Books books_;
    people::Suppressions suppressions_;
    Accounts accounts_{books_, suppressions_};
    Assessor assessor_{books_, suppressions_};
};

void print(const char* name, Office::Run run) {
    std::printf(
        "%-24s %7zu due in %5.2f s, %5.2f s of one core, %4.1f us and %.2f rows each; a page of "
        "%zu: "
        "%.1f ms, of a hundred the slowest %.1f ms, of all %.1f ms\n",
        name, run.due, run.seconds, run.processor, run.microseconds_each(), run.rows_each(),
        page_customers, 1000 * run.page(0.5), 1000 * run.page(0.99), 1000 * run.page(1));
}

void measure(const std::filesystem::path& directory, std::int64_t count) {
    const auto customers = static_cast<std::size_t>(count);
    ManualClock clock(*parse_rfc3339("2025-01-20T00:00:00Z"));
    SystemRandom random;
    std::filesystem::remove_all(directory);
    const auto rows = must(kv::open_rocks(directory.string(), {}));
    table::EngineOptions options;
    options.sync = kv::Sync::relaxed;  // Loading is not what is measured.
    CountingStore counting(*rows);
    const auto engine = must(table::Engine::open(counting, clock, random, options));
    Office office(*engine, clock, random);
    const auto begun = Timer::now();
    office.load(customers);
    std::printf("%zu customers with %zu invoices loaded in %.1f s\n", customers, 3 * customers,
                seconds_since(begun));

    const auto few = office.run();  // Half of them: of the others nothing is overdue yet.
    print("half of them due", few);
    clock.set(*parse_rfc3339("2025-06-01T00:00:00Z"));
    const auto many = office.run();
    print("all of them due", many);
    office.add_history();
    const auto later = office.run();
    print("and with paid invoices", later);

    if (few.due != customers / 2) fail("half of the customers should be due");
    if (many.due != customers || many.allowed != customers) fail("all customers should be due");
    if (many.rows_each() > more_max * few.rows_each()) {
        fail("more is read of one customer when more are due");
    }
    if (later.rows_each() > more_max * many.rows_each()) {
        fail("what was paid long ago is read");
    }
}

}  // namespace
}  // namespace mailroom::reminders

int main(int argc, char** argv) {
    return mailroom::run_measured(argc, argv, mailroom::is_long() ? 100'000 : 20'000,
                                  mailroom::reminders::measure);
}
