"""What the boto3 and seed tests share: one server for the whole run, clients of it, refusals."""

import atexit
import contextlib
import itertools
import unittest

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

import server

_shared = []
_numbers = itertools.count(1)

# A refusal must reach the test as it is, not after the SDK's own second try.
_CONFIG = Config(retries={"max_attempts": 0}, read_timeout=120)
_WAIT = {"Delay": 1, "MaxAttempts": 60}


def shared_server():
    """The server of this test run; started at the first call, stopped when Python exits."""
    if not _shared:
        _shared.append(server.Server().start())
        atexit.register(_shared[0].stop)
    return _shared[0]


def connection_arguments():
    return {"endpoint_url": shared_server().endpoint, "region_name": server.REGION,
            "aws_access_key_id": server.ACCESS_KEY, "aws_secret_access_key": server.SECRET_KEY,
            "config": _CONFIG}


def schema(hash_key, range_key=None):
    """A KeySchema of one or two attribute names."""
    keys = [{"AttributeName": hash_key, "KeyType": "HASH"}]
    if range_key:
        keys.append({"AttributeName": range_key, "KeyType": "RANGE"})
    return keys


def attributes(**types):
    """AttributeDefinitions from name=type."""
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def index(name, hash_key, range_key=None, projection="ALL", include=None):
    """One secondary index for CreateTable."""
    described = {"ProjectionType": projection}
    if include:
        described["NonKeyAttributes"] = list(include)
    return {"IndexName": name, "KeySchema": schema(hash_key, range_key), "Projection": described}


class WireCase(unittest.TestCase):
    """A test with a boto3 client and resource; every table it makes is its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.client = boto3.client("dynamodb", **connection_arguments())
        cls.resource = boto3.resource("dynamodb", **connection_arguments())

    @classmethod
    def new_table(cls, name=None, keys=("p", "s"), types=None, **options):
        """Creates a table, waits until it can be used and returns its name."""
        name = name or f"Wire{next(_numbers)}"
        types = types or {"p": "S", "s": "S"}
        types = {attribute: kind for attribute, kind in types.items()
                 if attribute in keys or "GlobalSecondaryIndexes" in options
                 or "LocalSecondaryIndexes" in options}
        options.setdefault("BillingMode", "PAY_PER_REQUEST")
        cls.client.create_table(TableName=name, KeySchema=schema(*keys),
                                AttributeDefinitions=attributes(**types), **options)
        cls.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=_WAIT)
        return name

    @classmethod
    def wait_gone(cls, name):
        cls.client.get_waiter("table_not_exists").wait(TableName=name, WaiterConfig=_WAIT)

    @contextlib.contextmanager
    def refused(self, code, message=None, status=400):
        """Expects a ClientError of this code, HTTP status and, when given, this message.

        Yields a dict that holds the SDK's parsed answer afterwards.
        """
        answer = {}
        with self.assertRaises(ClientError) as caught:
            yield answer
        answer.update(caught.exception.response)
        error = answer["Error"]
        self.assertEqual(error["Code"], code, error)
        self.assertEqual(answer["ResponseMetadata"]["HTTPStatusCode"], status)
        if message is not None:
            self.assertEqual(error["Message"], message)
