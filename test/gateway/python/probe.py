"""What the delivered client makes of its inputs, for the tests: python3 probe.py WHAT ARGUMENTS, prints JSON."""

import json
import sys
from decimal import Decimal

sys.path.insert(0, "examples/python")
import twapd


def web_socket(url, max_bytes):
    """Receives until the end: the messages, and how it ended."""
    messages = []
    try:
        with twapd.WebSocket(url, timeout=60, max_bytes=int(max_bytes)) as one:
            while True:
                messages.append(one.receive(60))
    except twapd.Closed as end:
        return {"messages": messages, "kind": type(end).__name__, "code": end.code, "reason": end.reason}
    except twapd.Refused as end:
        return {"kind": "Refused", "status": end.status, "field": end.errors[0].field, "retryAfter": end.retry_after}
    except twapd.Unreachable:
        return {"kind": "Unreachable"}


def echo(url, sizes):
    """Sends a text of each size and returns whether each came back."""
    with twapd.WebSocket(url, timeout=60) as one:
        same = []
        for size in json.loads(sizes):
            text = ("aä€😀" * size)[:size]
            one.send(text)
            same.append(one.receive(60) == text)
        return same


def slowly(url):
    """A message that comes byte by byte, received with time-outs that end within it."""
    with twapd.WebSocket(url, timeout=60) as one:
        empty = 0
        while True:
            text = one.receive(0.01)
            if text is not None:
                return {"text": text, "waited": empty > 0}
            if empty == 0:
                one.send("go on")
            empty += 1


def signatures(cases):
    return [
        twapd.signature(one["secret"], one["timestamp"], one["nonce"], (one["method"], one["target"], one["body"].encode()) if "body" in one else None)
        for one in json.loads(cases)
    ]


def refusal(url, patience):
    """What a submit ends with."""
    client = twapd.Client(url, key="key", secret="c2VjcmV0", patience=float(patience), timeout=60)
    try:
        return {"kind": "done", "value": client.once("k").portfolios.cancel(portfolio_id=1)}
    except twapd.Refused as error:
        faults = [[one.field, one.code, one.message] for one in error.errors]
        return {"kind": "Refused", "status": error.status, "code": error.code, "errors": faults, "retryAfter": error.retry_after}
    except twapd.TwapdError as error:
        return {"kind": type(error).__name__}


def news(url, count):
    """The kinds and sequences of so many items of the news."""
    heard = []
    client = twapd.Client(url, key="key", secret="c2VjcmV0", timeout=60)
    with client.news() as stream:
        for item in stream:
            heard.append([type(item).__name__, getattr(item, "sequence", None) or item.code])
            if len(heard) == int(count):
                return heard


def values():
    """Decimals in both directions."""
    text = twapd._json_text({"a": Decimal("1E-8"), "b": [1, "x", None, True]}, True)
    number = twapd._json_text({"a": Decimal("0.10")}, False)
    failures = []
    for value in (0.1, Decimal("NaN")):
        try:
            twapd._json_text({"legs": [{"quantity": value}]}, True)
        except (TypeError, ValueError) as error:
            failures.append(str(error))
    read = twapd.decimals(twapd._parsed('{"price":"0.1000000000000000055","label":"12","bids":[["1.5","2"]],"x":0.1}'))
    kinds = [type(one).__name__ for one in (read["price"], read["label"], read["bids"][0][0], read["x"])]
    return {"text": text, "number": number, "failures": failures, "price": str(read["price"]), "kinds": kinds}


def tables():
    row = twapd.flat({"a": {"b": Decimal(1), "c": [1]}, "d": "x"})
    try:
        made = str(twapd.frame([{"a": {"b": Decimal(1)}}], floats=True).iloc[0]["a.b"])
    except ImportError as error:
        made = str(error)
    return {"row": sorted(row), "made": made}


print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
