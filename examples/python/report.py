"""Shows what a portfolio cost, the latest ended one by default: python3 examples/python/report.py [http://127.0.0.1:8080] [ID]"""
import os
import sys

import twapd

client = twapd.Client(
    sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080",
    key=os.environ.get("TWAPD_KEY", "demo-taker"),
    secret=os.environ.get("TWAPD_SECRET", "dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=="),
    patience=60,
)
if len(sys.argv) > 2:
    portfolio = sys.argv[2]
else:
    ended = client.portfolios.page(account_id=10001, portfolio_tag="ORDER_HISTORY", page_size=1)["values"]
    portfolio = ended[0]["portfolioId"] if ended else sys.exit("no portfolio has ended yet")
legs = client.portfolios.report(portfolio_id=portfolio)["legs"]
try:
    print(twapd.frame(legs).T.to_string())
except ImportError:
    for leg in legs:
        for name, value in twapd.flat(leg).items():
            if not isinstance(value, list):
                print(f"{name:32} {value}")
