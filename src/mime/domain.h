// Domain names as mail needs them: one ASCII form for what people may write in many scripts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime {

// Lower case, without a final dot, internationalised labels as A-labels (`xn--…`; UTS 46,
// non-transitional). Address literals (`[192.0.2.1]`) are lowered only. None when it is not a
// domain name: an empty label, a character that no host name has, a label over 63 or a name over
// 253 bytes.
std::optional<std::string> domain_to_ascii(std::string_view domain);

}  // namespace mailroom::mime
