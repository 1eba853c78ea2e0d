#include "dynamodb/reply.h"

#include "table/wire/encoder.h"

#include <zlib.h>

#include <array>
#include <cstring>
#include <utility>

namespace mailroom::dynamodb {

namespace {

constexpr std::size_t id_chars = 52;
constexpr std::size_t chars_per_word = 12;  // 5 bits each out of 64.
constexpr std::size_t words_per_id = (id_chars + chars_per_word - 1) / chars_per_word;

// SplitMix64: every input another output, with all bits mixed.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

std::string checksum(std::string_view body) {
    return std::to_string(crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size()));
}

}  // namespace

RequestIds::RequestIds(Random& random) {
    std::array<std::uint8_t, sizeof seed_> bytes;
    random.fill(bytes);
    std::memcpy(seed_, bytes.data(), sizeof seed_);
}

std::string RequestIds::next() {
    constexpr char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
    const std::uint64_t first = count_.fetch_add(words_per_id, std::memory_order_relaxed);
    std::string id(id_chars, '0');
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < id_chars; ++i) {
        if (i % chars_per_word == 0) {
            word = mixed(seed_[0] + first + i / chars_per_word) ^ seed_[1];
        }
        id[i] = digits[word & 31];
        word >>= 5;
    }
    return id;
}

http::Response RequestIds::with_id(http::Response response) {
    response.headers.reserve(2);
    response.headers.emplace_back("x-amzn-RequestId", next());
    response.headers.emplace_back("x-amz-crc32", checksum(response.body));
    return response;
}

void Reply::send(int status, std::string body) const {
    http::Response response;
    response.status = status;
    response.content_type = content_type_;
    response.body = std::move(body);
    reply_(ids_->with_id(std::move(response)));
}

void Reply::refuse(const table::Failure& failure) const {
    std::string body;
    table::wire::append_failure(body, failure);
    send(table::wire::http_status(failure.fault), std::move(body));
}

}  // namespace mailroom::dynamodb
