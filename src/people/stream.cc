#include "people/stream.h"

namespace mailroom::people {

std::string_view name_of(Stream stream) {
    return stream == Stream::bulk ? "bulk" : "transactional";
}

std::optional<Stream> stream_named(std::string_view name) {
    for (const auto stream : {Stream::transactional, Stream::bulk}) {
        if (name_of(stream) == name) return stream;
    }
    return std::nullopt;
}

}  // namespace mailroom::people
