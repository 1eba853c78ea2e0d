// Lives through worlds, one seed after the other, until the time is over or a seed fails.
//
//   sim [--seconds N | --seeds N] [--first SEED]     fresh seeds, unless the first is named
//   sim --seed SEED [--trace]                         one world, and all that happened in it
#include "base/log.h"
#include "base/random.h"
#include "sim/world.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using mailroom::sim::Plan;
using mailroom::sim::Report;
using mailroom::sim::World;

struct Wanted {
    double seconds = 30;
    std::uint64_t seeds = 0;  // 0: as many as there is time for.
    std::uint64_t first = 0;
    bool is_one = false, shows_trace = false;
};

struct Totals {
    std::uint64_t worlds = 0;
    double days = 0;
    std::size_t mails = 0, crashes = 0, faults = 0;
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();

    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }
    void add(const Report& report) {
        ++worlds;
        days += report.days;
        mails += report.mails;
        crashes += report.crashes;
        faults += report.faults;
    }
    void print() const {
        const auto a_minute = 60 / seconds();
        const auto of = [&](auto number) { return static_cast<double>(number) * a_minute; };
        std::printf("%llu worlds in %.1f s: %.0f days, %zu mails, %zu crashes, %zu faults\n",
                    static_cast<unsigned long long>(worlds), seconds(), days, mails, crashes,
                    faults);
        std::printf("a minute of real time: %.0f days, %.0f mails, %.0f crashes, %.0f faults\n",
                    of(days), of(mails), of(crashes), of(faults));
    }
};

// Fewer than ten million, so that they are easy to pass on.
std::uint64_t fresh_seed() {
    mailroom::SystemRandom random;
    return mailroom::random_up_to(random, 9'000'000);
}

Wanted wanted_by(int argc, char** argv) {
    Wanted wanted;
    wanted.first = fresh_seed();
    if (std::getenv("MAILROOM_LONG") != nullptr) wanted.seeds = 1000;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : "0"; };
        if (option == "--seconds") wanted.seconds = std::stod(value());
        if (option == "--seeds") wanted.seeds = std::stoull(value());
        if (option == "--trace") wanted.shows_trace = true;
        if (option == "--first") wanted.first = std::stoull(value());
        if (option != "--seed") continue;
        wanted.first = std::stoull(value());
        wanted.seeds = 1;
        wanted.is_one = true;
    }
    return wanted;
}

// The last lines of what happened.
std::string tail(const std::string& trace) {
    auto from = trace.size();
    for (int lines = 0; lines < 40 && from != 0 && from != trace.npos; ++lines) {
        from = trace.rfind('\n', from - 1);
    }
    return from == trace.npos ? trace : trace.substr(from);
}

void print_failure(const Plan& plan, const Report& report, const Wanted& wanted) {
    std::printf("FAILED %s\n", plan.text().c_str());
    for (const auto& complaint : report.complaints) std::printf("  %s\n", complaint.c_str());
    if (!wanted.shows_trace) std::printf("the end of it:%s\n", tail(report.trace).c_str());
    std::printf("again: sim --seed %llu --trace\n", static_cast<unsigned long long>(plan.seed));
}

}  // namespace

int main(int argc, char** argv) {
    const auto wanted = wanted_by(argc, argv);
    if (std::getenv("SIM_LOG") == nullptr) {
        mailroom::log::configure(mailroom::log::Level::off, mailroom::log::Format::text);
    }
    std::printf("first seed %llu\n", static_cast<unsigned long long>(wanted.first));
    std::fflush(stdout);
    Totals totals;
    int failures = 0;
    for (std::uint64_t i = 0;
         wanted.seeds > 0 ? i < wanted.seeds : totals.seconds() < wanted.seconds; ++i) {
        const auto plan = Plan::of(wanted.first + i);
        World world(plan);
        const auto report = world.run();
        totals.add(report);
        if (totals.worlds % 100 == 0) totals.print();
        if (wanted.shows_trace) std::fputs(report.trace.c_str(), stdout);
        if (wanted.is_one) std::printf("%s\n", plan.text().c_str());
        std::fflush(stdout);
        if (report.complaints.empty()) continue;
        print_failure(plan, report, wanted);
        if (++failures == 3) break;
    }
    totals.print();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
