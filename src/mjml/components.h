// How each component is written. Private to this folder.
#pragma once

#include "mjml/page.h"

namespace mailroom::mjml {

// Different widths; a mail has a handful.
constexpr std::size_t media_queries_max = 1000;

void write_body(Page& page, const Item& item);
void write_wrapper(Page& page, const Item& item);
void write_section(Page& page, const Item& item);
void write_column(Page& page, const Item& item);
void write_group(Page& page, const Item& item);
void write_hero(Page& page, const Item& item);
void write_raw(Page& page, const Item& item);
void write_text(Page& page, const Item& item);
void write_button(Page& page, const Item& item);
void write_image(Page& page, const Item& item);
void write_divider(Page& page, const Item& item);
void write_spacer(Page& page, const Item& item);
void write_table(Page& page, const Item& item);
void write_social(Page& page, const Item& item);
void write_social_element(Page& page, const Item& item);
void write_navbar(Page& page, const Item& item);
void write_navbar_link(Page& page, const Item& item);
void write_accordion(Page& page, const Item& item);
void write_accordion_element(Page& page, const Item& item);
void write_accordion_title(Page& page, const Item& item);
void write_accordion_text(Page& page, const Item& item);
void write_carousel(Page& page, const Item& item);
void write_carousel_image(Page& page, const Item& item);

// The width of a column or group that says none is its share.
Width column_width(const Item& item);
// In pixels, for Outlook.
std::string column_width_px(const Item& item);

// The cell around a component of a column or a hero.
Tag content_cell(const Item& item);

// A background image for Outlook, which needs it drawn; around a section.
void begin_drawn_background(Page& page, const Item& section);
void end_drawn_background(Page& page);
// The declarations of a section's background.
void take_background(Style& style, const Item& section);

// The address of an icon and what else a social network is known by.
struct SocialNetwork {
    std::string_view color, icon, share_address;  // The last one empty: the link as it is.
};
const SocialNetwork* find_social_network(std::string_view name);

// Rules that the components of this tag need in the head of the page.
bool has_head_style(std::string_view tag);
std::string head_style(std::string_view tag, std::string_view breakpoint);

}  // namespace mailroom::mjml
