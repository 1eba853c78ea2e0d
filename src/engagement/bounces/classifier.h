// Reads what a mail server, or a report about one, answered to a mail: why it did not arrive, whose
// fault that is, and who said so. All that is known of answers is in known_answers.cc, as data.
#pragma once

#include "engagement/bounces/cause.h"
#include "engagement/bounces/severity.h"

#include <string_view>

namespace mailroom::engagement::bounces {

// What is 0 or empty is not known.
struct Refused {
    int code = 0;                  // Of SMTP: 550.
    std::string_view status = {};  // RFC 3463: "5.1.1". Looked for in the text if it is empty.
    std::string_view text = {};    // In any charset; only its beginning is looked at.
    std::string_view host = {};    // Who said it: "mx00.gmx.net", with a port or without.
};

struct Diagnosis {
    Severity severity = Severity::unclear;
    Cause cause = Cause::unclear;
    std::string_view provider;  // "gmail": for ever. Empty: nobody we know.
    bool operator==(const Diagnosis&) const = default;
};

// An enhanced status that means one thing decides. One that servers use for anything is asked only
// after the words of that provider, and then those that many servers use; the code comes last.
// What was refused only for now is never hard. The address in an answer, which whoever chose it
// could make say anything, is not read.
Diagnosis classify(const Refused& refused);

// The seed's word for it, as a SUPPRESSION row has it: "Permanent", "Transient", "Undetermined".
std::string_view bounce_type(Severity severity);

}  // namespace mailroom::engagement::bounces
