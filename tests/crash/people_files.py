"""Files of people for a driver: what is in each, and what must have become of it.

Everybody in them comes from one crowd, so that files add to each other. Those of an even number may
get mail, those of an odd one may be forgotten; whoever was forgotten stays so, whatever file they
are in. Tags only come, and nobody in a file is known but by a file: what all of them have created
is how many people they named.
"""

import csv
import io
import json

ROWS = (40, 400)
TAGS = [f"file{n}" for n in range(12)]
MISTAKES_MAX = 3
LEAVE_SHARE = 0.03
KINDS = ("created", "updated", "unchanged", "erased", "failed")


def is_mailable(address):
    return int(address[1:].partition("@")[0]) % 2 == 0


class PeopleFile:
    """One file. `people` is by address: the tags, and whether they want no mail."""

    def __init__(self, number, people, mistakes, forgotten):
        self.number = number
        self.people = people
        self.mistakes = mistakes    # So many rows are none.
        self.forgotten = forgotten  # Those of them who were forgotten when it was made.

    def text(self, random):
        rows = [{"email": address, "tags": tags, "unsubscribed": leaves}
                for address, (tags, leaves) in self.people.items()]
        rows += [{"email": f"nobody{n}", "tags": [], "unsubscribed": False}
                 for n in range(self.mistakes)]
        random.shuffle(rows)
        return self._as_json(rows) if random.random() < 0.5 else self._as_csv(rows, random)

    def _as_json(self, rows):
        return "".join(json.dumps(row | {"round": self.number}) + "\n" for row in rows)

    def _as_csv(self, rows, random):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=random.choice(",;"), lineterminator="\n")
        writer.writerow(["email", "tags", "unsubscribed", "round", "note"])
        for row in rows:
            leaves = "yes" if row["unsubscribed"] else ""
            writer.writerow([row["email"], ",".join(row["tags"]), leaves, self.number, 'a "b"; c,'])
        return random.choice(("", "\ufeff")) + out.getvalue()

    def leaving(self):
        return {address for address, (_, leaves) in self.people.items() if leaves}


class PeopleFiles:
    """All files of a driver. Its sets only grow, and each is changed by whole assignments or single
    additions: threads may read them at any time."""

    def __init__(self, crowd):
        self.crowd = crowd
        self.finished = []      # Files that were told to be done, with their imports.
        self.known = set()      # In such a file.
        self.forgotten = set()  # Whose erasure was acknowledged.
        self.number = 0

    def make(self, random):
        self.number += 1
        # The crowd grows as the driver goes on: there is somebody new in most files.
        size = min(self.crowd, 300 + self.number * 20)
        people = {}
        for _ in range(random.randint(*ROWS)):
            address = f"f{random.randrange(size)}@files.example"
            tags = random.sample(TAGS, random.randrange(5))
            people[address] = (tags, random.random() < LEAVE_SHARE)
        return PeopleFile(self.number, people, random.randint(0, MISTAKES_MAX),
                          self.forgotten & people.keys())

    def finish(self, file, done):
        """Takes what the server says of it at the end. What is wrong with that."""
        self.finished.append((file, done))
        self.known = self.known | file.people.keys()
        counted = sum(done[kind] for kind in KINDS)
        if counted != len(file.people) or done["mistakes_total"] != file.mistakes:
            yield (f"file {file.number} of {len(file.people)} people and {file.mistakes} mistakes "
                   f"came to {done}")
        if done["failed"] or done["erased"] < len(file.forgotten):
            yield f"file {file.number}: {len(file.forgotten)} were forgotten, but {done}"

    def mailable(self):
        return [address for address in self.known if is_mailable(address)]

    def forgettable(self):
        return [address for address in self.known - self.forgotten if not is_mailable(address)]

    def compare(self, profiles):
        """By address; when nothing goes on any more."""
        created = sum(done["created"] for _, done in self.finished)
        if created != len(self.known):
            yield f"files created {created} of {len(self.known)} people"
        for address in self.forgotten & profiles.keys():
            yield f"{address} was forgotten and is there"
        imports = {"import:" + done["id"] for _, done in self.finished}
        for address, row in profiles.items():
            source = row.get("mailroomSource", {}).get("S", "")
            if source.startswith("import:") and source not in imports:
                yield f"{address} comes from {source}, which nobody was told of"
        for file, done in self.finished:
            yield from self._compare_file(file, done, profiles)

    def _compare_file(self, file, done, profiles):
        for address, (tags, leaves) in file.people.items():
            row = profiles.get(address)
            if address in self.forgotten:
                continue
            if row is None:
                yield f"{address} of file {file.number} ({done['id']}) is not there"
                continue
            missing = set(tags) - {tag["S"] for tag in row.get("tags", {}).get("L", [])}
            if missing:
                yield f"{address} of file {file.number} has no {missing}"
            if leaves and not row["unsubscribed"]["BOOL"]:
                yield f"{address} of file {file.number} is not unsubscribed"
