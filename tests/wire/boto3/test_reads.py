"""Query and Scan: key conditions, order, filters, projections, pages, indexes, segments."""

import unittest
from concurrent.futures import ThreadPoolExecutor

from boto3.dynamodb.conditions import Attr, Key

from wire_case import WireCase, index

PAGE_BYTES_MAX = 1024 * 1024
ITEM_BYTES_MAX = 400 * 1024


class Queries(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        name = cls.new_table(
            types={"p": "S", "s": "N", "g": "S", "l": "S"},
            GlobalSecondaryIndexes=[index("ByG", "g", "s", "INCLUDE", ["kept"]),
                                    index("KeysByG", "g", projection="KEYS_ONLY")],
            LocalSecondaryIndexes=[index("ByL", "p", "l", "KEYS_ONLY")])
        cls.table = cls.resource.Table(name)
        with cls.table.batch_writer() as batch:
            for number in range(-5, 15):
                item = {"p": "one", "s": number, "l": f"{(number * 7) % 20:02}",
                        "kept": number, "lost": "x"}
                if number % 2 == 0:
                    item["g"] = "even"
                batch.put_item(Item=item)
            batch.put_item(Item={"p": "two", "s": 0})

    def sorts(self, **arguments):
        return [int(item["s"]) for item in self.table.query(**arguments)["Items"]]

    def test_sort_key_conditions_select_and_order_numerically(self):
        one = Key("p").eq("one")
        rows = [
            (one, list(range(-5, 15))),
            (one & Key("s").eq(3), [3]), (one & Key("s").lt(-2), [-5, -4, -3]),
            (one & Key("s").lte(-4), [-5, -4]), (one & Key("s").gt(12), [13, 14]),
            (one & Key("s").gte(13), [13, 14]), (one & Key("s").between(8, 11), [8, 9, 10, 11]),
            (one & Key("s").eq(99), []), (Key("p").eq("absent"), []),
        ]
        for number, (condition, expected) in enumerate(rows):
            with self.subTest(row=number):
                self.assertEqual(self.sorts(KeyConditionExpression=condition), expected)
                self.assertEqual(self.sorts(KeyConditionExpression=condition,
                                            ScanIndexForward=False), expected[::-1])

    def test_limits_and_start_keys_walk_all_items_in_both_directions(self):
        for forward in (True, False):
            with self.subTest(forward=forward):
                seen, start = [], {}
                while True:
                    page = self.table.query(KeyConditionExpression=Key("p").eq("one"), Limit=7,
                                            ScanIndexForward=forward, **start)
                    self.assertLessEqual(page["Count"], 7)
                    seen += [int(item["s"]) for item in page["Items"]]
                    if "LastEvaluatedKey" not in page:
                        break
                    self.assertEqual(set(page["LastEvaluatedKey"]), {"p", "s"})
                    start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
                expected = list(range(-5, 15))
                self.assertEqual(seen, expected if forward else expected[::-1])

    def test_the_limit_counts_items_before_the_filter(self):
        page = self.table.query(KeyConditionExpression=Key("p").eq("one"), Limit=6,
                                FilterExpression=Attr("kept").gte(0))
        self.assertEqual((page["Count"], page["ScannedCount"]), (1, 6))
        self.assertEqual(page["LastEvaluatedKey"], {"p": "one", "s": 0})

    def test_count_has_no_items(self):
        page = self.table.query(KeyConditionExpression=Key("p").eq("one"), Select="COUNT",
                                FilterExpression=Attr("kept").lt(0))
        self.assertEqual((page["Count"], page["ScannedCount"]), (5, 20))
        self.assertNotIn("Items", page)

    def test_a_global_index_holds_its_items_and_its_projection(self):
        page = self.table.query(IndexName="ByG", KeyConditionExpression=Key("g").eq("even"))
        self.assertEqual([int(item["s"]) for item in page["Items"]], list(range(-4, 15, 2)))
        self.assertEqual(set(page["Items"][0]), {"p", "s", "g", "kept"})
        page = self.table.query(IndexName="KeysByG", KeyConditionExpression=Key("g").eq("even"))
        self.assertEqual(set(page["Items"][0]), {"p", "s", "g"})
        self.assertEqual(page["Count"], 10)

    def test_pages_of_an_index_carry_both_keys(self):
        seen, start = [], {}
        while True:
            page = self.table.query(IndexName="ByG", KeyConditionExpression=Key("g").eq("even"),
                                    Limit=3, **start)
            seen += [int(item["s"]) for item in page["Items"]]
            if "LastEvaluatedKey" not in page:
                break
            self.assertEqual(set(page["LastEvaluatedKey"]), {"p", "s", "g"})
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        self.assertEqual(seen, list(range(-4, 15, 2)))

    def test_a_local_index_sorts_by_its_own_key_and_fetches_the_rest(self):
        page = self.table.query(IndexName="ByL", KeyConditionExpression=Key("p").eq("one"))
        order = [item["l"] for item in page["Items"]]
        self.assertEqual(order, sorted(order))
        self.assertEqual(set(page["Items"][0]), {"p", "s", "l"})
        page = self.table.query(IndexName="ByL", Select="ALL_ATTRIBUTES", ConsistentRead=True,
                                KeyConditionExpression=Key("p").eq("one") & Key("l").lt("02"))
        self.assertEqual(page["Count"], 2)
        self.assertEqual(page["Items"][0]["lost"], "x")

    def test_a_query_projects_and_counts_its_capacity(self):
        page = self.table.query(KeyConditionExpression=Key("p").eq("one") & Key("s").eq(1),
                                ProjectionExpression="kept", ReturnConsumedCapacity="INDEXES")
        self.assertEqual(page["Items"], [{"kept": 1}])
        self.assertEqual(page["ConsumedCapacity"]["Table"], {"CapacityUnits": 0.5})

    def test_an_index_follows_its_table_at_once(self):
        key = {"p": "follow", "s": 1}
        steps = [("SET g = :v, kept = :v", "first", {"first": 1, "second": 0}),
                 ("SET g = :v", "second", {"first": 0, "second": 1}),
                 ("REMOVE g", None, {"first": 0, "second": 0})]
        for expression, value, expected in steps:
            values = {"ExpressionAttributeValues": {":v": value}} if value else {}
            self.table.update_item(Key=key, UpdateExpression=expression, **values)
            for group, count in expected.items():
                page = self.table.query(IndexName="ByG", KeyConditionExpression=Key("g").eq(group))
                self.assertEqual(page["Count"], count, (expression, group))
        self.table.delete_item(Key=key)

    def test_queries_that_cannot_be_are_refused(self):
        one = {":p": "one"}
        rows = [
            ({"KeyConditionExpression": "s = :p"}, {":p": 1},
             "Query condition missed key schema element: p"),
            ({"KeyConditionExpression": "p = :p AND kept = :p"}, one,
             "Query condition missed key schema element: s"),
            ({"KeyConditionExpression": "p > :p"}, one, "Query key condition not supported"),
            ({"KeyConditionExpression": "p = :p", "IndexName": "Nope"}, one,
             "The table does not have the specified index: Nope"),
            ({"KeyConditionExpression": "g = :p", "IndexName": "ByG", "ConsistentRead": True}, one,
             "Consistent reads are not supported on global secondary indexes"),
            ({"KeyConditionExpression": "p = :p", "FilterExpression": "s = :p"}, one,
             "Filter Expression can only contain non-primary key attributes: "
             "Primary key attribute: s"),
            ({"KeyConditionExpression": "p = :p"}, {":p": 1},
             "One or more parameter values were invalid: Condition parameter type does not match "
             "schema type"),
            ({"KeyConditionExpression": "p = :p AND begins_with(s, :p)"}, one, None),
            ({"KeyConditionExpression": "g = :p", "IndexName": "KeysByG",
              "Select": "ALL_ATTRIBUTES"}, one, None),
            ({"KeyConditionExpression": "p = :p", "ExclusiveStartKey": {"p": "one"}}, one, None),
            ({"KeyConditionExpression": "p = :p", "ExclusiveStartKey": {"p": "two", "s": 1}}, one,
             None),
            ({"KeyConditionExpression": "p = :p", "Select": "COUNT",
              "ProjectionExpression": "kept"}, one, None),
        ]
        for arguments, values, message in rows:
            with self.subTest(arguments), self.refused("ValidationException", message):
                self.table.query(ExpressionAttributeValues=values, **arguments)


class BigPages(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table(cls.new_table(types={"p": "S", "s": "N"}))
        for number in range(9):
            cls.table.put_item(Item={"p": "big", "s": number, "body": "x" * 300_000})

    def test_a_page_ends_at_one_megabyte(self):
        for name in ("query", "scan"):
            arguments = {"KeyConditionExpression": Key("p").eq("big")} if name == "query" else {}
            with self.subTest(name):
                pages = list(self.client.get_paginator(name).paginate(
                    TableName=self.table.name, **self.low_level(arguments)))
                self.assertGreaterEqual(len(pages), 3)
                for page in pages:
                    size = sum(len(item["body"]["S"]) for item in page["Items"])
                    self.assertLess(size, PAGE_BYTES_MAX + ITEM_BYTES_MAX)
                found = [int(item["s"]["N"]) for page in pages for item in page["Items"]]
                self.assertEqual(found, list(range(9)))

    def low_level(self, arguments):
        if not arguments:
            return {}
        return {"KeyConditionExpression": "p = :p",
                "ExpressionAttributeValues": {":p": {"S": "big"}}}

    def test_a_page_may_be_empty_and_still_go_on(self):
        page = self.table.query(KeyConditionExpression=Key("p").eq("big"),
                                FilterExpression=Attr("absent").exists())
        self.assertEqual(page["Items"], [])
        self.assertGreater(page["ScannedCount"], 0)
        self.assertIn("LastEvaluatedKey", page)

    def test_the_projection_does_not_make_a_page_longer(self):
        page = self.table.query(KeyConditionExpression=Key("p").eq("big"),
                                ProjectionExpression="s")
        self.assertLess(page["Count"], 9)
        self.assertIn("LastEvaluatedKey", page)


class Scans(WireCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.resource.Table(cls.new_table(
            types={"p": "S", "s": "S", "g": "S"},
            GlobalSecondaryIndexes=[index("ByG", "g")]))
        with cls.table.batch_writer() as batch:
            for number in range(200):
                item = {"p": f"p{number % 50}", "s": f"s{number}", "n": number}
                if number < 30:
                    item["g"] = f"g{number % 4}"
                batch.put_item(Item=item)

    def everything(self, **arguments):
        found, start = [], {}
        while True:
            page = self.table.scan(**arguments, **start)
            found += page["Items"]
            if "LastEvaluatedKey" not in page:
                return found
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def test_a_scan_in_pages_sees_every_item_once(self):
        found = [int(item["n"]) for item in self.everything(Limit=17)]
        self.assertEqual(sorted(found), list(range(200)))

    def test_parallel_segments_share_the_table_without_overlap(self):
        for total in (1, 4, 7):
            with self.subTest(total=total), ThreadPoolExecutor(4) as pool:
                parts = list(pool.map(lambda segment: self.everything(
                    Segment=segment, TotalSegments=total, Limit=40), range(total)))
                found = [int(item["n"]) for part in parts for item in part]
                self.assertEqual(sorted(found), list(range(200)))

    def test_the_segments_are_of_similar_size(self):
        sizes = [len(self.everything(Segment=segment, TotalSegments=2)) for segment in range(2)]
        self.assertGreater(min(sizes), 40)

    def test_a_scan_filters_and_projects(self):
        page = self.table.scan(FilterExpression=Attr("n").between(10, 12) & Attr("g").exists(),
                               ProjectionExpression="n")
        self.assertEqual(sorted(int(item["n"]) for item in page["Items"]), [10, 11, 12])
        self.assertEqual(page["ScannedCount"], 200)
        self.assertTrue(all(set(item) == {"n"} for item in page["Items"]))

    def test_a_scan_of_an_index_sees_only_what_has_its_key(self):
        found = self.everything(IndexName="ByG", Limit=7)
        self.assertEqual(sorted(int(item["n"]) for item in found), list(range(30)))

    def test_segments_that_cannot_be_are_refused(self):
        rows = [
            ({"Segment": 4, "TotalSegments": 4},
             "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
             "Segment: 4 is not less than TotalSegments: 4"),
            ({"Segment": 0},
             "The TotalSegments parameter is required but was not present in the request when "
             "Segment parameter is present"),
            ({"TotalSegments": 3},
             "The Segment parameter is required but was not present in the request when parameter "
             "TotalSegments is present"),
            ({"FilterExpression": "n = :n", "ExpressionAttributeValues": {":n": 1, ":m": 2}},
             "Value provided in ExpressionAttributeValues unused in expressions: keys: {:m}"),
        ]
        for arguments, message in rows:
            with self.subTest(arguments), self.refused("ValidationException", message):
                self.table.scan(**arguments)


if __name__ == "__main__":
    unittest.main()
