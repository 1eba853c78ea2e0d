// Bodies of requests, as a stranger might send them: nothing crashes, and what is accepted means
// the same after it was written and read again. The first byte picks the operation, the rest is the
// body.
#include "table/wire/decode_by_name.h"

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mailroom::table::wire;
    if (size == 0) return 0;
    static Decoder decoder;
    const auto operation = operation_names[data[0] % std::size(operation_names)];
    const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto once = decode_by_name(decoder, operation, body);
    if (!once.accepted) return 0;
    const auto twice = decode_by_name(decoder, operation, once.text);
    if (!twice.accepted || twice.text != once.text) std::abort();
    return 0;
}
