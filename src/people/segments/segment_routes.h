// /v1/segments: filters under names, and whom they mean; and the list of people, who are found by
// the same filters.
#pragma once

#include "people/segments/finder.h"
#include "people/segments/segments.h"
#include "program/api.h"

namespace mailroom::people {

// What the routes work with. All of it must outlive them.
struct SegmentDesk {
    const Segments& segments;
    const Finder& finder;
    const Clock& clock;
};

void add_segment_routes(program::Api& api, const SegmentDesk& desk);

}  // namespace mailroom::people
