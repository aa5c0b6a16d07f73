"""Prints the options of a coin that expire next: python3 examples/python/chain.py [http://127.0.0.1:8080] [BTC]"""
import os
import sys
import time

import twapd

client = twapd.Client(
    sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080",
    key=os.environ.get("TWAPD_KEY", "demo-taker"),
    secret=os.environ.get("TWAPD_SECRET", "dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=="),
    patience=60,
)
coin = sys.argv[2] if len(sys.argv) > 2 else "BTC"
options = client.public.get_instruments(currency=coin, kind="option")
first = min(one["expiration"] or 0 for one in options)
expiry = time.strftime("%Y-%m-%d", time.gmtime(first / 1000))
print(f"{'expiry':10} {'strike':>8} {'kind':4} {'bid':>10} {'ask':>10} {'mark':>10}")
chain = [one for one in options if one["expiration"] == first]
for option in sorted(chain, key=lambda one: (one["strike"] or 0, one["optionKind"] or "")):
    quote = client.public.ticker(instrument_name=option["instrumentName"])
    prices = " ".join(f"{quote[name] if quote[name] is not None else '-':>10}" for name in ("bestBidPrice", "bestAskPrice", "markPrice"))
    print(f"{expiry} {option['strike']:>8} {option['optionKind'] or '':4} {prices}")
