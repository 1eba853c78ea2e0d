"""CreateTable, DescribeTable, ListTables, UpdateTable, DeleteTable, time to live and tags."""

import time
import unittest

from wire_case import WireCase, attributes, index, schema


class Creating(WireCase):
    def test_a_created_table_is_described_as_it_was_asked_for(self):
        name = self.new_table(
            types={"p": "S", "s": "S", "g": "N", "l": "B"},
            GlobalSecondaryIndexes=[index("ByG", "g", "s", "INCLUDE", ["extra"])],
            LocalSecondaryIndexes=[index("ByL", "p", "l", "KEYS_ONLY")])
        table = self.client.describe_table(TableName=name)["Table"]
        self.assertEqual(table["TableName"], name)
        self.assertEqual(table["TableStatus"], "ACTIVE")
        self.assertEqual(table["KeySchema"], schema("p", "s"))
        self.assertCountEqual(table["AttributeDefinitions"],
                              attributes(p="S", s="S", g="N", l="B"))
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual(table["ItemCount"], 0)
        self.assertRegex(table["TableArn"],
                         rf"^arn:aws:dynamodb:[a-z0-9-]+:\d{{12}}:table/{name}$")
        (by_g,) = table["GlobalSecondaryIndexes"]
        self.assertEqual(by_g["IndexName"], "ByG")
        self.assertEqual(by_g["IndexStatus"], "ACTIVE")
        self.assertEqual(by_g["KeySchema"], schema("g", "s"))
        self.assertEqual(by_g["Projection"],
                         {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["extra"]})
        (by_l,) = table["LocalSecondaryIndexes"]
        self.assertEqual(by_l["Projection"], {"ProjectionType": "KEYS_ONLY"})
        self.assertTrue(by_l["IndexArn"].endswith(f"{name}/index/ByL"))

    def test_a_provisioned_table_keeps_its_throughput(self):
        name = self.new_table(
            keys=("p",), BillingMode="PROVISIONED",
            ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 7})
        throughput = self.client.describe_table(TableName=name)["Table"]["ProvisionedThroughput"]
        self.assertEqual(throughput["ReadCapacityUnits"], 5)
        self.assertEqual(throughput["WriteCapacityUnits"], 7)

    def test_a_second_table_of_the_same_name_is_refused(self):
        name = self.new_table(keys=("p",))
        with self.refused("ResourceInUseException", f"Table already exists: {name}"):
            self.new_table(name=name, keys=("p",))

    def test_definitions_that_contradict_themselves_are_refused(self):
        on_demand = {"BillingMode": "PAY_PER_REQUEST"}
        rows = [
            ("a key without a definition",
             {"KeySchema": schema("p", "s"), "AttributeDefinitions": attributes(p="S"),
              **on_demand}),
            ("a definition that no key uses",
             {"KeySchema": schema("p"), "AttributeDefinitions": attributes(p="S", x="S"),
              **on_demand}),
            ("provisioned without throughput",
             {"KeySchema": schema("p"), "AttributeDefinitions": attributes(p="S")}),
            ("on demand with throughput",
             {"KeySchema": schema("p"), "AttributeDefinitions": attributes(p="S"), **on_demand,
              "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}}),
            ("a range key alone",
             {"KeySchema": [{"AttributeName": "p", "KeyType": "RANGE"}],
              "AttributeDefinitions": attributes(p="S"), **on_demand}),
            ("the same attribute twice",
             {"KeySchema": schema("p", "p"), "AttributeDefinitions": attributes(p="S"),
              **on_demand}),
            ("two indexes of one name",
             {"KeySchema": schema("p"), "AttributeDefinitions": attributes(p="S", g="S"),
              "GlobalSecondaryIndexes": [index("Same", "g"), index("Same", "g")], **on_demand}),
            ("a local index on a table without sort key",
             {"KeySchema": schema("p"), "AttributeDefinitions": attributes(p="S", g="S"),
              "LocalSecondaryIndexes": [index("Loc", "p", "g")], **on_demand}),
            ("INCLUDE without attributes",
             {"KeySchema": schema("p"), "AttributeDefinitions": attributes(p="S", g="S"),
              "GlobalSecondaryIndexes": [index("Inc", "g", projection="INCLUDE")], **on_demand}),
        ]
        for claim, options in rows:
            with self.subTest(claim), self.refused("ValidationException"):
                self.client.create_table(TableName="Contradiction", **options)
        with self.refused("ValidationException"):
            self.client.create_table(TableName="spaces are bad", KeySchema=schema("p"),
                                     AttributeDefinitions=attributes(p="S"), **on_demand)


class Listing(WireCase):
    def test_the_paginator_lists_every_table_once_and_in_order(self):
        mine = {self.new_table(name=f"Listed{number}", keys=("p",)) for number in range(5)}
        pages = self.client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2})
        names, longest = [], 0
        for page in pages:
            names += page["TableNames"]
            longest = max(longest, len(page["TableNames"]))
        self.assertLessEqual(longest, 2)
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(names, sorted(names))
        self.assertLessEqual(mine, set(names))

    def test_listing_starts_after_the_given_name(self):
        for number in range(3):
            self.new_table(name=f"Start{number}", keys=("p",))
        page = self.client.list_tables(ExclusiveStartTableName="Start0", Limit=2)
        self.assertEqual(page["TableNames"], ["Start1", "Start2"])


