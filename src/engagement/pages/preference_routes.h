// /preferences/{token}: what somebody wants to get, shown and changed by them. /confirm/{token}:
// they say that they want what was asked for in their name, by a POST, because programs that look
// at links open them, too. For anybody who has the link.
#pragma once

#include "engagement/pages/leaving.h"
#include "engagement/pages/reception.h"
#include "people/consent/preferences.h"
#include "program/api.h"

namespace mailroom::engagement {

// All must outlive the routes.
void add_preference_routes(program::Api& api, const Reception& reception,
                           const people::Preferences& preferences, Leaving& leaving);
void add_confirmation_routes(program::Api& api, const Reception& reception,
                             const people::Preferences& preferences);

}  // namespace mailroom::engagement
