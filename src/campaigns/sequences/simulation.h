// A dry run: what would happen to somebody, known or made up, in a sequence. Writes nothing.
#pragma once

#include "base/refusal.h"
#include "campaigns/sequences/sequences.h"
#include "campaigns/sequences/timeline.h"
#include "people/books.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

// Any object.
struct AnyObject {
    table::Item members;
};

}  // namespace mailroom::campaigns

namespace mailroom::table {

template <>
struct Form<campaigns::AnyObject> {
    static void read(const json::View& view, campaigns::AnyObject& to, Reading& reading);
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("object"); }
};

}  // namespace mailroom::table

namespace mailroom::campaigns {

struct EventWish {
    Time time = {};
    std::string detail_type;
    AnyObject detail;

    static constexpr std::string_view record_name = "SimulatedEvent";
    static constexpr auto fields =
        std::tuple{table::required("time", &EventWish::time),
                   table::required("detail-type", &EventWish::detail_type),
                   table::asked("detail", &EventWish::detail)};
};

struct SimulationWish {
    std::string id;
    std::string email, zone;
    std::optional<AnyObject> detail;
    std::optional<Time> begin;
    std::optional<std::int64_t> version;
    std::vector<EventWish> events;

    static constexpr auto fields = std::tuple{
        table::required("id", &SimulationWish::id),
        table::required("email", &SimulationWish::email, "Of somebody known, or of anybody."),
        table::asked("detail", &SimulationWish::detail,
                     "Of the event that they come with; without it, what is known of them."),
        table::asked("zone", &SimulationWish::zone, "Where they are, in place of what is known."),
        table::asked("begin_at", &SimulationWish::begin, "When they enter; else now."),
        table::asked("version", &SimulationWish::version, "Of the sequence; else the latest."),
        table::asked("events", &SimulationWish::events, "What happens to them meanwhile.")};
    static void check(const SimulationWish& wish, table::Reading& reading);
};

// Thread-safe.
class Simulation {
public:
    // Both must outlive this object.
    Simulation(const Sequences& sequences, const people::Books& people)
        : sequences_(sequences), people_(people) {}

    Answer<Timeline> run(const SimulationWish& wish) const;

private:
    Answer<Definition> definition(const SimulationWish& wish) const;
    Answer<Outlook> outlook(const SimulationWish& wish, const Definition& definition) const;

    const Sequences& sequences_;
    const people::Books& people_;
    const std::unique_ptr<const liquid::TimeZones> zones_ =
        std::make_unique<const liquid::TimeZones>();
};

}  // namespace mailroom::campaigns
