"""Submits a TWAP and follows it to its end: python3 examples/python/follow.py [http://127.0.0.1:8080]"""
import os
import sys
from decimal import Decimal

import twapd

client = twapd.Client(
    sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080",
    key=os.environ.get("TWAPD_KEY", "demo-taker"),
    secret=os.environ.get("TWAPD_SECRET", "dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ=="),
    patience=60,
)
portfolio = None
with client.news() as news:
    for item in news:
        if isinstance(item, (twapd.Listening, twapd.Resync)) and portfolio is None:
            portfolio = client.portfolios.submit(
                account_id=10001,
                portfolio_type="TWAP",
                twap_trade={"durationSec": 20, "frequencySec": 5},
                execution={"endAction": "market"},
                legs=[
                    {
                        "instrument": "BTC-PERPETUAL",
                        "instrumentType": "PERPETUAL",
                        "side": 1,
                        "quantity": Decimal(2000),
                        "priceOptions": {"priceType": "MARKET"},
                    }
                ],
            )["portfolioId"]
        if isinstance(item, twapd.Disconnected):
            print(f"disconnected ({item.reason}), again in {item.retry_in:.1f} s")
        if portfolio is not None and (isinstance(item, twapd.Resync) or isinstance(item, twapd.News) and item.portfolio_id == str(portfolio)):
            record = client.portfolios.info(portfolio_id=portfolio) if isinstance(item, twapd.Resync) else item.portfolio
            if record["portfolioStatus"] in (2, 3):
                print(f"portfolio {portfolio} has status {record['portfolioStatus']}, {record['legs'][0]['filledQuantity']} filled")
                break
            if isinstance(item, twapd.News):
                print(item.type, record["legs"][0]["filledQuantity"])