class Deleting(WireCase):
    def test_a_deleted_table_and_its_items_are_gone(self):
        name = self.new_table(keys=("p",))
        self.client.put_item(TableName=name, Item={"p": {"S": "a"}})
        answer = self.client.delete_table(TableName=name)
        self.assertEqual(answer["TableDescription"]["TableStatus"], "DELETING")
        self.wait_gone(name)
        with self.refused("ResourceNotFoundException",
                          f"Requested resource not found: Table: {name} not found"):
            self.client.describe_table(TableName=name)
        self.new_table(name=name, keys=("p",))
        self.assertEqual(self.client.scan(TableName=name)["Count"], 0)

    def test_what_does_not_exist_is_not_found(self):
        missing = "NoSuchTable"
        key = {"p": {"S": "a"}}
        named = f"Requested resource not found: Table: {missing} not found"
        rows = [
            ("describe_table", {}, named),
            ("delete_table", {}, named),
            ("get_item", {"Key": key}, "Requested resource not found"),
            ("put_item", {"Item": key}, "Requested resource not found"),
            ("update_item", {"Key": key}, "Requested resource not found"),
            ("delete_item", {"Key": key}, "Requested resource not found"),
            ("scan", {}, "Requested resource not found"),
            ("query", {"KeyConditionExpression": "p = :p",
                       "ExpressionAttributeValues": {":p": {"S": "a"}}},
             "Requested resource not found"),
            ("describe_time_to_live", {}, named),
        ]
        for operation, arguments, message in rows:
            with self.subTest(operation), self.refused("ResourceNotFoundException", message):
                getattr(self.client, operation)(TableName=missing, **arguments)


class Updating(WireCase):
    def wait_for_index(self, name, index_name, present):
        for _ in range(200):
            table = self.client.describe_table(TableName=name)["Table"]
            found = [each for each in table.get("GlobalSecondaryIndexes", [])
                     if each["IndexName"] == index_name]
            settled = all(each["IndexStatus"] == "ACTIVE" for each in found)
            if table["TableStatus"] == "ACTIVE" and bool(found) == present and settled:
                return table
            time.sleep(0.1)
        self.fail(f"index {index_name} never became {'active' if present else 'absent'}")

    def by_colour(self, name, colour):
        return self.client.query(
            TableName=name, IndexName="ByColour", KeyConditionExpression="colour = :c",
            ExpressionAttributeValues={":c": {"S": colour}})

    def test_an_added_index_is_filled_with_the_items_that_were_there(self):
        name = self.new_table(keys=("p",))
        with self.resource.Table(name).batch_writer() as batch:
            for number in range(120):
                item = {"p": f"item{number:03}"}
                if number % 3:
                    item["colour"] = "red" if number % 2 else "blue"
                batch.put_item(Item=item)
        answer = self.client.update_table(
            TableName=name, AttributeDefinitions=attributes(p="S", colour="S"),
            GlobalSecondaryIndexUpdates=[{"Create": index("ByColour", "colour", "p")}])
        self.assertEqual(answer["TableDescription"]["TableStatus"], "UPDATING")
        table = self.wait_for_index(name, "ByColour", True)
        self.assertCountEqual(table["AttributeDefinitions"], attributes(p="S", colour="S"))
        self.assertEqual(self.by_colour(name, "red")["Count"], 40)
        self.assertEqual(self.by_colour(name, "blue")["Count"], 40)
        self.assertEqual(self.client.scan(TableName=name, IndexName="ByColour")["Count"], 80)
        self.client.put_item(TableName=name, Item={"p": {"S": "new"}, "colour": {"S": "red"}})
        self.assertEqual(self.by_colour(name, "red")["Count"], 41)

        self.client.update_table(
            TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "ByColour"}}])
        self.wait_for_index(name, "ByColour", False)
        with self.refused("ValidationException",
                          "The table does not have the specified index: ByColour"):
            self.by_colour(name, "red")

    def test_the_billing_mode_changes_both_ways(self):
        name = self.new_table(keys=("p",))
        self.client.update_table(
            TableName=name, BillingMode="PROVISIONED",
            ProvisionedThroughput={"ReadCapacityUnits": 3, "WriteCapacityUnits": 4})
        table = self.wait_for_index(name, "none", False)
        self.assertEqual(table["ProvisionedThroughput"]["WriteCapacityUnits"], 4)
        self.assertEqual(table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED"),
                         "PROVISIONED")
        self.client.update_table(TableName=name, BillingMode="PAY_PER_REQUEST")
        table = self.wait_for_index(name, "none", False)
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")

    def test_updates_of_indexes_that_cannot_be_are_refused(self):
        name = self.new_table(types={"p": "S", "s": "S", "g": "S"},
                              GlobalSecondaryIndexes=[index("ByG", "g")])
        with self.refused("ValidationException"):
            self.client.update_table(
                TableName=name, AttributeDefinitions=attributes(p="S", s="S", g="S"),
                GlobalSecondaryIndexUpdates=[{"Create": index("ByG", "g")}])
        with self.refused("ResourceNotFoundException"):
            self.client.update_table(
                TableName=name, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "Other"}}])
        with self.refused("ResourceNotFoundException"):
            self.client.update_table(TableName="NoSuchTable", BillingMode="PAY_PER_REQUEST")


