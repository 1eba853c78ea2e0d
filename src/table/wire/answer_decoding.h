// What the decoders of all answers share. Private to this folder.
#pragma once

#include "table/wire/answer_decoder.h"
#include "table/wire/reader.h"

#include <memory>
#include <string_view>

namespace mailroom::table::wire {

class AnswerDecoder::Impl {
public:
    // Parses `body` and forgets the answer before. The reader and the place are good until the
    // next.
    Outcome<Place> begin(std::string_view body);
    Reader& reader() { return *reader_; }

private:
    json::Parser parser_;
    std::unique_ptr<Reader> reader_ = std::make_unique<Reader>();
    bool read_much_ = false;
};

Failure unreadable(std::string_view why);
// What was malformed. Constraints are ours to keep, not to hold against the remote side.
std::optional<Failure> check_readable(const Reader& reader);

}  // namespace mailroom::table::wire
