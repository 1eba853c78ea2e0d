"""Every operation that the endpoint serves is asked by each of the three clients' tests."""

import glob
import os
import re
import unittest

WIRE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SERVED = os.path.join(WIRE, "..", "..", "src", "dynamodb", "operations.cc")
SERVED_ROW = re.compile(r'^ *\{"([A-Z]\w+)", Thread::\w+, \w+\},$', re.MULTILINE)

# What the document client of JavaScript calls these.
DOCUMENT_COMMANDS = {"GetItem": "Get", "PutItem": "Put", "UpdateItem": "Update",
                     "DeleteItem": "Delete", "BatchGetItem": "BatchGet",
                     "BatchWriteItem": "BatchWrite", "TransactGetItems": "TransactGet",
                     "TransactWriteItems": "TransactWrite"}


def text_of(*pattern):
    texts = []
    for path in glob.glob(os.path.join(WIRE, *pattern)):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def words(operation, separator):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", separator, operation).lower()


def javascript(operation):
    names = {operation, DOCUMENT_COMMANDS.get(operation, operation)}
    return "|".join(rf"new {name}Command\(|paginate{name}\(" for name in sorted(names))


def boto3(operation):
    name = words(operation, "_")
    return rf'\.{name}\(|"{name}"'


def cli(operation):
    return f'"{words(operation, "-")}"'


class Operations(unittest.TestCase):
    def test_each_client_asks_every_operation(self):
        with open(SERVED, encoding="utf-8") as file:
            served = SERVED_ROW.findall(file.read())
        self.assertGreater(len(served), 40)
        clients = [("JavaScript", javascript, text_of("js", "*.mjs")),
                   ("boto3", boto3, text_of("boto3", "*.py")),
                   ("AWS CLI", cli, text_of("cli", "*.py"))]
        for client, pattern, text in clients:
            missing = [each for each in served if not re.search(pattern(each), text)]
            self.assertEqual(missing, [], client)


if __name__ == "__main__":
    unittest.main()
