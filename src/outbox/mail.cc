#include "outbox/mail.h"

namespace mailroom::outbox {

std::string_view name_of(Stream stream) {
    return stream == Stream::bulk ? "bulk" : "transactional";
}

std::optional<Stream> stream_named(std::string_view name) {
    for (const auto stream : {Stream::transactional, Stream::bulk}) {
        if (name_of(stream) == name) return stream;
    }
    return std::nullopt;
}

std::string_view name_of(Recipient::State state) {
    switch (state) {
        case Recipient::State::waiting:
            return "waiting";
        case Recipient::State::delivered:
            return "delivered";
        case Recipient::State::failed:
            return "failed";
        case Recipient::State::unknown:
            break;
    }
    return "unknown";
}

}  // namespace mailroom::outbox
