// What build() refuses. For build.cc only.
#pragma once

#include "base/result.h"
#include "mime/build/build.h"
#include "mime/parameters.h"

#include <string>
#include <string_view>

namespace mailroom::mime {

// `invalid` with the name of the member that is wrong. After Ok every value may be written.
Result<> check(const Message& message, const BuildOptions& options);

// The last part of a path, of what sent it: `C:\x\a.pdf` is `a.pdf`. `invalid` for control
// characters and what is too long.
Result<std::string> cleaned_filename(std::string_view given);

// `invalid` for what is not `type/subtype` with parameters, and for multipart, which only build()
// makes. Empty is application/octet-stream.
Result<ParameterizedValue> checked_content_type(std::string_view given);

}  // namespace mailroom::mime
