// The line that a mail program of a phone puts below every mail: `Sent from my iPhone`.
#pragma once

#include <string_view>

namespace mailroom::mime {

// Only when every word of the line belongs to such a line, in a dozen languages: `Sent from our
// Berlin office` and `Sent from my phone, call me there` are what a person wrote, and so is `Sent
// via mail`, which names no brand and nobody's device.
bool is_device_signature(std::string_view line);

}  // namespace mailroom::mime
