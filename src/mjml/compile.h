// MJML, the markup that teams write their mails in, becomes the HTML that mail programs understand.
//
// The source may come from anybody who may store a template: time and memory are bounded, nothing
// is read from disk or network. Liquid in texts and attribute values passes through untouched, so
// a mail is compiled once and filled for each person.
#pragma once

#include "mjml/failure.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mjml {

struct Options {
    std::size_t source_bytes_max = 1024 * 1024;
    // What is written again for every component (classes, mj-all) can make much of little.
    std::size_t html_bytes_max = 4 * 1024 * 1024;
    std::size_t warnings_max = 100;  // Those after are counted by a last one.
    // Where the icons of mj-social-element are that have no src of their own.
    std::string social_icons = "https://www.mailjet.com/images/theme/v1/icons/ico-social/";
};

// What was left out or looks wrong. The mail is made all the same.
struct Warning {
    std::size_t line = 0;
    std::string tag;
    std::string message;
    bool operator==(const Warning&) const = default;
};

struct Compiled {
    std::string html;
    std::vector<Warning> warnings;  // In the order of lines.
    std::string title;              // Of mj-title, as it stands.
    std::string preview;            // Of mj-preview, as it stands.
};

// Fails where a mail would lack what its author meant: text that is no MJML, an element that is
// never closed, mj-include, Liquid between attributes, a limit.
Result<Compiled, Failure> compile(std::string_view source, const Options& options = {});

}  // namespace mailroom::mjml
