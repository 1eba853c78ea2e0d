// What is to be said of a letter before it is sent.
#pragma once

#include "campaigns/templates/fact.h"
#include "campaigns/templates/letter.h"

#include <string>
#include <vector>

namespace mailroom::campaigns {

// What nobody gives that it reads: neither the reader, nor what it says of itself.
std::vector<Fact> unknown_variables(const Letter& letter, const Reader& reader, Time now);

// Of a mail as it was rendered.
enum class Leaving { must_be_possible, not_asked };
std::vector<Fact> facts_of_mail(const Letter& letter, const RenderedMail& mail, Leaving leaving);

Fact fact_of(const RenderFault& fault, const std::string& language);

}  // namespace mailroom::campaigns
