"""Prints a line for each item of the news, until it is ended."""

import json
import sys

sys.path.insert(0, "examples/python")
import twapd

client = twapd.Client(sys.argv[1], key="demo-taker", secret=json.loads(sys.argv[2])["demo-taker"])
for item in client.news():
    if isinstance(item, twapd.News):
        print(item.type, item.portfolio_id, item.version, flush=True)
    else:
        print(type(item).__name__, flush=True)
