"""Calls every operation of a daemon with the delivered client and checks what each did; prints the names that were called."""

import json
import sys
import time
from decimal import Decimal

sys.path.insert(0, "examples/python")
import twapd

URL = sys.argv[1]
SECRETS = json.loads(sys.argv[2])
called = set()


class Recorded(twapd.Client):
    def _operation(self, name, params):
        called.add(name.split("/")[-1] if "/trading/" not in name else "trading/" + name.split("/")[-1])
        return super()._operation(name, params)

    def _method(self, name, params):
        called.add(name)
        return super()._method(name, params)


class RecordedSocket(twapd.MethodSocket):
    def call(self, method, params):
        called.add(method)
        return super().call(method, params)


def client_of(key):
    return Recorded(URL, key=key, secret=SECRETS[key], patience=120, timeout=60)


def eventually(what):
    """Until it is granted and true: the daemon accepts orders only after it has read its accounts."""
    end = time.monotonic() + 150
    while True:
        try:
            found = what()
            if found:
                return found
            why = "it never became true"
        except twapd.Refused as refused:
            why = refused
        if time.monotonic() > end:
            raise AssertionError(str(why))
        time.sleep(0.2)


taker, maker, admin = client_of("demo-taker"), client_of("demo-maker"), client_of("demo-taker")
private, public = taker.private, taker.public

# The daemon and its clock.
assert taker.is_alive()
eventually(lambda: taker.readiness()[0])
assert "twapd_" in taker.metrics()
assert len(taker.document("openapi")["paths"]) > 60 and "channels" in taker.document("asyncapi")
offset = taker.correct_clock()
assert abs(offset.offset_ms) <= offset.uncertainty_ms + 1000, offset
assert isinstance(public.get_time(), int)
assert public.test()["version"] == public.hello(client_name="test", client_version="1")["version"]
assert isinstance(public.status(), dict)

# The market.
NAME = "ETH-PERPETUAL"
instrument = public.get_instrument(instrument_name=NAME)
assert NAME in [one["instrumentName"] for one in public.get_instruments(currency="ETH")]
tick = instrument["tickSize"]
assert isinstance(tick, Decimal)
ticker = eventually(lambda: (lambda now: now if now["bestBidPrice"] and now["bestAskPrice"] else None)(public.ticker(instrument_name=NAME)))
assert isinstance(ticker["markPrice"], Decimal) and ticker["bestBidPrice"] < ticker["bestAskPrice"]
book = public.get_order_book(instrument_name=NAME, depth=5)
assert all(isinstance(price, Decimal) for price, _ in book["bids"] + book["asks"]) and book["bids"]
assert abs(public.get_index_price(index_name="eth_usd")["indexPrice"] / ticker["markPrice"] - 1) < Decimal("0.1")

# Orders.
below = (ticker["markPrice"] * Decimal("0.985") / tick).to_integral_value() * tick
placed = eventually(lambda: private.buy(instrument_name=NAME, quantity=1000, price=below, label="one"))["order"]
assert placed["orderState"] == "open" and placed["price"] == below and placed["quantity"] == 1000, placed
order_id = placed["orderId"]
assert private.edit(order_id=order_id, quantity=Decimal(1100))["order"]["quantity"] == 1100
edited = private.edit_by_label(label="one", instrument_name=NAME, price=below - tick)["order"]
assert edited["price"] == below - tick and edited["replaced"] is True
for listed in (
    private.get_open_orders(),
    private.get_open_orders_by_currency(currency="ETH"),
    private.get_open_orders_by_instrument(instrument_name=NAME),
    private.get_order_state_by_label(currency="ETH", label="one"),
):
    assert [one["orderId"] for one in listed if one["label"] == "one"] == [order_id]
assert private.cancel(order_id=order_id)["orderState"] == "cancelled"
assert private.get_order_state(order_id=order_id)["orderState"] == "cancelled"


def rest(label):
    assert private.buy(instrument_name=NAME, quantity=1000, price=below, label=label)["order"]["orderState"] == "open"


