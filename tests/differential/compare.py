"""Whether what an endpoint answered is what the model expects."""

from collections import Counter

import values
from reads import Evaluated, sort_key
from values import Refusal


def difference(expected, actual):
    """What differs, in words, or None. Each is an answer or a Refusal."""
    if isinstance(expected, Refusal) or isinstance(actual, Refusal):
        return _refusals(expected, actual)
    if isinstance(expected, Evaluated):
        return _searches(expected, actual)
    if expected != actual:
        return f"expected {shown(expected)}, got {shown(actual)}"
    return None


def _refusals(expected, actual):
    if not isinstance(actual, Refusal):
        return f"expected {expected.kind}, got {shown(actual)}"
    if not isinstance(expected, Refusal):
        return f"expected {shown(expected)}, got {actual.kind}: {actual.message}"
    for name in ("kind", "reasons", "item"):
        wanted, got = getattr(expected, name), getattr(actual, name)
        if wanted != got:
            return f"expected the {name} {shown(wanted)}, got {shown(got)}: {actual.message}"
    return None


def _searches(expected, segments):
    """The pages of all segments against what should have been evaluated."""
    for pages in segments:
        for page in pages:
            problem = _page_shape(expected, page)
            if problem:
                return problem
    pages = [page for each in segments for page in each]
    scanned = sum(page.scanned for page in pages)
    if scanned != len(expected.rows):
        return f"expected {len(expected.rows)} evaluated items, got {scanned}"
    return _ordered(expected, pages) if expected.ordered else _unordered(expected, pages)


def _page_shape(expected, page):
    """What holds for every page, whatever its items are."""
    if (page.items is None) != expected.count_only:
        return f"expected items: {not expected.count_only}, got {shown(page)}"
    if page.items is not None and page.count != len(page.items):
        return f"a page of {len(page.items)} items counts {page.count}"
    if page.limit is not None and page.scanned > page.limit:
        return f"a page evaluates {page.scanned} items of at most {page.limit}"
    if page.last is not None and page.scanned != page.limit:
        return f"a page ends after {page.scanned} items, limit {page.limit}, with more to come"
    return None


def _ordered(expected, pages):
    """Every page holds exactly the rows that are its turn."""
    at = 0
    for page in pages:
        rows = expected.rows[at : at + page.scanned]
        at += page.scanned
        items = [row.item for row in rows if row.item is not None]
        if page.items is not None and page.items != items:
            return f"expected the items {shown(items)}, got {shown(page.items)}"
        if page.count != len(items):
            return f"expected the count {len(items)}, got {page.count}"
        if page.last is not None and page.last != rows[-1].key:
            return f"expected to go on after {shown(rows[-1].key)}, got {shown(page.last)}"
    return None


def _unordered(expected, pages):
    """Each row comes once, on some page, and pages end at a row's key."""
    items = [row.item for row in expected.rows if row.item is not None]
    count = sum(page.count for page in pages)
    if count != len(items):
        return f"expected the count {len(items)}, got {count}"
    keys = [row.key for row in expected.rows]
    lasts = [page.last for page in pages if page.last is not None]
    for last in lasts:
        if last not in keys or lasts.count(last) > 1:
            return f"a page ends at {shown(last)}, which is no item's key or ended one before"
    if expected.count_only:
        return None
    got = [item for page in pages for item in page.items]
    if Counter(map(values.frozen_item, got)) != Counter(map(values.frozen_item, items)):
        return f"expected the items {shown(items)} in any order, got {shown(got)}"
    return _sort_order(expected, items, got)


def _sort_order(expected, items, got):
    """A query's items come by their sort key, ties in any order. A scan's order is its own."""
    if expected.backward is None or not expected.ranges:
        return None
    wanted, found = ([sort_key(expected.ranges, item) for item in each
                      if set(expected.ranges) <= set(item)] for each in (items, got))
    if wanted != found:
        return f"expected the sort keys {shown(wanted)}, got {shown(found)}"
    return None


def shown(answer):
    text = repr(answer)
    return text if len(text) <= 2000 else text[:2000] + "…"
