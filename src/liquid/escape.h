// Turning text into HTML text.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::liquid {

// & < > " ' become &amp; &lt; &gt; &#34; &#39;.
void append_escaped(std::string& out, std::string_view text);

// The reverse, for exactly those five.
void append_unescaped(std::string& out, std::string_view text);

}  // namespace mailroom::liquid