rest("two")
assert private.cancel_by_label(label="two") == 1
rest("three")
assert private.cancel_all_by_instrument(instrument_name=NAME) == 1
rest("four")
assert private.cancel_all_by_currency(currency="ETH") == 1
rest("five")
assert private.cancel_all() >= 1
history = private.get_order_history_by_currency(currency="ETH", include_unfilled=True, count=100)
assert order_id in [one["orderId"] for one in history]
history = private.get_order_history_by_instrument(instrument_name=NAME, include_unfilled=True, count=100)
assert order_id in [one["orderId"] for one in history]
first = private.sell(instrument_name=NAME, quantity="2000", type="market", idempotency_key="sold-once")
again = private.sell(instrument_name=NAME, quantity="2000", type="market", idempotency_key="sold-once")
assert first["order"]["orderId"] == again["order"]["orderId"]
sold = first["order"]["orderId"]
trades = eventually(lambda: private.get_user_trades_by_order(order_id=sold))
assert sum(one["quantity"] for one in trades) == 2000
for listed in (private.get_user_trades_by_currency(currency="ETH", count=100), private.get_user_trades_by_instrument(instrument_name=NAME, count=100)):
    assert {one["tradeId"] for one in trades} <= {one["tradeId"] for one in listed["trades"]}
assert NAME in [one["instrumentName"] for one in private.get_positions(currency="ETH")]
assert isinstance(private.get_position(instrument_name=NAME)["size"], Decimal)
assert private.get_account_summary(currency="ETH")["equity"] > 0
assert private.get_margins(instrument_name=NAME, quantity=1000, price=below)["buy"]["margin"] > 0
waiting = private.sell(instrument_name=NAME, quantity=1000, type="stop_market", trigger="mark_price", trigger_price=below, label="stop")
assert waiting["order"]["orderState"] == "untriggered"
private.cancel(order_id=waiting["order"]["orderId"])
entries = private.get_trigger_order_history(currency="ETH")["entries"]
assert waiting["order"]["orderId"] in [one["triggerOrderId"] for one in entries]
try:
    private.buy(instrument_name=NAME, quantity="0.3.3", type="market")
    raise AssertionError("accepted")
except twapd.Refused as refused:
    assert refused.errors[0].field == "quantity" and "accepted" in refused.errors[0].message, refused

# Combos.
dated = [one["instrumentName"] for one in public.get_instruments(currency="BTC", kind="future") if one.get("settlementPeriod") != "perpetual"]
legs = [
    {"instrumentName": dated[-1], "quantity": 10, "side": "buy"},
    {"instrumentName": "BTC-PERPETUAL", "quantity": 10, "side": "sell"},
]
combo = private.create_combo(trades=legs)["id"]
assert combo in public.get_combo_ids(currency="BTC")
assert combo in [one["id"] for one in public.get_combos(currency="BTC")]
assert public.get_combo_details(combo_id=combo)["id"] == combo

# Block RFQs.
block = taker.block
mark = public.ticker(instrument_name="BTC-PERPETUAL")["markPrice"].to_integral_value()
assert "MAKER1" in json.dumps(block.get_makers())
assert isinstance(block.get_user_info(), dict)
assert "BTC-PERPETUAL" in [one["instrumentName"] for one in block.get_instruments(currency="BTC")["results"]]


def quoted():
    rfq = block.create_rfq(legs=[{"instrumentName": "BTC-PERPETUAL", "quantity": 200000, "side": "buy"}], makers=["MAKER1"])
    theirs = eventually(lambda: maker.block.get_rfqs(role="maker", status="open")["blockRfqs"])[0]["blockRfqId"]
    return rfq["blockRfqId"], theirs, requote(theirs)


def quote_legs(price):
    return [{"instrumentName": "BTC-PERPETUAL", "ratio": "1", "side": "buy", "price": price}]


def requote(theirs):
    made = maker.block.create_quote(
        block_rfq_id=theirs, side="sell", execution_instruction="any_part_of", quantity=200000, legs=quote_legs(mark)
    )
    assert made["status"] == "open"
    return made["quoteId"]


rfq, theirs, quote = quoted()
changed = maker.block.edit_quote(quote_id=quote, quantity=200000, legs=quote_legs(mark + 1))
assert changed["price"] == mark + 1, changed
assert quote in [one["quoteId"] for one in maker.block.get_quotes(block_rfq_id=theirs)["results"]]
eventually(lambda: block.trade(block_rfq_id=rfq, side="buy", quantity=200000, price=mark + 1))
assert rfq in [one["blockRfqId"] for one in block.get_rfqs(block_rfq_id=rfq)["blockRfqs"]]
assert "BTC-PERPETUAL" in json.dumps(block.get_trades(currency="BTC"), default=str)
rfq, theirs, quote = quoted()
assert maker.block.cancel_quote(quote_id=quote)["status"] == "cancelled"
requote(theirs)
assert maker.block.cancel_all_quotes() == 1
# An RFQ whose quotes were cancelled is in its grace for a while.
eventually(lambda: block.trade(block_rfq_id=rfq, side="buy", quantity=200000, price=mark - 500, time_in_force="good_til_cancelled"))
block.cancel_trigger(block_rfq_id=rfq)
assert block.cancel_rfq(block_rfq_id=rfq)["status"] == "cancelled"

