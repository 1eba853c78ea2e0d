// Filters that are kept under a name.
//
//   MailroomPeople   SEGMENT#   {id}   name, about, filter S (as text)   created_at, updated_at N
//                    by S   version N
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "people/books.h"
#include "people/segments/filter.h"
#include "people/segments/filter_json.h"
#include "program/actor.h"
#include "table/records/record.h"
#include "table/records/rows.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::people {

// A filter in one of its two forms.
struct AskedFilter {
    std::string filter;
    std::optional<Filter> rules;

    static constexpr auto fields = std::tuple{
        table::asked("filter", &AskedFilter::filter,
                     "As people write it: plan = \"pro\" and not clicked within 30 days."),
        table::asked("rules", &AskedFilter::rules, "The same as JSON, in place of it.")};
    static void check(const AskedFilter& asked, table::Reading& reading);
    // What was asked for; for what passed the check.
    Filter value() const;
};

struct SegmentDetails {
    std::string name;
    std::string about;
    AskedFilter filter;

    static constexpr auto fields =
        std::tuple{table::required("name", &SegmentDetails::name, "As people call it."),
                   table::asked("about", &SegmentDetails::about, "What it is for."),
                   table::part(&SegmentDetails::filter)};
    static void check(const SegmentDetails& details, table::Reading& reading);
};

struct Segment {
    std::string id;
    std::string name, about;
    std::string filter;
    std::string by;
    Time created = {}, updated = {};
    std::int64_t version = 0;

    Filter rules() const;

    static constexpr std::string_view record_name = "Segment";
    static constexpr auto fields =
        std::tuple{table::must_have("id", &Segment::id),
                   table::kept("name", &Segment::name),
                   table::kept("about", &Segment::about),
                   table::must_have("filter", &Segment::filter, "As people write it."),
                   table::shown("rules", &Segment::rules, "The same as JSON."),
                   table::kept_if_any("by", &Segment::by, "Who changed it last."),
                   table::kept("created_at", &Segment::created),
                   table::kept("updated_at", &Segment::updated),
                   table::stored("version", &Segment::version)};
    static void derive(const Segment& segment, table::Item& row);
    static Result<> settle(Segment& segment, const table::ItemView& row);
};

// Thread-safe.
class Segments {
public:
    explicit Segments(const Books& books);

    Answer<Segment> require(const std::string& id) const;
    Result<table::Slice<Segment>> page(const table::PageWish& wish) const;
    // Makes it or changes it. `bad_field` if it asks for one that is not there, or for itself.
    Answer<Segment> save(const std::string& id, const SegmentDetails& details,
                         const program::Actor& who) const;
    // A `conflict` while another one asks for it.
    Answer<> remove(const std::string& id) const;

    // The filter with those of the segments that it asks for in their place. `bad_field`, of
    // `field`, if one is not there or asks for itself, or if all of it is too much.
    Answer<Filter> resolve(Filter filter, std::string_view field = "filter") const;

private:
    Answer<Segment> save_once(const std::string& id, const SegmentDetails& details,
                              const std::string& filter, const program::Actor& who) const;
    Result<std::vector<Segment>> all() const;
    class Resolver;

    const Books& books_;
    const table::Rows<Segment> rows_;
};

}  // namespace mailroom::people
