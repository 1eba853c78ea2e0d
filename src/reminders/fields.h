// What the fields of reminders are made with (table/records/member.h).
#pragma once

#include "program/forms.h"
#include "table/records/record.h"

namespace mailroom::reminders {

using namespace table::fields;
using table::OthersTime;

}  // namespace mailroom::reminders
