// What the addresses in a mail's HTML point at. Private to this folder.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime::html {

struct Url {
    enum class Kind {
        web,         // http, https
        mail,        // mailto
        telephone,   // tel
        content_id,  // cid: a part of the same mail
        data_image,  // data: with a PNG, JPEG, GIF or WebP image in base 64
        fragment,    // #name
        refused,     // Everything else: other schemes, and relative ones, which a mail cannot have.
    };

    Kind kind = Kind::refused;
    std::string text;  // As a browser would understand it: no spaces or control characters.
};

Url read_url(std::string_view text);

}  // namespace mailroom::mime::html
