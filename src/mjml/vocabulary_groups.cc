// Elements that are made of parts.
#include "mjml/vocabulary_types.h"

namespace mailroom::mjml {
namespace {

constexpr auto html = ElementRule::Holds::html;
constexpr auto elements = ElementRule::Holds::elements;

Rules social_attributes() {
    return join({fonts("#333333"),
                 paddings("10px 25px"),
                 {{"align", left_center_right, "center"},
                  {"border-radius", length, "3px"},
                  {"container-background-color", color_type},
                  {"icon-size", length, "20px"},
                  {"icon-height", length},
                  {"icon-padding", lengths},
                  {"inner-padding", lengths},
                  {"line-height", line_height, "22px"},
                  {"mode", one_of("horizontal|vertical"), "horizontal"},
                  {"table-layout", one_of("auto|fixed")},
                  {"text-decoration", text_type, "none"},
                  {"text-padding", lengths},
                  {"vertical-align", top_middle_bottom}}});
}

Rules social_element_attributes() {
    return join({fonts("#000"),
                 paddings("4px"),
                 {{"align", left_center_right, "left"},
                  {"alt", text_type, ""},
                  {"background-color", color_type},
                  {"border-radius", pixels, "3px"},
                  {"href"},
                  {"icon-height", length},
                  {"icon-padding", lengths},
                  {"icon-position", left_or_right, "left"},
                  {"icon-size", length},
                  {"line-height", line_height, "1"},
                  {"name"},
                  {"rel"},
                  {"sizes"},
                  {"src"},
                  {"srcset"},
                  {"target", text_type, "_blank"},
                  {"text-decoration", text_type, "none"},
                  {"text-padding", lengths, "4px 4px 4px 0"},
                  {"title"},
                  {"vertical-align", top_middle_bottom, "middle"}}});
}

Rules navbar_attributes() {
    return join({paddings(),
                 {{"align", left_center_right, "center"},
                  {"base-url"},
                  {"hamburger"},
                  {"ico-align", left_center_right, "center"},
                  {"ico-close", text_type, "&#8855;"},
                  {"ico-color", color_type, "#000000"},
                  {"ico-font-family", text_type, default_fonts},
                  {"ico-font-size", length, "30px"},
                  {"ico-line-height", line_height, "30px"},
                  {"ico-open", text_type, "&#9776;"},
                  {"ico-padding", lengths, "10px"},
                  {"ico-padding-top", length},
                  {"ico-padding-right", length},
                  {"ico-padding-bottom", length},
                  {"ico-padding-left", length},
                  {"ico-text-decoration", text_type, "none"},
                  {"ico-text-transform", text_type, "uppercase"}}});
}

Rules navbar_link_attributes() {
    return join({paddings("15px 10px"),
                 {{"color", color_type, "#000000"},
                  {"font-family", text_type, default_fonts},
                  {"font-size", pixels, "13px"},
                  {"font-style"},
                  {"font-weight", text_type, "normal"},
                  {"href"},
                  {"letter-spacing", letter_spacing},
                  {"line-height", line_height, "22px"},
                  {"name"},
                  {"rel"},
                  {"target", text_type, "_blank"},
                  {"text-decoration", text_type, "none"},
                  {"text-transform", text_type, "uppercase"}}});
}

// With presets or, for the parts of an accordion that inherit them, without.
Rules accordion_icons(bool with_presets) {
    auto preset = [&](std::string_view value) {
        return with_presets ? std::optional(value) : std::nullopt;
    };
    return {{"border", text_type, preset("2px solid black")},
            {"font-family", text_type, preset(default_fonts)},
            {"icon-align", top_middle_bottom, preset("middle")},
            {"icon-height", length, preset("32px")},
            {"icon-position", left_or_right, preset("right")},
            {"icon-unwrapped-alt", text_type, preset("-")},
            {"icon-unwrapped-url", text_type, preset("https://i.imgur.com/w4uTygT.png")},
            {"icon-width", length, preset("32px")},
            {"icon-wrapped-alt", text_type, preset("+")},
            {"icon-wrapped-url", text_type, preset("https://i.imgur.com/bIXv1bk.png")}};
}

Rules accordion_words() {
    return join({paddings("16px"),
                 {{"background-color", color_type},
                  {"color", color_type},
                  {"font-family"},
                  {"font-size", pixels, "13px"},
                  {"font-weight"}}});
}

Rules carousel_attributes() {
    return join({paddings(),
                 {{"align", left_center_right, "center"},
                  {"border-radius", lengths, "6px"},
                  {"container-background-color", color_type},
                  {"icon-width", length},
                  {"left-icon"},
                  {"right-icon"},
                  {"thumbnails", one_of("visible|hidden|supported")},
                  {"tb-border"},
                  {"tb-border-radius", length},
                  {"tb-hover-border-color", color_type},
                  {"tb-selected-border-color", color_type},
                  {"tb-width", length}}});
}

Rules carousel_image_attributes() {
    return {{"alt", text_type, ""},
            {"border-radius", lengths},
            {"href"},
            {"rel"},
            {"src"},
            {"target", text_type, "_blank"},
            {"tb-border"},
            {"tb-border-radius", lengths},
            {"thumbnails-src"},
            {"title"}};
}

std::vector<ElementRule> accordion_rules() {
    return {
        {"mj-accordion",
         elements,
         join({accordion_icons(true),
               paddings("10px 25px"),
               {{"container-background-color", color_type}}}),
         {"mj-accordion-element", "mj-raw"}},
        {"mj-accordion-element",
         elements,
         join({accordion_icons(false), {{"background-color", color_type}}}),
         {"mj-accordion-title", "mj-accordion-text", "mj-raw"}},
        {"mj-accordion-title", html, accordion_words()},
        {"mj-accordion-text", html,
         join({accordion_words(),
               {{"letter-spacing", letter_spacing}, {"line-height", line_height, "1"}}})},
    };
}

}  // namespace

std::vector<ElementRule> group_rules() {
    auto rules = accordion_rules();
    rules.push_back({"mj-social", elements, social_attributes(), {"mj-social-element", "mj-raw"}});
    rules.push_back({"mj-social-element", html, social_element_attributes()});
    rules.push_back({"mj-navbar", elements, navbar_attributes(), {"mj-navbar-link", "mj-raw"}});
    rules.push_back({"mj-navbar-link", html, navbar_link_attributes()});
    rules.push_back({"mj-carousel", elements, carousel_attributes(), {"mj-carousel-image"}});
    rules.push_back({"mj-carousel-image", html, carousel_image_attributes()});
    return rules;
}

}  // namespace mailroom::mjml
