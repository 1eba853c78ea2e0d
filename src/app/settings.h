// The list of every key of the configuration: the server's own, and those that its programs
// declare. The file, the environment, the flags, the help and docs/configuration.md are all made
// from it, so they cannot disagree.
#pragma once

#include "app/config.h"
#include "program/settings.h"

#include <string>
#include <vector>

namespace mailroom::app {

using program::Setting;

// Sections together, in the order of the documentation. They set and show this `config`, which must
// outlive the list and may not be moved meanwhile.
std::vector<Setting> settings_of(Config& config);

// The reference part of docs/configuration.md.
std::string settings_markdown();

}  // namespace mailroom::app
