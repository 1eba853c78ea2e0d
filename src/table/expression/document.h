// An item that is being changed in places, without decoding the rest of it.
//
// Changes speak of the item as it was: an index means the element that was there before the first
// change, whatever was removed or appended since. encode() writes the new item and closes the gaps
// in lists.
#pragma once

#include "table/value.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

class Document {
public:
    struct Step {
        bool is_index = false;
        std::uint32_t index = 0;  // Into a list.
        std::string_view name;    // Of a map's field.
    };
    using Path = std::vector<Step>;

    // `item` must outlive this object, and so must every name and value given later.
    explicit Document(ItemView item);
    ~Document();
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    // False when the path leads nowhere: a container on the way is missing, or is not of the kind
    // that the next step needs. Behind the end of a list, values are appended in order of their
    // indexes. No two changes may overlap.
    bool set(const Path& path, const ValueView& value);
    bool remove(const Path& path);  // Removing what is not there changes nothing.
    Item encode() const;

private:
    struct Place;
    // Where the last step leads, if everything before it exists.
    Place* place(const Path& path);

    ItemView item_;
    std::unique_ptr<Place> root_;
};

// Writes one field of an item; names must come in order.
void append_field(std::string& out, std::string_view name, const ValueView& value);
// The levels of lists and maps in a value: 0 for a scalar or a set.
std::size_t nesting_levels(const ValueView& value);

}  // namespace mailroom::table
