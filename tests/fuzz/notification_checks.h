// What holds of anything that is read out of a notification, whoever wrote it.
#pragma once

#include "base/text.h"
#include "engagement/notifications/told.h"
#include "json/writer.h"

#include <cstdlib>
#include <string>
#include <string_view>

namespace mailroom::engagement::notifications {

inline void hold(bool holds) {
    if (!holds) std::abort();
}

inline void check_happening(const Happening& happening) {
    hold(!happening.id.empty() && happening.id.size() <= 200 && happening.mail_id.empty());
    hold(to_unix_seconds(happening.at) > 0);
    hold((happening.type == EventType::bounce) == happening.bounce.has_value());
    for (const auto* text : {&happening.email, &happening.subject, &happening.template_key,
                             &happening.sequence_id, &happening.message_id, &happening.link_url,
                             &happening.user_agent, &happening.reason, &happening.feedback_type}) {
        hold(is_utf8(*text));
    }
    if (!happening.bounce) return;
    hold(is_utf8(happening.bounce->diagnostic) && is_utf8(happening.bounce->notification_id));
    hold(!happening.bounce->subclass.empty() && !happening.bounce->type.empty());
}

inline void check(const Result<Telling>& telling) {
    if (!telling) return hold(!telling.error().message.empty());
    hold(telling->told.size() + telling->ignored <= told_max);
    for (const auto& told : telling->told) {
        check_happening(told.happening);
        hold(is_utf8(told.our_message_id));
    }
}

// The input as a value of JSON: as it is, or, if it is none, as text.
inline std::string as_value(std::string_view input) {
    json::Parser parser;
    if (parser.parse(input)) return std::string(input);
    std::string text;
    if (is_utf8(input)) json::append_text(text, input);
    return text.empty() ? "null" : text;
}

}  // namespace mailroom::engagement::notifications
