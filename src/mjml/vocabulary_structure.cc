// What arranges the parts of a mail.
#include "mjml/vocabulary_types.h"

namespace mailroom::mjml {
namespace {

Rules section_attributes() {
    return join({backgrounds("auto", "top center"),
                 borders(),
                 paddings("20px 0"),
                 {{"border-radius"},
                  {"direction", direction, "ltr"},
                  {"full-width", one_of("full-width|false|")},
                  {"text-align", left_center_right, "center"},
                  {"text-padding", lengths, "4px 4px 4px 0"}}});
}

Rules column_attributes() {
    return join({borders(),
                 paddings(),
                 {{"background-color", color_type},
                  {"border-radius", lengths},
                  {"direction", direction, "ltr"},
                  {"inner-background-color", color_type},
                  {"inner-border"},
                  {"inner-border-top"},
                  {"inner-border-right"},
                  {"inner-border-bottom"},
                  {"inner-border-left"},
                  {"inner-border-radius", lengths},
                  {"vertical-align", top_middle_bottom, "top"},
                  {"width", length}}});
}

Rules hero_attributes() {
    return join({paddings("0px"),
                 {{"background-color", color_type, "#ffffff"},
                  {"background-height", length},
                  {"background-position", text_type, "center center"},
                  {"background-url"},
                  {"background-width", length},
                  {"border-radius"},
                  {"container-background-color", color_type},
                  {"height", length, "0px"},
                  {"inner-background-color", color_type},
                  {"inner-padding", lengths},
                  {"inner-padding-top", length},
                  {"inner-padding-right", length},
                  {"inner-padding-bottom", length},
                  {"inner-padding-left", length},
                  {"mode", text_type, "fixed-height"},
                  {"vertical-align", top_middle_bottom, "top"}}});
}

std::vector<std::string_view> contents() {
    return {"mj-accordion", "mj-button", "mj-carousel", "mj-divider", "mj-image", "mj-raw",
            "mj-social",    "mj-spacer", "mj-table",    "mj-text",    "mj-navbar"};
}

}  // namespace

std::vector<ElementRule> structure_rules() {
    constexpr auto elements = ElementRule::Holds::elements;
    return {
        {"mj-body",
         elements,
         {{"width", pixels, "600px"}, {"background-color", color_type}},
         {"mj-raw", "mj-section", "mj-wrapper", "mj-hero"}},
        {"mj-wrapper",
         elements,
         join({section_attributes(), {{"gap", pixels}}}),
         {"mj-hero", "mj-raw", "mj-section"}},
        {"mj-section", elements, section_attributes(), {"mj-column", "mj-group", "mj-raw"}},
        {"mj-column", elements, column_attributes(), contents()},
        {"mj-group",
         elements,
         {{"background-color", color_type},
          {"direction", direction, "ltr"},
          {"vertical-align", top_middle_bottom},
          {"width", length}},
         {"mj-column", "mj-raw"}},
        {"mj-hero", elements, hero_attributes(), contents()},
    };
}

}  // namespace mailroom::mjml
