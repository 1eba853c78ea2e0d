"""People over HTTP, and the same rows as a program of the schema reads and writes them."""

import pathlib
import sys
import unittest
import urllib.parse

import boto3
from boto3.dynamodb.conditions import Attr, Key

WIRE = pathlib.Path(__file__).resolve().parent.parent
# Its own folder first: others have a test of the same name.
sys.path[:0] = [str(WIRE / "people"), str(WIRE), str(WIRE / "outbox")]

import server  # pylint: disable=wrong-import-position
from outbox_case import SETTLED, OutboxCase, email  # pylint: disable=wrong-import-position


class PeopleCase(OutboxCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.audience = boto3.resource(
            "dynamodb", endpoint_url=cls.server.endpoint, region_name=server.REGION,
            aws_access_key_id=server.ACCESS_KEY,
            aws_secret_access_key=server.SECRET_KEY).Table("Audience")

    @staticmethod
    def path(address, *rest):
        return "/".join(["/v1/people", urllib.parse.quote(address, safe="@"), *rest])

    def put(self, address, **said):
        answer = self.ask("PUT", self.path(address), said)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def person(self, address):
        answer = self.ask("GET", self.path(address))
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def row(self, address, sort="PROFILE"):
        return self.audience.get_item(Key={"PK": f"SUB#{address}", "SK": sort},
                                      ConsistentRead=True).get("Item")

    def tagged(self, tag):
        rows = self.audience.query(KeyConditionExpression=Key("PK").eq(f"TAG#{tag}"),
                                   ConsistentRead=True)["Items"]
        return [row["SK"] for row in rows]

    def fate(self, to, stream="bulk"):
        """What becomes of a mail that is sent now."""
        identifier = self.post(email(to=to, stream=stream))
        mail = self.eventually(lambda: self.shown(identifier),
                               lambda mail: mail["state"] in SETTLED)
        return "sent" if mail["state"].startswith("SENT") else mail["reason"]


class Rows(PeopleCase):
    """What we write, found by the schema's own access patterns."""

    def test_a_person_is_the_profile_that_the_schema_says(self):
        self.put("Jane+x@Example.com", firstName="Jane", tags=["product-updates", "beta"],
                 attributes={"platform": "kajabi", "score": 1.5, "langs": ["en", "af"],
                             "address": {"city": "Paarl"}, "nothing": None})
        row = self.row("jane+x@example.com")
        at = row["createdAt"]
        self.assertRegex(at, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        wanted = {"email": "Jane+x@Example.com", "firstName": "Jane", "platform": "kajabi",
                  "langs": ["en", "af"], "address": {"city": "Paarl"}, "unsubscribed": False,
                  "suppressed": False, "tags": ["product-updates", "beta"], "updatedAt": at}
        self.assertEqual({name: row[name] for name in wanted}, wanted)
        self.assertEqual(float(row["score"]), 1.5)
        self.assertNotIn("nothing", row)
        tag = self.audience.get_item(Key={"PK": "TAG#beta", "SK": "SUB#jane+x@example.com"})
        self.assertEqual(tag["Item"], {"PK": "TAG#beta", "SK": "SUB#jane+x@example.com",
                                       "email": "jane+x@example.com", "taggedAt": at})

    def test_everything_of_a_person_is_one_partition(self):
        self.put("all@example.com", tags=["one"])
        answer = self.ask("POST", "/v1/suppressions",
                          {"address": "all@example.com", "reason": "complaint"})
        self.assertEqual(answer.status, 201, answer.body)
        rows = self.audience.query(KeyConditionExpression=Key("PK").eq("SUB#all@example.com"))
        self.assertEqual([row["SK"] for row in rows["Items"]], ["PROFILE", "SUPPRESSION"])
        suppression = rows["Items"][1]
        self.assertEqual((suppression["reason"], suppression["type"]), ("complaint", "Complaint"))
        self.assertTrue(self.row("all@example.com")["suppressed"])
        self.assertEqual(self.ask("DELETE", "/v1/suppressions/all@example.com").status, 204)
        self.assertFalse(self.row("all@example.com")["suppressed"])
        self.assertIsNone(self.row("all@example.com", "SUPPRESSION"))

    def test_who_may_get_a_broadcast_is_found_by_tag_and_flags(self):
        people = {"alice": (["pu", "beta9"], "pro"), "bob": (["pu"], "pro"),
                  "carl": (["pu", "beta9"], "free"), "dan": (["pu", "beta9"], "pro")}
        for name, (tags, plan) in people.items():
            self.put(f"{name}@aud.example", tags=tags, attributes={"plan": plan})
        self.ask("POST", self.path("dan@aud.example", "unsubscribe"), {})
        both = set(self.tagged("pu")) & set(self.tagged("beta9"))
        self.assertEqual(both, {f"SUB#{name}@aud.example" for name in ("alice", "carl", "dan")})
        scanned = self.audience.scan(
            FilterExpression=Attr("SK").eq("PROFILE") & Attr("unsubscribed").eq(False)
            & Attr("suppressed").eq(False) & Attr("plan").eq("pro"), ConsistentRead=True)["Items"]
        self.assertEqual({row["email"] for row in scanned},
                         {"alice@aud.example", "bob@aud.example"})

    def test_tags_are_replaced_as_a_whole_and_one_by_one(self):
        self.put("t@example.com", tags=["a", "b"])
        self.put("t@example.com", tags=["b", "c"])
        self.assertEqual((self.tagged("a"), self.tagged("c")), ([], ["SUB#t@example.com"]))
        self.put("t@example.com", tags=[])
        self.assertEqual(self.row("t@example.com")["tags"], ["b", "c"])
        self.assertEqual(self.ask("PUT", self.path("T@example.com", "tags", "a%20%23%2F")).status,
                         200)
        self.assertEqual(self.tagged("a #/"), ["SUB#t@example.com"])
        self.assertEqual(self.ask("DELETE", self.path("t@example.com", "tags", "b")).json["tags"],
                         ["c", "a #/"])
        answer = self.ask("PATCH", self.path("t@example.com"), {"tags": []})
        self.assertEqual(answer.json["tags"], [])
        self.assertEqual(self.tagged("c"), [])
        many = [f"many-{number}" for number in range(120)]
        self.assertEqual(self.put("t@example.com", tags=many)["tags"], many)
        self.assertEqual(self.tagged("many-119"), ["SUB#t@example.com"])


class Routes(PeopleCase):
    def test_a_person_is_merged_changed_and_shown(self):
        made = self.put("Ann@Example.org", firstName="Ann", attributes={"plan": "pro", "n": 1},
                        time_zone="Europe/Berlin", language="de", source="form")
        self.assertEqual(made["email"], "Ann@Example.org")
        merged = self.put("ann@example.org", attributes={"n": 2}, source="import")
        self.assertEqual((merged["attributes"], merged["firstName"], merged["source"]),
                         ({"plan": "pro", "n": 2}, "Ann", "form"))
        answer = self.ask("PATCH", self.path("ANN@example.org"),
                          {"attributes": {"plan": None, "city": "Bonn"}, "tracking": False,
                           "language": ""})
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(answer.json["attributes"], {"n": 2, "city": "Bonn"})
        shown = self.person("ann@EXAMPLE.org")
        self.assertEqual((shown["tracking"], shown["language"], shown["time_zone"]),
                         (False, None, "Europe/Berlin"))

    def test_what_is_wrong_is_said_by_name_and_nothing_is_written(self):
        answer = self.ask("PUT", self.path("w@example.com"), {
            "attributes": {"unsubscribed": False, "ttl": 1, "mailroomX": 1, "fine": 1},
            "tags": ["", "ok"], "time_zone": "Mars", "surname": "X"})
        self.assertEqual(answer.status, 400, answer.body)
        for name in ("attributes.unsubscribed", "attributes.ttl", "attributes.mailroomX",
                     "surname"):
            self.assertIn(name, answer.body.decode())
        self.assertIsNone(self.row("w@example.com"))
        for method, path, body, status in (
                ("PUT", self.path("not an address"), {}, 400),
                ("GET", self.path("nobody@example.com"), None, 404),
                ("PATCH", self.path("nobody@example.com"), {"tags": []}, 404),
                ("PATCH", self.path("w@example.com"), {}, 400),
                ("DELETE", self.path("nobody@example.com"), None, 404),
                ("PUT", self.path("nobody@example.com", "tags", "x"), None, 404),
                ("POST", self.path("nobody@example.com", "resubscribe"), {}, 404),
                ("PUT", self.path("w@example.com"), {"unsubscribed": False}, 400)):
            with self.subTest(f"{method} {path}"):
                self.assertEqual(self.ask(method, path, body).status, status)

    def test_scopes_keep_readers_from_writing(self):
        made = self.ask("POST", "/v1/keys", {"name": "r", "scopes": ["people:read"]})
        reader = made.json["key"]
        self.put("s@example.com")
        self.assertEqual(self.ask("GET", self.path("s@example.com"), key=reader).status, 200)
        for method, rest in (("PUT", ()), ("PATCH", ()), ("DELETE", ()), ("PUT", ("tags", "x")),
                             ("POST", ("unsubscribe",))):
            self.assertEqual(self.ask(method, self.path("s@example.com", *rest), {},
                                      key=reader).status, 403)

    def test_who_unsubscribed_gets_what_they_wait_for_only(self):
        self.put("u@example.com")
        self.assertEqual(self.fate("U@example.com"), "sent")
        answer = self.ask("POST", self.path("u@example.com", "unsubscribe"),
                          {"source": "form", "form": "/account", "ip": "192.0.2.1"})
        self.assertTrue(answer.json["unsubscribed"])
        self.assertEqual(self.fate("U@example.com"), "unsubscribed: request")
        self.assertEqual(self.fate("u@example.com", stream="transactional"), "sent")
        self.ask("POST", "/v1/suppressions", {"address": "u@example.com", "reason": "bounce"})
        self.assertEqual(self.fate("u@example.com"), "unsubscribed: request")
        self.assertEqual(self.fate("u@example.com", stream="transactional"), "suppressed: bounce")
        answer = self.ask("POST", self.path("u@example.com", "resubscribe"), {})
        self.assertEqual((answer.json["unsubscribed"], answer.json["suppressed"]), (False, True))

    def test_who_is_erased_is_gone_and_not_written_to_when_they_are_added_again(self):
        self.put("gone@example.com", firstName="Gone", tags=["leaving"])
        self.audience.put_item(Item={"PK": "SUB#gone@example.com", "SK": "EXEC#onboarding"})
        self.audience.put_item(Item={"PK": "EXEC#onboarding", "SK": "SUB#gone@example.com"})
        self.assertEqual(self.ask("DELETE", self.path("Gone@example.com")).status, 204)
        self.assertEqual(self.ask("GET", self.path("gone@example.com")).status, 404)
        left = self.audience.scan(ConsistentRead=True)["Items"]
        self.assertFalse([row for row in left if "gone@" in str(row)])
        self.assertEqual(self.fate("gone@example.com", stream="transactional"),
                         "suppressed: erased")
        self.assertTrue(self.put("GONE@example.com")["suppressed"])
        self.assertEqual(self.fate("gone@example.com"), "suppressed: erased")


class Others(PeopleCase):
    """What a program of the schema writes, understood at once."""

    def flag(self, address, name, value):
        """As it does it: also where there is no profile."""
        self.audience.update_item(
            Key={"PK": f"SUB#{address}", "SK": "PROFILE"},
            UpdateExpression=f"SET {name} = :value, updatedAt = :now",
            ExpressionAttributeValues={":value": value, ":now": "2026-03-17T10:30:00.000Z"})

    def test_its_no_holds_for_the_next_mail(self):
        for number in range(10):
            address = f"no{number}@example.com"
            self.assertEqual(self.fate(address), "sent")
            self.flag(address, "unsubscribed", True)
            self.assertIn("unsubscribed", self.fate(address))
            self.flag(address, "suppressed", True)
            self.assertIn("suppressed", self.fate(address, stream="transactional"))

    def test_its_phantom_is_a_person(self):
        self.flag("phantom@example.com", "suppressed", True)
        shown = self.person("phantom@example.com")
        self.assertEqual((shown["email"], shown["suppressed"]), ("phantom@example.com", True))

    def test_its_upsert_and_tags_are_read(self):
        self.audience.update_item(
            Key={"PK": "SUB#up@example.com", "SK": "PROFILE"},
            UpdateExpression="SET email = :e, firstName = :f, #p = :p, tags = :t, createdAt = "
                             "if_not_exists(createdAt, :n), unsubscribed = "
                             "if_not_exists(unsubscribed, :no), suppressed = "
                             "if_not_exists(suppressed, :no), updatedAt = :n",
            ExpressionAttributeNames={"#p": "plan"},
            ExpressionAttributeValues={":e": "up@example.com", ":f": "Up", ":p": "pro",
                                       ":t": ["x", "y"], ":no": False,
                                       ":n": "2026-03-01T00:00:00.000Z"})
        shown = self.person("up@example.com")
        self.assertEqual((shown["firstName"], shown["tags"], shown["attributes"]),
                         ("Up", ["x", "y"], {"plan": "pro"}))
        self.assertEqual(shown["createdAt"], "2026-03-01T00:00:00.000Z")

    def test_its_yes_is_heeded_once_it_took_both_back(self):
        self.put("back@example.com")
        self.ask("POST", "/v1/suppressions", {"address": "back@example.com", "reason": "bounce"})
        self.audience.delete_item(Key={"PK": "SUB#back@example.com", "SK": "SUPPRESSION"})
        self.flag("back@example.com", "suppressed", False)
        self.eventually(lambda: self.ask("GET", "/v1/suppressions/back@example.com").status,
                        lambda status: status == 404)
        self.assertEqual(self.fate("back@example.com", stream="transactional"), "sent")

    def test_what_it_wrote_before_a_kill_holds_after_it(self):
        self.put("killed@example.com")
        self.flag("killed@example.com", "suppressed", True)
        self.server.kill()
        self.server.start()
        self.assertIn("suppressed", self.fate("killed@example.com", stream="transactional"))


if __name__ == "__main__":
    unittest.main()
