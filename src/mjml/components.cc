#include "mjml/components.h"

#include <array>
#include <utility>

namespace mailroom::mjml {

ComponentWriter find_writer(std::string_view tag) {
    constexpr std::array<std::pair<std::string_view, ComponentWriter>, 23> writers = {{
        {"mj-body", write_body},
        {"mj-wrapper", write_wrapper},
        {"mj-section", write_section},
        {"mj-column", write_column},
        {"mj-group", write_group},
        {"mj-hero", write_hero},
        {"mj-raw", write_raw},
        {"mj-text", write_text},
        {"mj-button", write_button},
        {"mj-image", write_image},
        {"mj-divider", write_divider},
        {"mj-spacer", write_spacer},
        {"mj-table", write_table},
        {"mj-social", write_social},
        {"mj-social-element", write_social_element},
        {"mj-navbar", write_navbar},
        {"mj-navbar-link", write_navbar_link},
        {"mj-accordion", write_accordion},
        {"mj-accordion-element", write_accordion_element},
        {"mj-accordion-title", write_accordion_title},
        {"mj-accordion-text", write_accordion_text},
        {"mj-carousel", write_carousel},
        {"mj-carousel-image", write_carousel_image},
    }};
    for (const auto& [name, writer] : writers) {
        if (name == tag) return writer;
    }
    return nullptr;
}

}  // namespace mailroom::mjml
