#include "people/segments/segment_routes.h"

#include "people/people_routes.h"
#include "people/person_json.h"
#include "program/action.h"

#include <utility>

namespace mailroom::people {

namespace {

using program::Actor;
using program::Agents;
using table::PageWish;
using table::Slice;

// How somebody stands to mail.
enum class Standing { subscribed, unsubscribed, suppressed };
constexpr auto names_of(Standing) {
    return std::array{Name{Standing::subscribed, "subscribed"},
                      Name{Standing::unsubscribed, "unsubscribed"},
                      Name{Standing::suppressed, "suppressed"}};
}

Filter mailable() { return !is_equal("unsubscribed", true) && !is_equal("suppressed", true); }

Filter of_standing(Standing standing) {
    if (standing == Standing::subscribed) return mailable();
    return is_equal(std::string(mailroom::name_of(standing)), true);
}

// By the beginning of the address, or by a part of a name.
Filter found_by(const std::string& text) {
    Filter found = Compared{{"email"}, Comparison::begins_with, text};
    for (const char* name : {"firstName", "lastName", "name"}) {
        found = std::move(found) || Filter(Compared{{name}, Comparison::contains, text});
    }
    return found;
}

struct PeopleWish {
    std::string tag, segment, q, filter;
    std::optional<Standing> state;
    PeopleOrder order = PeopleOrder::address;

    static constexpr auto fields = std::tuple{
        table::asked("tag", &PeopleWish::tag, "Who has this tag."),
        table::asked("segment", &PeopleWish::segment, "Whom this segment means."),
        table::asked("state", &PeopleWish::state),
        table::asked("q", &PeopleWish::q, "Whose address begins so, or whose name has that in it."),
        table::asked("filter", &PeopleWish::filter, "Whom this filter means, as text."),
        table::asked("order", &PeopleWish::order, "By address, or who came last first.")};
    static void check(const PeopleWish& wish, table::Reading& reading) {
        if (!wish.filter.empty()) AskedFilter::check({wish.filter, std::nullopt}, reading);
        constexpr std::size_t q_bytes_max = 254;
        if (wish.q.size() > q_bytes_max) reading.wrong_member("q", "must be at most 254 bytes");
    }

    Filter value() const {
        Filter wanted;
        if (!tag.empty()) wanted = std::move(wanted) && Filter(Tagged{{tag}});
        if (!segment.empty()) wanted = std::move(wanted) && Filter(InSegment{segment});
        if (state) wanted = std::move(wanted) && of_standing(*state);
        if (!q.empty()) wanted = std::move(wanted) && found_by(q);
        if (!filter.empty()) wanted = std::move(wanted) && AskedFilter{filter, {}}.value();
        return wanted;
    }
};

struct HowMany {
    std::int64_t people = 0, mailable = 0;

    static constexpr std::string_view record_name = "PeopleCount";
    static constexpr auto fields = std::tuple{
        table::shown("people", &HowMany::people, "Whom the filter means."),
        table::shown("mailable", &HowMany::mailable, "Those of them who may get bulk mail.")};
};

struct PreviewWish {
    AskedFilter filter;
    std::int64_t limit = 10;

    static constexpr auto fields =
        std::tuple{table::part(&PreviewWish::filter),
                   table::asked("limit", &PreviewWish::limit, "How many to show: 1 to 100.")};
    static void check(const PreviewWish& wish, table::Reading& reading) {
        AskedFilter::check(wish.filter, reading);
        if (wish.limit < 1 || wish.limit > 100) reading.wrong_member("limit", "must be 1 to 100");
    }
};

struct Preview {
    HowMany count;
    std::vector<Profile> sample;

    static constexpr std::string_view record_name = "SegmentPreview";
    static constexpr auto fields =
        std::tuple{table::part(&Preview::count),
                   table::shown("sample", &Preview::sample, "Some of them, by address.")};
};

class Routes {
public:
    explicit Routes(const SegmentDesk& desk) : desk_(desk) {}

