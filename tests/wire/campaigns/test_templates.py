"""Templates over HTTP: kept in versions, previewed, checked."""

import base64
import pathlib
import sys
import unittest

WIRE = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(WIRE), str(WIRE / "outbox")]

from outbox_case import OutboxCase  # pylint: disable=wrong-import-position


class Templates(OutboxCase):
    settings = {"MAILROOM_TRACKING_URL": "https://u.example"}

    def template(self, name, method="GET", body=None, **options):
        return self.ask(method, f"/v1/templates/{name}", body, **options)

    def put(self, key, **content):
        answer = self.template(key, "PUT", content)
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def test_a_template_is_kept_in_versions_under_a_key_with_slashes(self):
        first = self.put("onboarding/welcome", subject="Hey {{ firstName }}",
                         html="<h1>Hello {{ firstName }}</h1>")
        self.assertEqual((first["key"], first["version"]), ("onboarding/welcome", 1))
        second = self.put("onboarding/welcome", subject="Hi {{ firstName }}", html="<h1>Hi</h1>",
                          version=1)
        self.assertEqual(second["version"], 2)
        refused = self.template("onboarding/welcome", "PUT", {"html": "x", "version": 1})
        self.assertEqual(refused.status, 409)
        self.assertEqual(refused.json["error"]["code"], "version_conflict")
        self.assertEqual(refused.json["error"]["details"], {"version": 2})

        self.assertEqual(self.template("onboarding/welcome").json, second)
        self.assertEqual(self.template("onboarding%2Fwelcome").json, second)
        self.assertEqual(self.template("onboarding/welcome?version=1").json["html"],
                         "<h1>Hello {{ firstName }}</h1>")
        listed = self.template("onboarding/welcome/versions").json["items"]
        self.assertEqual([each["version"] for each in listed], [2, 1])
        restored = self.put("onboarding/welcome", restore=1)
        self.assertEqual((restored["version"], restored["hash"]), (3, first["hash"]))

        self.assertEqual(self.template("onboarding/welcome", "DELETE").status, 204)
        self.assertEqual(self.template("onboarding/welcome").status, 404)
        self.assertEqual(self.template("onboarding/welcome?version=2").status, 200)

    def test_lists_go_on_where_a_page_ended(self):
        for name in ("one", "two", "three"):
            self.put(f"list/{name}", subject="x", html="x")
        first = self.ask("GET", "/v1/templates?prefix=list/&limit=2").json
        self.assertEqual([each["key"] for each in first["items"]], ["list/one", "list/three"])
        second = self.ask("GET", f"/v1/templates?prefix=list/&limit=2&after={first['next']}").json
        self.assertEqual([each["key"] for each in second["items"]], ["list/two"])
        self.assertIsNone(second["next"])

    def test_what_cannot_be_kept_is_refused_with_its_place(self):
        for key, body, status, words in (
                ("bad", {"html": "a\n{{ b | upcas }}"}, 400, "did you mean upcase"),
                ("bad", {"html": "{% include 'bad/none' %}"}, 422, "bad > bad/none"),
                ("bad", {}, 400, "says nothing"),
                ("bad", {"htm": "x"}, 400, "did you mean html"),
                ("bad", {"html": "x", "translations": {"no language": {"html": "x"}}}, 400,
                 "translations.no language"),
                ("bad", {"html": "x", "attachments": [{"filename": "a", "content": "%"}]}, 400,
                 "attachments[0].content"),
                ("a%20b", {"html": "x"}, 400, "key"),
                ("a/preview", {"html": "x"}, 405, ""),
                ("bad", {"restore": 7}, 404, "")):
            answer = self.template(key, "PUT", body)
            self.assertEqual(answer.status, status, (key, body, answer.body))
            self.assertIn(words, answer.body.decode())
        self.assertEqual(self.template("bad").status, 404)

    def test_a_preview_is_what_a_person_gets(self):
        self.ask("PUT", "/v1/people/jane@example.com",
                 {"firstName": "Jane", "attributes": {"plan": "pro"}, "language": "de"})
        self.put("layouts/main", html="<body>{% block content %}{% endblock %}"
                                      "<a href='{{ unsubscribeUrl }}'>x</a></body>")
        self.put("news/april", subject="News", preheader="For {{ firstName }}",
                 html="{% layout 'layouts/main' %}{% block content %}{{ firstName }}, "
                      "{{ planName }}<img src='cid:logo'>{% endblock %}",
                 translations={"de": {"subject": "Neues für {{ firstName }}"}},
                 display_names={"planName": {"pro": "Professional"}},
                 attachments=[{"filename": "logo.png", "content_id": "logo",
                               "content": base64.b64encode(b"picture").decode()}])
        seen = self.template("news/april/preview", "POST", {"email": "Jane@example.com"}).json
        self.assertEqual(seen["subject"], "Neues für Jane")
        self.assertIn("Jane, Professional", seen["html"])
        self.assertIn("https://u.example/u/", seen["html"])
        self.assertIn("For Jane", seen["html"])
        self.assertIn("List-Unsubscribe", [each["name"] for each in seen["headers"]])
        self.assertEqual([each["key"] for each in seen["versions"]],
                         ["news/april", "layouts/main"])
        self.assertEqual(seen["attachments"][0]["content_type"], "image/png")
        given = self.template("news/april/preview", "POST",
                              {"firstName": "Bob", "data": {"plan": "free"}}).json
        self.assertEqual((given["subject"], given["language"]), ("News", ""))
        self.assertIn("Bob, free", given["html"])

    def test_a_check_tells_facts_with_their_places(self):
        self.put("checked", subject="", html="<p>\n{{ plan }}<img src='https://x.example/a.png'>"
                                             "<a href='example'>x</a></p>")
        report = self.template("checked/check", "POST", {"from": "ann@example.com"}).json
        facts = {(each["code"], each.get("part", ""), each.get("line", 0))
                 for each in report["facts"]}
        self.assertEqual(facts, {("sender_not_signed", "", 0), ("subject_empty", "subject", 0),
                                 ("unknown_variable", "html", 2), ("link_broken", "html", 2),
                                 ("image_without_size", "html", 2),
                                 ("unsubscribe_link_missing", "html", 0),
                                 ("text_missing", "text", 0)})
        self.assertEqual(self.template("none/check", "POST", {}).status, 404)

    def test_a_key_may_do_what_its_scopes_say(self):
        self.put("scoped", subject="x", html="x")

        def key_with(*scopes):
            answer = self.ask("POST", "/v1/keys", {"name": "-".join(scopes), "scopes": scopes})
            self.assertEqual(answer.status, 201, answer.body)
            return answer.json["key"]

        reading, drafting = key_with("campaigns:read"), key_with("campaigns:draft")
        for method, path, body, of_reading, of_drafting in (
                ("GET", "scoped", None, 200, 200),
                ("PUT", "scoped", {"html": "y"}, 403, 200),
                ("POST", "scoped/preview", {}, 200, 200),
                ("POST", "scoped/preview", {"email": "jane@example.com"}, 403, 403),
                ("POST", "scoped/check", {"email": "jane@example.com"}, 403, 403),
                ("DELETE", "scoped", None, 403, 204)):
            with self.subTest(method=method, path=path):
                self.assertEqual(self.template(path, method, body, key=reading).status, of_reading)
                self.assertEqual(self.template(path, method, body, key=drafting).status,
                                 of_drafting)


if __name__ == "__main__":
    unittest.main()
