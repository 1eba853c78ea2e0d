// What looks wrong in a source that can be compiled all the same. Private to this folder.
#pragma once

#include "mjml/element.h"
#include "mjml/warnings.h"

namespace mailroom::mjml {

void validate(const Element& root, Warnings& warnings);

}  // namespace mailroom::mjml
