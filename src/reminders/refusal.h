// Why reminders refuse, with how things stand.
#pragma once

#include "base/refusal.h"
#include "reminders/figures.h"
#include "reminders/rules.h"

#include <string>

namespace mailroom::reminders {

struct Draft;

// A decision forbids it; details: decision, draft_id.
Refusal refused_by_rule(const Decision& decision);
// The same refusal, with the figures of now in the details.
Refusal with_figures(Refusal refusal, const Figures& figures);
// It is not as the caller saw it; details: status, version.
Refusal changed_meanwhile(const Draft& draft);
// Its text is not the one that was meant; details: also content_hash.
Refusal content_changed(const Draft& draft, std::string message);

}  // namespace mailroom::reminders
