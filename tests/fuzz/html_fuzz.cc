// Reads any bytes as the HTML of a mail. What the sanitiser writes must come through it unchanged
// and must hold nothing that runs or loads. Documents that we read ourselves must nest as gumbo
// nests them. The first byte chooses the options.
#include "mime/html/document_for_tests.h"
#include "mime/html/sanitise.h"
#include "mime/html/to_text.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace mailroom::mime;

// All that the writer puts between `<` and `>` is its own, so a plain search finds any breach.
void check_tags(std::string_view html) {
    constexpr std::string_view forbidden[] = {
        "<script", "<iframe", "<object", "<embed", "<form",     "<input", "<meta", "<base",
        "<link",   "<svg",    "<math",   "<title", "<template", "<!",     "<?",    "<noscript",
    };
    for (const auto tag : forbidden) assert(html.find(tag) == html.npos);
    for (auto open = html.find('<'); open != html.npos; open = html.find('<', open + 1)) {
        const auto close = html.find('>', open);
        assert(close != html.npos);
        const auto tag = html.substr(open, close - open);
        // Attribute values are quoted and escaped, so ` on` outside of quotes is a handler.
        bool quoted = false;
        for (std::size_t i = 0; i + 3 < tag.size(); ++i) {
            if (tag[i] == '"') quoted = !quoted;
            assert(quoted || !tag.substr(i).starts_with(" on"));
        }
        assert(tag.find("=\"javascript:") == tag.npos);
        assert(tag.find("url(") == tag.npos || tag.find("alt=") != tag.npos ||
               tag.find("title=") != tag.npos || tag.find("summary=") != tag.npos ||
               tag.find("abbr=") != tag.npos || tag.find("href=") != tag.npos ||
               tag.find("src") != tag.npos || tag.find("background=") != tag.npos);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view page(reinterpret_cast<const char*>(bytes + 1), size - 1);
    html_to_text(page);
    using Reader = html::Document::Reader;
    assert(html::tree_of(page, Reader::fitting) == html::tree_of(page, Reader::gumbo));

    SanitiseOptions options;
    if (bytes[0] & 1) options.external_loads = ExternalLoads::keep;
    if (bytes[0] & 2) options.data_images = DataImages::keep;
    const auto once = sanitise_html(page, options);
    check_tags(once.html);
    assert(html::tree_of(once.html, Reader::fitting) == html::tree_of(once.html, Reader::gumbo));
    const auto twice = sanitise_html(once.html, options);
    assert(twice.html == once.html);
    if (!(bytes[0] & 1)) assert(twice.external_loads.empty());
    return 0;
}
