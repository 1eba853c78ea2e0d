// Signatures of requests to the tables, as a stranger might write them: nothing crashes, and every
// refusal is one of those that clients know. What a good key signs is accepted, whatever it is, and
// no longer after any part of it changed. The input is the text of a request:
//   the value of Authorization
//   METHOD target
//   Name: value
//
//   body
#include "base/text.h"
#include "dynamodb/request_signatures.h"
#include "kv/memory_store.h"
#include "table/engine/engine.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace mailroom::dynamodb {
namespace {

void check(bool holds) {
    if (!holds) std::abort();
}

template <class T>
T taken(T result) {
    check(static_cast<bool>(result));
    return result;
}

struct World {
    kv::MemoryStore rows;
    ManualClock clock{from_unix_ms(1'794'721'884'123)};
    SeededRandom random{1};
    std::unique_ptr<table::Engine> engine = *taken(table::Engine::open(rows, clock, random));
    AccessKeys keys = *taken(AccessKeys::open(*engine, clock, random));
    AccessKey key = *taken(keys.create("reader", {table::TableAccess::read, {}}));
    RequestSignatures signatures{keys, clock};
    net::Signer signer{{key.id, key.secret, {}}, "eu-west-1", "dynamodb"};
};

std::string_view take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

// What may stand before the colon and the target's blanks (RFC 9110, 5.6.2).
bool is_token(std::string_view text) {
    constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               marks.find(c) != marks.npos;
    });
}

// Leaves out what our reader of requests would not let through.
http::Request read(std::string_view text) {
    http::Request request;
    request.headers.emplace_back("Authorization", trim(take_line(text)));
    const auto first = take_line(text);
    const auto space = std::min(first.find(' '), first.size());
    request.method = first.substr(0, space);
    request.target = first.substr(std::min(space + 1, first.size()));
    for (auto line = take_line(text); !line.empty(); line = take_line(text)) {
        const auto colon = line.find(':');
        if (colon == line.npos || !is_token(line.substr(0, colon))) continue;
        request.headers.emplace_back(line.substr(0, colon), trim(line.substr(colon + 1)));
    }
    request.body = text;
    return request;
}

std::string* find(http::Request& request, std::string_view name) {
    for (auto& [key, value] : request.headers) {
        if (ascii_equal_ignoring_case(key, name)) return &value;
    }
    return nullptr;
}

void check_refused(World& world, const http::Request& request) {
    const auto verified = world.signatures.verify(request);
    check(!verified && verified.error().fault == table::Fault::invalid_signature);
}

void check_as_it_came(World& world, const http::Request& request) {
    using table::Fault;
    const auto verified = world.signatures.verify(request);
    if (verified) {
        auto changed = request;
        changed.body += ' ';
        return check_refused(world, changed);
    }
    constexpr Fault known[] = {Fault::missing_authentication, Fault::incomplete_signature,
                               Fault::unrecognized_client, Fault::invalid_signature};
    check(std::ranges::find(known, verified.error().fault) != std::end(known));
}

http::Request signed_by(World& world, http::Request request) {
    std::erase_if(request.headers, [](const http::Header& header) {
        return ascii_equal_ignoring_case(header.first, "Authorization") ||
               ascii_equal_ignoring_case(header.first, "X-Amz-Date");
    });
    for (const auto* name : {"Host", "X-Amz-Target"}) {
        if (!find(request, name)) request.headers.emplace_back(name, "x");
    }
    const std::string_view target = request.target;
    const auto mark = std::min(target.find('?'), target.size());
    request.headers = world.signer.sign(
        {request.method, target.substr(0, mark), target.substr(std::min(mark + 1, target.size())),
         std::move(request.headers), request.body},
        world.clock.now());
    return request;
}

void check_signed(World& world, const http::Request& request) {
    const auto verified = world.signatures.verify(request);
    check(verified && verified->id == world.key.id);
    const auto refused_after = [&](auto change) {
        auto changed = request;
        change(changed);
        check_refused(world, changed);
    };
    refused_after([](http::Request& changed) { changed.body += ' '; });
    refused_after([](http::Request& changed) { changed.method += 'X'; });
    refused_after([](http::Request& changed) { changed.target += "?&x=y"; });
    refused_after([](http::Request& changed) { changed.headers.front().second += 'x'; });
    refused_after([](http::Request& changed) { find(changed, "X-Amz-Target")->append("x"); });
    refused_after([](http::Request& changed) {
        auto& last = find(changed, "Authorization")->back();
        last = last == '0' ? '1' : '0';
    });
}

}  // namespace
}  // namespace mailroom::dynamodb

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mailroom::dynamodb;
    static World world;
    const auto request = read({reinterpret_cast<const char*>(data), size});
    check_as_it_came(world, request);
    check_signed(world, signed_by(world, request));
    return 0;
}
