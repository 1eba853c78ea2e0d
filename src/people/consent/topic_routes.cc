#include "people/consent/consent_routes.h"
#include "people/people_routes.h"
#include "program/action.h"

namespace mailroom::people {

namespace {

using program::Actor;
using program::ById;
using program::Done;
using program::Of;
using table::PageWish;

}  // namespace

void add_topic_routes(program::Api& api, const TopicCatalog& topics) {
    api.group("Topics", "What mail can be about: people may want some topics and not others.");
    api.list("/v1/topics",
             {.name = "list_topics",
              .scope = scope::read,
              .summary = "List topics, by id",
              .agents = program::Agents::may},
             [&topics](const program::Nothing&, const PageWish& page, const Actor&) {
                 return topics.page(page);
             });
    api.get("/v1/topics/{id}",
            {.name = "show_topic",
             .scope = scope::read,
             .summary = "Show a topic",
             .agents = program::Agents::may},
            [&topics](const ById& in, const Actor&) { return topics.require(in.id); });
    api.put("/v1/topics/{id}",
            {.name = "save_topic",
             .scope = scope::write,
             .summary = "Make a topic, or change it",
             .more = "A mail says its topic with the member engagement.topic; whoever said no to "
                     "that topic does not get it."},
            [&topics](const Of<TopicDetails>& in, const Actor&) {
                return topics.save(in.id, in.asked);
            });
    api.remove("/v1/topics/{id}",
               {.name = "remove_topic",
                .scope = scope::write,
                .summary = "Remove a topic",
                .more = "Who said no to it stays so, should a topic of that id come again."},
               [&topics](const ById& in, const Actor&) -> Answer<Done> {
                   TRY(topics.remove(in.id));
                   return Done{};
               });
}

}  // namespace mailroom::people
