#include "campaigns/sequences/subscriber.h"

#include "campaigns/sequences/json_path.h"
#include "people/profile.h"

namespace mailroom::campaigns {

Subscriber subscriber_in(const table::ValueView& event, const SubscriberMapping& mapping) {
    Subscriber subscriber;
    subscriber.email = text_by_path(mapping.email, event);
    subscriber.first_name = text_by_path(mapping.first_name, event);
    const auto attributes = find_by_path(mapping.attributes, event);
    if (attributes && attributes->view().kind() == table::Kind::map) {
        subscriber.attributes = table::Item(attributes->view().map());
    }
    return subscriber;
}

table::Value journey_data(const Subscriber& subscriber) {
    const table::Item person{{"email", subscriber.email},
                             {"firstName", subscriber.first_name},
                             {"attributes", table::Value::map(subscriber.attributes)}};
    return table::Value::map(table::Item{{"subscriber", table::Value::map(person)}});
}

void add_attributes(table::Item& profile, const table::ItemView& attributes) {
    for (const auto field : attributes) {
        if (!people::is_system_column(field.name)) profile.set(field.name, field.value);
    }
}

}  // namespace mailroom::campaigns