# Market-maker protection.
config = block.set_mmp_config(index_name="eth_usd", interval=5, frozen_time=30, quantity_limit=5, delta_limit="3.5")["results"][0]
assert config["indexName"] == "eth_usd" and config["interval"] == 5
assert "eth_usd" in json.dumps(private.get_mmp_config(index_name="eth_usd"), default=str)
assert "results" in json.dumps(private.get_mmp_status(index_name="eth_usd"), default=str) or private.get_mmp_status() is not None
private.reset_mmp(index_name="eth_usd")

# Portfolios.
TWAP = {
    "account_id": 10001,
    "portfolio_type": "TWAP",
    "twap_trade": {"durationSec": 3600, "frequencySec": 60},
    "legs": [
        {"instrument": "BTC-PERPETUAL", "instrumentType": "PERPETUAL", "side": 1, "quantity": Decimal(60000), "priceOptions": {"priceType": "MARKET"}}
    ],
}
assert taker.portfolios.plan(**TWAP)["legs"][0]["slices"] == 60
portfolio = eventually(lambda: taker.once("first").portfolios.submit(**TWAP))["portfolioId"]
assert taker.once("first").portfolios.submit(**TWAP)["portfolioId"] == portfolio
record = taker.portfolios.info(portfolio_id=portfolio)
assert record["legs"][0]["placeQuantity"] == Decimal(60000) and record["portfolioStatus"] == 1
page = taker.portfolios.page(account_id=10001, derivatives_types=["PERPETUAL"], page_size=100)
assert str(portfolio) in [one["portfolioId"] for one in page["values"]]
assert taker.portfolios.pause(portfolio_id=portfolio) is None
assert taker.portfolios.resume(portfolio_id=portfolio) is None
assert taker.portfolios.amend(portfolio_id=portfolio, duration_sec=5400, preview=True)
eventually(lambda: taker.portfolios.info(portfolio_id=portfolio)["legs"][0]["filledQuantity"] > 0)
report = eventually(lambda: taker.portfolios.report(portfolio_id=portfolio))
told = eventually(lambda: taker.portfolios.history(portfolio_id=portfolio, after=0, limit=5))
assert told["events"][0]["messageType"] == "PORTFOLIO_SUBMITTED", told
course = eventually(lambda: taker.portfolios.course(portfolio_id=portfolio, after=0))
assert course["legs"][0]["plan"] and course["version"] >= told["version"], course
assert taker.portfolios.counts(account_id=10001)["active"] >= 1
costs = eventually(lambda: taker.portfolios.report_summary(account_id=10001))
assert costs["schema"] == "twapd.tca-summary/1", costs
now = public.get_time()
log = private.get_transaction_log(currency="ETH", start_timestamp=now - 3_600_000, end_timestamp=now + 60_000)
assert log["transactions"][0]["instrumentName"].startswith("ETH"), log
assert isinstance(log["transactions"][0]["fee"], Decimal)
assert report["legs"] and "<html" in taker.report_page(portfolio)
assert taker.portfolios.cancel(portfolio_id=portfolio) is None
eventually(lambda: taker.portfolios.info(portfolio_id=portfolio)["portfolioStatus"] == 3)
second = taker.portfolios.submit(**TWAP)["portfolioId"]
with taker.news(portfolio_id=second) as news, taker.open_orders(10001) as open_orders:
    states = iter(open_orders)
    assert isinstance(next(states), twapd.Listening) and isinstance(next(states), twapd.OpenOrders)
    for item in news:
        if isinstance(item, twapd.Listening):
            assert taker.portfolios.cancel_all(account_id=10001) is None
        if isinstance(item, twapd.News) and item.type == "PORTFOLIO_CANCELLED":
            assert item.portfolio_id == str(second) and isinstance(item.portfolio["legs"][0]["filledQuantity"], Decimal)
            break
try:
    taker.portfolios.submit(**{**TWAP, "legs": []})
    raise AssertionError("accepted")
except twapd.Refused as refused:
    assert refused.errors[0].field == "legs" and refused.status == 200, refused

