// How often each link of a template or a sequence was followed: kept with the clicks, in their
// transactions, so that a count equals its rows.
//
//   MailroomEngagement
//     LINKS#template#{key}, LINKS#sequence#{id}   {url}   clicks, uniqueClicks, machineClicks N
//     MAIL#{mail id}   LINK#{digest of the url}   that a person followed it   ttl N
// A url that is too long for a key is cut, with its digest behind it: "{beginning}…{digest}".
#pragma once

#include "base/clock.h"
#include "engagement/events/witness.h"
#include "engagement/settings.h"
#include "table/records/pages.h"
#include "table/records/record.h"
#include "table/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace mailroom::engagement {

struct LinkFigures {
    std::string url;
    std::int64_t clicks = 0, unique_clicks = 0, machine_clicks = 0;
    bool operator==(const LinkFigures&) const = default;

    static constexpr std::string_view record_name = "LinkFigures";
    // The names in rows are on disk: never change.
    static constexpr auto fields = std::tuple{
        table::must_have("SK", "url", &LinkFigures::url, "Where it leads."),
        table::kept("clicks", &LinkFigures::clicks, "By people, each as often as it was."),
        table::kept("uniqueClicks", "unique_clicks", &LinkFigures::unique_clicks,
                    "Mails in which a person followed it at least once."),
        table::kept("machineClicks", "machine_clicks", &LinkFigures::machine_clicks,
                    "By programs that follow links; not among the clicks.")};
};

// Thread-safe.
class LinkCounts final : public Witness {
public:
    enum class Of { templates, sequences };

    // All must outlive this object.
    LinkCounts(table::Store& store, const Clock& clock, const Settings& settings)
        : store_(store), clock_(clock), settings_(settings) {}

    Result<> add_to(schedule::Transaction& transaction, const Event& event) override;
    // In the order of their addresses.
    Result<table::Slice<LinkFigures>> page(Of of, const std::string& name,
                                           const table::PageWish& wish) const;

private:
    Result<bool> is_first(schedule::Transaction& transaction, const Event& event) const;

    table::Store& store_;
    const Clock& clock_;
    const Settings& settings_;
};

}  // namespace mailroom::engagement
