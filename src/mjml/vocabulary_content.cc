// What a reader of the mail sees.
#include "mjml/vocabulary_types.h"

namespace mailroom::mjml {
namespace {

constexpr auto html = ElementRule::Holds::html;
constexpr auto elements = ElementRule::Holds::elements;

Rules text_attributes() {
    return join({fonts("#000000"),
                 paddings("10px 25px"),
                 {{"align", one_of("left|right|center|justify"), "left"},
                  {"background-color", color_type},
                  {"container-background-color", color_type},
                  {"height", length},
                  {"letter-spacing", letter_spacing},
                  {"line-height", line_height, "1"},
                  {"text-decoration"},
                  {"text-transform"},
                  {"vertical-align", top_middle_bottom}}});
}

Rules button_attributes() {
    return join({borders("none"),
                 paddings("10px 25px"),
                 {{"align", left_center_right, "center"},
                  {"background-color", color_type, "#414141"},
                  {"border-radius", text_type, "3px"},
                  {"color", color_type, "#ffffff"},
                  {"container-background-color", color_type},
                  {"font-family", text_type, default_fonts},
                  {"font-size", pixels, "13px"},
                  {"font-style"},
                  {"font-weight", text_type, "normal"},
                  {"height", length},
                  {"href"},
                  {"inner-padding", lengths, "10px 25px"},
                  {"letter-spacing", letter_spacing},
                  {"line-height", line_height, "120%"},
                  {"name"},
                  {"rel"},
                  {"target", text_type, "_blank"},
                  {"text-align", left_center_right},
                  {"text-decoration", text_type, "none"},
                  {"text-transform", text_type, "none"},
                  {"title"},
                  {"vertical-align", top_middle_bottom, "middle"},
                  {"width", length}}});
}

Rules image_attributes() {
    return join({borders("0"),
                 paddings("10px 25px"),
                 {{"align", left_center_right, "center"},
                  {"alt", text_type, ""},
                  {"border-radius", lengths},
                  {"container-background-color", color_type},
                  {"fluid-on-mobile", boolean_type},
                  {"font-size", pixels, "13px"},
                  {"height", ValueType{Kind::unit, "px|auto"}, "auto"},
                  {"href"},
                  {"max-height", length},
                  {"name"},
                  {"rel"},
                  {"sizes"},
                  {"src"},
                  {"srcset"},
                  {"target", text_type, "_blank"},
                  {"title"},
                  {"usemap"},
                  {"width", pixels}}});
}

Rules divider_attributes() {
    return join({paddings("10px 25px"),
                 {{"align", left_center_right, "center"},
                  {"border-color", color_type, "#000000"},
                  {"border-style", text_type, "solid"},
                  {"border-width", pixels, "4px"},
                  {"container-background-color", color_type},
                  {"width", length, "100%"}}});
}

Rules table_attributes() {
    return join({paddings("10px 25px"),
                 {{"align", left_center_right, "left"},
                  {"border", text_type, "none"},
                  {"cellpadding", integer_type, "0"},
                  {"cellspacing", integer_type, "0"},
                  {"color", color_type, "#000000"},
                  {"container-background-color", color_type},
                  {"font-family", text_type, default_fonts},
                  {"font-size", pixels, "13px"},
                  {"font-weight"},
                  {"line-height", line_height, "22px"},
                  {"role", one_of("none|presentation")},
                  {"table-layout", one_of("auto|fixed|initial|inherit"), "auto"},
                  {"vertical-align", top_middle_bottom},
                  {"width", ValueType{Kind::unit, "px|%|auto"}, "100%"}}});
}

}  // namespace

std::vector<ElementRule> content_rules() {
    return {
        {"mj-text", html, text_attributes()},
        {"mj-button", html, button_attributes()},
        {"mj-image", elements, image_attributes()},
        {"mj-divider", elements, divider_attributes()},
        {"mj-spacer", elements,
         join({borders(),
               paddings(),
               {{"container-background-color", color_type}, {"height", length, "20px"}}})},
        {"mj-table", html, table_attributes()},
    };
}

}  // namespace mailroom::mjml