# Trading switches, overrides, limits.
assert admin.trading.switch(scope="account", of="10003", state="reducing", reason="test")["state"] == "reducing"
assert ["10003"] == [one["of"] for one in admin.trading.switches() if one["state"] == "reducing"]
admin.trading.switch(scope="account", of="10003", state="active", reason="test")
asked = maker.trading.override(control="price_collar", account_id=10002, instrument_name=NAME, side="buy", quantity=10, reason="test")
assert asked["id"] in [one["id"] for one in maker.trading.overrides()]
assert admin.trading.override_grant(id=asked["id"])["grantedBy"] == "demo-taker"
assert {one["accountId"] for one in taker.trading.limits()} >= {"10001"}

assert [one["state"] for one in admin.trading.switch_history() if one["of"] == "10003"] == ["active", "reducing"]
assert all(one["legs"] == [] for one in taker.trading.unaccounted()["accounts"])
me = taker.trading.whoami()
assert me["keyId"] == "demo-taker" and "portfolios/submit" in me["operations"]
deployment = taker.trading.summary()
assert deployment["tradingState"] in ("active", None) and deployment["venues"][0]["exchange"] == "paper"

trail = admin.trading.actions(account_id=10001, limit=1)
assert trail["actions"][0]["accountId"] == "10001" and trail["next"], trail
assert len(admin.trading.actions(account_id=10001, before=trail["next"], limit=2)["actions"]) == 2
assert {"demo-taker", "demo-maker"} <= {one["keyId"] for one in admin.trading.keys()}
assert [one["keyId"] for one in maker.trading.keys()] == ["demo-maker"]
assert admin.trading.strategies()["faults"] == []
try:
    admin.trading.strategy_switch(strategy="none of this name", state="off", reason="test")
    raise AssertionError("switched")
except twapd.Refused as refused:
    assert refused.errors[0].field == "strategy", refused

# The page.
link = taker.trading.page_code(purpose="open", scopes=["read"])
assert link["purpose"] == "open" and link["scopes"] == ["read"] and len(link["code"]) > 10, link
assert taker.trading.page_sessions() == []
try:
    taker.trading.page_session_end(id="none")
    raise AssertionError("ended")
except twapd.Refused as refused:
    assert refused.errors[0].field == "id", refused

# One connection.
with RecordedSocket(taker) as line:
    channel = "user.orders.any.any.raw"
    assert line.public.set_heartbeat(interval=10) == "ok"
    assert line.public.disable_heartbeat() == "ok"
    assert line.public.subscribe(channels=[f"ticker.{NAME}.100ms"]) == [f"ticker.{NAME}.100ms"]
    told = next(line.notifications(120))
    assert told.channel == f"ticker.{NAME}.100ms" and isinstance(told.data["markPrice"], Decimal)
    assert line.public.unsubscribe(channels=[f"ticker.{NAME}.100ms"])
    assert line.public.unsubscribe_all() == "ok"
    assert line.private.enable_cancel_on_disconnect(scope="connection") == "ok"
    assert line.private.get_cancel_on_disconnect(scope="connection")["enabled"] is True
    assert line.private.disable_cancel_on_disconnect(scope="connection") == "ok"
    assert line.private.subscribe(channels=[channel]) == [channel]
    mine = line.private.buy(instrument_name=NAME, quantity=1000, price=below, label="heard")["order"]["orderId"]
    assert next(one for one in line.notifications(120) if one.channel == channel).data["orderId"] == mine
    line.private.cancel(order_id=mine)
    assert line.private.unsubscribe(channels=[channel])
    assert line.private.unsubscribe_all() == "ok"

# Deribit's wire.
with taker.deribit() as deribit:
    assert deribit.subscribe(["user.orders.any.any.raw", f"ticker.{NAME}.100ms"])
    bought = deribit.call("private/buy", {"instrument_name": NAME, "amount": 1000, "price": below, "label": "wire"})["order"]
    heard = next(one for one in deribit.notifications(120) if one.channel.startswith("user."))
    assert heard.data["order_id"] == bought["order_id"] and Decimal(bought["price"]) == below
    assert not isinstance(bought["price"], float)
    assert len(deribit.reconnect()) == 2
    assert next(one for one in deribit.notifications(120) if one.channel.startswith("ticker.")).data["mark_price"] > 0
    assert deribit.call("private/cancel", {"order_id": bought["order_id"]})["order_state"] == "cancelled"
    deribit.unsubscribe(["user.orders.any.any.raw"])

print(json.dumps(sorted(called)))
