"""The people of the benchmark: the same for every side, however often they are asked for.

Each has six attributes and three of thirty tags; of the mails of the last ninety days some were
opened and fewer clicked.
"""
import csv
import io
import random

TAGS = [f"tag-{number:02}" for number in range(30)]
PLANS = ["free", "starter", "pro", "team"]
COUNTRIES = ["DE", "FR", "ES", "IT", "NL", "PL", "PT", "GB", "US", "ZA"]
LANGUAGES = ["en", "de", "fr", "es"]
FIRST_NAMES = ["Ann", "Bob", "Carla", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan"]
COLUMNS = ["email", "firstName", "plan", "country", "city", "seats", "source", "score", "tags"]
OPENED_SHARE, CLICKED_SHARE = 0.4, 0.1
DAYS = 90


class Person:
    def __init__(self, number):
        chance = random.Random(number)
        self.email = f"person{number:07}@example{number % 97}.com"
        self.first_name = chance.choice(FIRST_NAMES)
        self.attributes = {
            "plan": chance.choice(PLANS), "country": chance.choice(COUNTRIES),
            "city": f"City {chance.randrange(500)}", "seats": chance.randrange(1, 50),
            "source": f"page-{chance.randrange(40)}", "score": chance.randrange(1000)}
        self.tags = chance.sample(TAGS, 3)
        self.opened_days_ago = chance.randrange(DAYS) if chance.random() < OPENED_SHARE else None
        opened = self.opened_days_ago is not None
        self.clicked = opened and chance.random() < CLICKED_SHARE / OPENED_SHARE


def people(count):
    return map(Person, range(count))


def as_csv(some):
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for person in some:
        rows.writerow([person.email, person.first_name, *person.attributes.values(),
                       ",".join(person.tags)])
    return text.getvalue()