class TimeToLive(WireCase):
    def test_time_to_live_is_switched_on_and_described(self):
        name = self.new_table(keys=("p",))
        before = self.client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
        self.assertEqual(before, {"TimeToLiveStatus": "DISABLED"})
        wanted = {"Enabled": True, "AttributeName": "ttl"}
        answer = self.client.update_time_to_live(TableName=name, TimeToLiveSpecification=wanted)
        self.assertEqual(answer["TimeToLiveSpecification"], wanted)
        after = self.client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
        self.assertIn(after["TimeToLiveStatus"], ("ENABLED", "ENABLING"))
        self.assertEqual(after["AttributeName"], "ttl")
        with self.refused("ValidationException", "TimeToLive is already enabled"):
            self.client.update_time_to_live(TableName=name, TimeToLiveSpecification=wanted)

    def test_switching_off_what_is_off_is_refused(self):
        name = self.new_table(keys=("p",))
        with self.refused("ValidationException", "TimeToLive is already disabled"):
            self.client.update_time_to_live(
                TableName=name,
                TimeToLiveSpecification={"Enabled": False, "AttributeName": "ttl"})


    def test_what_has_expired_goes_from_table_and_index(self):
        name = self.new_table(types={"p": "S", "s": "S", "g": "S"},
                              GlobalSecondaryIndexes=[index("ByG", "g")])
        self.client.update_time_to_live(
            TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"})
        now = int(time.time())
        six_years = 6 * 365 * 24 * 3600
        rows = [("expired", {"N": str(now - 60)}), ("later", {"N": str(now + 3600)}),
                ("text", {"S": str(now - 60)}), ("too long ago", {"N": str(now - six_years)}),
                ("never", None)]
        for key, expiry in rows:
            item = {"p": {"S": key}, "s": {"S": "x"}, "g": {"S": "all"}}
            self.client.put_item(TableName=name, Item={**item, "ttl": expiry} if expiry else item)
        stay = {key for key, _ in rows} - {"expired"}
        for arguments in ({}, {"IndexName": "ByG"}):
            with self.subTest(arguments):
                for _ in range(300):
                    page = self.client.scan(TableName=name, **arguments)
                    found = {item["p"]["S"] for item in page["Items"]}
                    if found == stay:
                        break
                    time.sleep(0.2)
                self.assertEqual(found, stay)


class Tags(WireCase):
    def test_tags_given_at_creation_and_later_are_listed_and_removed(self):
        name = self.new_table(keys=("p",), Tags=[{"Key": "team", "Value": "mail"}])
        arn = self.client.describe_table(TableName=name)["Table"]["TableArn"]
        self.client.tag_resource(ResourceArn=arn, Tags=[{"Key": "stage", "Value": "test"},
                                                        {"Key": "team", "Value": "post"}])
        listed = {tag["Key"]: tag["Value"]
                  for tag in self.client.list_tags_of_resource(ResourceArn=arn)["Tags"]}
        self.assertEqual(listed, {"team": "post", "stage": "test"})
        self.client.untag_resource(ResourceArn=arn, TagKeys=["team", "absent"])
        self.assertEqual(self.client.list_tags_of_resource(ResourceArn=arn)["Tags"],
                         [{"Key": "stage", "Value": "test"}])

    def test_keys_of_tags_are_given_once_and_none_is_awss(self):
        tag = {"Key": "team", "Value": "mail"}
        for tags in ([tag, tag], [{"Key": "aws:team", "Value": "mail"}]):
            with self.refused("ValidationException"):
                self.new_table(keys=("p",), Tags=tags)

    def test_tags_of_what_does_not_exist_are_not_found(self):
        name = self.new_table(keys=("p",))
        arn = self.client.describe_table(TableName=name)["Table"]["TableArn"] + "Missing"
        with self.refused("ResourceNotFoundException"):
            self.client.tag_resource(ResourceArn=arn, Tags=[{"Key": "a", "Value": "b"}])
        with self.refused("ValidationException"):
            self.client.list_tags_of_resource(ResourceArn="not an arn")


if __name__ == "__main__":
    unittest.main()