    Answer<HowMany> count(const AskedFilter& asked) const { return count(TRY(resolved(asked))); }

    Answer<Preview> preview(const PreviewWish& wish) const {
        const auto filter = TRY(resolved(wish.filter));
        const PageWish page{static_cast<std::size_t>(wish.limit), {}};
        auto shown = TRY(list(filter, PeopleOrder::address, page));
        return Preview{TRY(count(filter)), std::move(shown.items)};
    }

    Answer<Slice<Profile>> list(const PeopleWish& wish, const PageWish& page) const {
        const auto filter =
            TRY(desk_.segments.resolve(wish.value(), wish.segment.empty() ? "filter" : "segment"));
        return list(filter, wish.order, page);
    }

private:
    Answer<Filter> resolved(const AskedFilter& asked) const {
        return desk_.segments.resolve(asked.value(), asked.rules ? "rules" : "filter");
    }
    Answer<HowMany> count(const Filter& filter) const {
        const auto counts = TRY(desk_.finder.count({filter, filter && mailable()}, now()));
        return HowMany{static_cast<std::int64_t>(counts[0]), static_cast<std::int64_t>(counts[1])};
    }
    Answer<Slice<Profile>> list(const Filter& filter, PeopleOrder order,
                                const PageWish& wish) const {
        auto rows = TRY(desk_.finder.rows(filter, order, wish, now()));
        Slice<Profile> slice;
        slice.next = std::move(rows.next);
        for (const auto& row : rows.items) slice.items.push_back(TRY(read_profile(row)));
        return slice;
    }
    Time now() const { return desk_.clock.now(); }

    const SegmentDesk desk_;
};

void add_kept_segments(program::Api& api, const Segments& segments) {
    api.put("/v1/segments/{id}",
            {.name = "put_segment",
             .scope = scope::write,
             .summary = "Keep a filter under a name",
             .more = "It may ask for other segments, but not for itself through them."},
            [&segments](const program::Of<SegmentDetails>& in, const Actor& who) {
                return segments.save(in.id, in.asked, who);
            });
    api.get("/v1/segments/{id}",
            {.name = "get_segment",
             .scope = scope::read,
             .summary = "Show a segment",
             .agents = Agents::may},
            [&segments](const program::ById& in, const Actor&) { return segments.require(in.id); });
    api.remove(
        "/v1/segments/{id}",
        {.name = "delete_segment",
         .scope = scope::write,
         .summary = "Delete a segment",
         .refuses = {Refusal::Kind::conflict}},
        [&segments](const program::ById& in, const Actor&) { return segments.remove(in.id); });
    api.list("/v1/segments",
             {.name = "list_segments",
              .scope = scope::read,
              .summary = "Segments, by id",
              .agents = Agents::may},
             [&segments](const program::Nothing&, const PageWish& page, const Actor&) {
                 return segments.page(page);
             });
}

}  // namespace

void add_segment_routes(program::Api& api, const SegmentDesk& desk) {
    const Routes routes(desk);
    api.group("Segments", "Whom filters mean: saved ones, counts, and the list of people.");
    api.list("/v1/people",
             {.name = "list_people",
              .scope = scope::read,
              .summary = "People, by tag, segment, state, filter, or what their address or name is",
              .more = "All that is asked for must hold.",
              .agents = Agents::may},
             [routes](const PeopleWish& wish, const PageWish& page, const Actor&) {
                 return routes.list(wish, page);
             });
    add_kept_segments(api, desk.segments);
    api.post("/v1/segments/count",
             {.name = "count_people",
              .scope = scope::read,
              .summary = "How many people a filter means",
              .agents = Agents::may},
             [routes](const AskedFilter& asked, const Actor&) { return routes.count(asked); });
    api.post("/v1/segments/preview",
             {.name = "preview_people",
              .scope = scope::read,
              .summary = "How many people a filter means, and some of them",
              .agents = Agents::may},
             [routes](const PreviewWish& wish, const Actor&) { return routes.preview(wish); });
}

}  // namespace mailroom::people
