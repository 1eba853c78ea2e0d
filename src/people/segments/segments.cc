#include "people/segments/segments.h"

#include "base/text.h"
#include "people/consent/topics.h"
#include "people/segments/filter_text.h"
#include "table/write_builder.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace mailroom::people {

namespace {

constexpr const char* segments_partition = "SEGMENT#";
constexpr std::size_t segment_name_bytes_max = 200, segment_about_bytes_max = 1000;
constexpr std::size_t segments_max = 1000;

table::Item segment_key(const std::string& id) { return {{"PK", segments_partition}, {"SK", id}}; }

Refusal no_segment(const std::string& id) {
    return Refusal::not_found("there is no segment " + id);
}

}  // namespace

void AskedFilter::check(const AskedFilter& asked, table::Reading& reading) {
    if (asked.rules && !asked.filter.empty()) {
        return reading.wrong_member("rules", "must not stand beside filter");
    }
    if (asked.rules) return;
    const auto parsed = parse_filter(asked.filter);
    if (!parsed) reading.wrong_member("filter", "cannot be read: " + parsed.error().text());
}

Filter AskedFilter::value() const { return rules ? *rules : *parse_filter(filter); }

void SegmentDetails::check(const SegmentDetails& details, table::Reading& reading) {
    const auto check_length = [&](std::string_view member, std::string_view text, std::size_t max) {
        if (text.size() <= max) return;
        reading.wrong_member(member, "must be at most " + std::to_string(max) + " bytes");
    };
    if (trim(details.name).empty()) reading.wrong_member("name", "must not be empty");
    check_length("name", details.name, segment_name_bytes_max);
    check_length("about", details.about, segment_about_bytes_max);
    AskedFilter::check(details.filter, reading);
}

Filter Segment::rules() const {
    const auto parsed = parse_filter(filter);
    return parsed ? *parsed : !Filter();
}

void Segment::derive(const Segment& segment, table::Item& row) {
    row.set("PK", table::Value(segments_partition));
    row.set("SK", table::Value(segment.id));
}

Result<> Segment::settle(Segment& segment, const table::ItemView&) {
    const auto parsed = parse_filter(segment.filter);
    if (parsed) return Ok{};
    return Error{Errc::corrupt, "the filter of segment " + segment.id + " cannot be read, " +
                                    parsed.error().text()};
}

Segments::Segments(const Books& books)
    : books_(books), rows_(books.store, Books::people_table(books.tables.people)) {}

Answer<Segment> Segments::require(const std::string& id) const {
    if (!is_topic_id(id)) return no_segment(id);
    auto found = TRY(rows_.find(segment_key(id)));
    if (!found) return no_segment(id);
    return *std::move(found);
}

Result<table::Slice<Segment>> Segments::page(const table::PageWish& wish) const {
    return rows_.page(rows_.query().partition("PK", segments_partition).consistent(), wish);
}

// Puts the filters of segments in the place of the tests that ask for them.
class Segments::Resolver {
public:
    Resolver(const Segments& segments, std::string field, const std::string& self)
        : segments_(segments), field_(std::move(field)) {
        if (!self.empty()) within_.push_back(self);
    }

    Answer<Filter> resolved(Filter filter) {
        return std::visit([&](auto& test) { return one(std::move(test)); }, filter.test);
    }

private:
    template <class Group>
    requires requires(Group group) { group.parts; }
    Answer<Filter> one(Group group) {
        for (auto& part : group.parts) part = TRY(resolved(std::move(part)));
        return Filter(std::move(group));
    }
    Answer<Filter> one(Not rest) {
        rest.part.front() = TRY(resolved(std::move(rest.part.front())));
        return Filter(std::move(rest));
    }
    template <class Test>
    Answer<Filter> one(Test test) {
        if (++tests_ > resolved_tests_max) return wrong("asks for too much with its segments");
        return Filter(std::move(test));
    }
    Answer<Filter> one(const InSegment& test) {
        if (std::ranges::find(within_, test.id) != within_.end()) {
            return wrong("asks for segment " + test.id + ", which asks for itself");
        }
        if (within_.size() > segments_deep_max) return wrong("asks for segments too deep");
        auto found = segments_.require(test.id);
        if (!found && found.error().kind == Refusal::Kind::not_found) {
            return wrong("asks for segment " + test.id + ", which is not there");
        }
        const auto segment = TRY(std::move(found));
        within_.push_back(test.id);
        auto filter = TRY(resolved(segment.rules()));
        within_.pop_back();
        return filter;
    }
    Refusal wrong(std::string why) const { return Refusal::bad_field(field_, std::move(why)); }

    static constexpr std::size_t resolved_tests_max = 4 * filter_tests_max;
    static constexpr std::size_t segments_deep_max = 8;

    const Segments& segments_;
    const std::string field_;
    std::vector<std::string> within_;  // Those that are being put in place.
    std::size_t tests_ = 0;
};

Answer<Filter> Segments::resolve(Filter filter, std::string_view field) const {
    return Resolver(*this, std::string(field), "").resolved(std::move(filter));
}

Answer<Segment> Segments::save(const std::string& id, const SegmentDetails& details,
                               const program::Actor& who) const {
    if (!is_topic_id(id)) {
        return Refusal::bad_field("id",
                                  "must be 1 to 64 lower-case letters, digits, ., _ or -, and "
                                  "begin with a letter or a digit");
    }
    const auto filter = details.filter.value();
    const std::string field = details.filter.rules ? "rules" : "filter";
    TRY(Resolver(*this, field, id).resolved(filter));
    auto text = text_of(filter);
    if (!parse_filter(text)) return Refusal::bad_field(field, "is too long");
    return settled(books_.store.pauses(race_pauses),
                   [&] { return save_once(id, details, text, who); });
}

Answer<Segment> Segments::save_once(const std::string& id, const SegmentDetails& details,
                                    const std::string& filter, const program::Actor& who) const {
    auto segment = TRY(rows_.find(segment_key(id))).value_or(Segment());
    if (segment.version == 0 && TRY(all()).size() >= segments_max) {
        return Refusal(Refusal::Kind::too_many,
                       "there are " + std::to_string(segments_max) + " segments already");
    }
    segment.id = id;
    segment.name = details.name;
    segment.about = details.about;
    segment.filter = filter;
    segment.by = who.name;
    segment.updated = books_.clock.now();
    if (segment.version == 0) segment.created = segment.updated;
    table::write::Transaction together;
    rows_.save(together, segment);
    const auto saved = books_.store.transact(together);
    if (saved) return segment;
    const Error error = saved.error();
    if (error.code == Errc::conflict) return Refusal::lost_race();
    return Refusal(error);
}

Result<std::vector<Segment>> Segments::all() const {
    return rows_.whole(rows_.query().partition("PK", segments_partition).consistent());
}

Answer<> Segments::remove(const std::string& id) const {
    TRY(require(id));
    for (const auto& other : TRY(all())) {
        const auto asked = segments_in(other.rules());
        if (other.id == id || std::ranges::find(asked, id) == asked.end()) continue;
        return Refusal::conflict("segment_in_use", "segment " + other.id + " asks for it");
    }
    TRY(books_.store.erase(table::write::Erase(rows_.table(), segment_key(id))));
    return Ok{};
}

}  // namespace mailroom::people
