"""A client of twapd in one file: Python 3.9 or newer, standard library only. docs/python.md explains it.

    client = Client("http://127.0.0.1:8080", key="demo-taker", secret=SECRET)
    made = client.portfolios.submit(account_id=10001, portfolio_type="TWAP", legs=[...], twap_trade={...})
    with client.news() as news:
        for item in news: ...

Prices, quantities and money are `decimal.Decimal` in both directions; a float in a request is refused here, by field.
Instants are Unix milliseconds. A request is sent once: what may have taken effect without an answer raises
`OutcomeUnknown`. The classes between the two lines "generated" follow the daemon's schemas.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import re
import socket
import ssl
import struct
import threading
import time
import urllib.parse
import uuid
from collections import deque
from dataclasses import dataclass
from decimal import Decimal
from typing import (
    Any,
    Callable,
    Deque,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypedDict,
    TypeVar,
    Union,
    cast,
)

Number = Union[Decimal, int, str]
"""A price, quantity or amount in a request. Text is sent as it is."""
Id = Union[int, str]
Json = Any

OUTCOME_UNKNOWN_CODE = 13028


class TwapdError(Exception):
    """Anything that this client reports."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a request."""

    field: str
    """Path of the field or param; empty if no single one is at fault."""
    code: int
    message: str
    """What was wrong, and what would be accepted."""


class Refused(TwapdError):
    """The daemon refused the request: nothing was done."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        errors: Sequence[Fault] = (),
        retry_after: Optional[float] = None,
    ) -> None:
        self.status, self.code, self.message = status, code, message
        self.errors = tuple(errors)
        self.retry_after = retry_after
        """Seconds after which the same request may be accepted; None if it will not be."""
        told = "; ".join(f"{one.field}: {one.message}" if one.field else one.message for one in self.errors)
        super().__init__(f"{told or message or 'refused'} (code {code}, HTTP {status})")


class Unreachable(TwapdError):
    """No connection could be made: nothing was sent."""


class OutcomeUnknown(TwapdError):
    """The request was sent and may have taken effect; query the state before sending another."""


class Closed(TwapdError):
    """The WebSocket has ended."""

    def __init__(self, code: int, reason: str) -> None:
        self.code, self.reason = code, reason
        super().__init__(f"closed with {code}: {reason}" if reason else f"closed with {code}")


class BrokenProtocol(Closed):
    """The other end of the WebSocket sent what RFC 6455 or the interface does not allow."""


# ---- signing and values ----


def signature(secret: str, timestamp: str, nonce: str, request: Optional[Tuple[str, str, bytes]] = None) -> str:
    """base64(HMAC-SHA256(base64decode(secret), timestamp LF nonce)); with `request` (method, target, body) bound to it."""
    content = f"{timestamp}\n{nonce}"
    if request is not None:
        method, target, body = request
        content += f"\n{method}\n{target}\n{hashlib.sha256(body).hexdigest()}"
    made = hmac.new(base64.b64decode(secret), content.encode(), hashlib.sha256)
    return base64.b64encode(made.digest()).decode()


_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def _json_text(value: Json, decimals_as_text: bool, path: str = "") -> str:
    """JSON of a request. Floats are refused, as they rarely are the amount that was meant."""
    if isinstance(value, float):
        raise TypeError(f"{path or 'value'} is the float {value!r}; accepted: Decimal, int or text")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{path or 'value'} is {value}; accepted: a finite decimal")
        return f'"{value:f}"' if decimals_as_text else f"{value:f}"
    if isinstance(value, Mapping):
        fields = (
            f"{json.dumps(str(name))}:{_json_text(one, decimals_as_text, f'{path}.{name}' if path else str(name))}"
            for name, one in value.items()
            if one is not None
        )
        return "{" + ",".join(fields) + "}"
    if isinstance(value, (list, tuple)):
        items = (_json_text(one, decimals_as_text, f"{path}[{n}]") for n, one in enumerate(value))
        return "[" + ",".join(items) + "]"
    return json.dumps(value)


def _parsed(text: str) -> Json:
    """JSON without a loss of digits; NaN and Infinity, which are not JSON, are refused."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    return json.loads(text, parse_float=Decimal, parse_constant=refuse)


def decimals(value: Json, field: str = "") -> Json:
    """The same answer with the text of prices, quantities and money as Decimal."""
    if isinstance(value, str):
        return Decimal(value) if field in DECIMAL_FIELDS and _DECIMAL.fullmatch(value) else value
    if isinstance(value, list):
        return [decimals(one, field) for one in value]
    if isinstance(value, dict):
        return {name: decimals(one, name) for name, one in value.items()}
    return value


_Call = Callable[[str, Mapping[str, Any]], Any]

# ---- generated ----
PORTFOLIO_PATH = "/tt/broker/openapi/portfolios"

# Fields of answers whose text is a decimal.
DECIMAL_FIELDS = frozenset(
    "abovePrice activeTwap aheadBound aheadQuantity amount arrival ask askIv asks available availableFunds average averagePrice balance bestAskAmount bestAskPrice bestBidAmount bestBidPrice bestPrice beyondDepth bid bidIv bids cashflow change childPrice collar contractSize contracts cost costBps cumulativeQuantity currentFunding decision delay deliveryPrice delta deltaLimit deltaTotal displayAmount effective equity estimatedDeliveryPrice fee fees filled filledAvgPrice filledQuantity final floatingProfitLoss funding funding8h gamma hedgePrice hedgeQuantity high implv improvement indexPrice initialMargin iv lastPrice limit low maintenanceMargin makerCommission makerFee margin marginBalance mark markIv markPrice market maxPrice maxQuoteQuantity mid minPrice minTradeAmount needed open openInterest openOrdersMargin optionsGamma optionsTheta optionsValue optionsVega outstandingQuantity placeQuantity planned posted price priceChange profitLoss qtyTickSize quantity quantityBefore quantityLimit rate ratio realizedFunding realizedProfitLoss refreshAmount remainingQuantity residual resting rho scale schedule scheduledQuantity sessionRpl sessionUpl settlementPrice size spotReserve spread strike takerCommission takerFee theta tickSize total totalProfitLoss tradeCountLimit triggerOffset triggerPrice triggerReferencePrice twap underlyingPrice unhedgedQuantity unsplit usd used vega vegaLimit volume volumeUsd vwap".split()
)


class PortfolioRecordTwapTradeFees(TypedDict):
    fee: Decimal  # Amount
    defaultPvCcy: str  # Currency


class PortfolioRecordTwapTrade(TypedDict):
    startTimestamp: str  # Start, Unix milliseconds
    endTimestamp: str  # End of the schedule, Unix milliseconds
    durationSec: str  # Duration in seconds, rounded up; endTimestamp is exact
    frequencySec: str  # Seconds between two slices
    totalMs: str  # Milliseconds from submit to the last update
    endAction: str  # Treatment of the residual at the end
    fees: List[PortfolioRecordTwapTradeFees]  # Fees of all legs by currency


class _PortfolioRecordBalanceTrade(TypedDict):
    parts: int  # Number of consecutive parts
    eachLimitMs: str  # Time limit of one part, milliseconds
    totalLimitMs: str  # Time limit of the portfolio, milliseconds; 0: no limit
    totalEndAction: Literal[1, 2]  # At the total limit: 1 CANCEL_REMAINING, 2 FILL_BY_MARKET
    totalMs: str  # Milliseconds from submit to the last update
    fees: List[PortfolioRecordTwapTradeFees]  # Fees of all legs by currency
    partsDone: int  # Completed parts
    partTimeout: str  # Treatment of a part that exceeds its time: chase or keep


class PortfolioRecordBalanceTrade(_PortfolioRecordBalanceTrade, total=False):
    stage: str  # Stage of the current part: work, chase or sweep


class PortfolioRecordPaused(TypedDict):
    byUid: str  # User who paused it
    timestamp: str  # Since, Unix milliseconds


class PortfolioRecordMirrorsLegs(TypedDict):
    placeQuantity: Decimal  # Its total
    filledQuantity: Decimal  # Its share of the fills
    filledAvgPrice: Decimal  # Average price of its fills; 0 without fills
    remainingQuantity: Decimal  # Not filled


class _PortfolioRecordMirrors(TypedDict):
    portfolioId: str  # Portfolio id of the mirror
    accountId: str  # Account id
    accountName: str  # Account name
    scale: Decimal  # Its quantities as a multiple of this portfolio's
    portfolioStatus: Literal[1, 2, 3, 4]  # 1 PENDING/ACTIVE, 2 FILLED, 3 CANCELLED, 4 CANCELLING
    legs: List[PortfolioRecordMirrorsLegs]  # In the order of the legs


class PortfolioRecordMirrors(_PortfolioRecordMirrors, total=False):
    reason: str  # Why it ended or is being cancelled


class _PortfolioRecordEndRfqLegs(TypedDict):
    leg: int  # Index of the leg, from 0
    instrument: str  # Instrument name
    side: Literal[1, 2]  # 1 BUY, 2 SELL
    quantity: Decimal  # Requested quantity of this leg


class PortfolioRecordEndRfqLegs(_PortfolioRecordEndRfqLegs, total=False):
    ratio: Decimal  # Leg size per quantity of the structure
    hedgePrice: Decimal  # On the hedge leg: its fixed price


class _PortfolioRecordEndRfq(TypedDict):
    stage: str  # sending, unknown, refused, open, accepting, cancelling, over or skipped
    fallback: str  # Treatment of what remains after it


class PortfolioRecordEndRfq(_PortfolioRecordEndRfq, total=False):
    outcome: str  # With over: traded, refused, unsent, cancelled, expired or failed
    why: str  # Why it was skipped or is being cancelled
    blockRfqId: str  # Taker's id of the Block RFQ
    label: str  # Label of the Block RFQ
    quantity: Decimal  # Of the structure
    legs: List[PortfolioRecordEndRfqLegs]  # What was requested
    accepts: int  # Accepts sent
    bestPrice: Decimal  # Best price of the whole structure, for buying its legs as listed
    bestMakers: int  # Makers needed for that price
    price: Decimal  # Trade price
    endTimestamp: str  # When it is cancelled at the latest, Unix milliseconds


class PortfolioRecordLegsFees(TypedDict):
    fee: Decimal  # Amount
    currency: str  # Currency


class PortfolioRecordLegsRefusal(TypedDict):
    code: int  # Code of the venue; 0: not sent
    message: str  # Why
    timestamp: str  # When, Unix milliseconds


class _PortfolioRecordLegs(TypedDict):
    legId: str  # Leg id: the portfolio id and the leg number in two digits
    side: Literal[1, 2]  # 1 BUY, 2 SELL
    instrument: str  # Instrument name
    instrumentType: Literal["OPTION", "PERPETUAL", "DELIVERY_FUTURES", "SPOT", "FUTURE_COMBO", "OPTION_COMBO"]  # Kind of the instrument
    legStatus: Literal[1, 2, 3, 4]  # 1 PENDING/ACTIVE, 2 FILLED, 3 CANCELLED, 4 CANCELLING
    placeQuantity: Decimal  # Requested quantity
    quantityIn: str  # Unit of the quantities
    filledAvgPrice: Decimal  # Average price of the fills; 0 without fills
    filledQuantity: Decimal  # Quantity filled
    remainingQuantity: Decimal  # Quantity not filled
    fee: Decimal  # Fees paid in defaultPvCcy
    forCcy: str  # Base currency of the exposure
    domCcy: str  # Currency the exposure is priced against
    markCcy: str  # Currency of the mark price
    notionalCcy: str  # Currency of the notional
    defaultPvCcy: str  # Currency of premium, result and fees
    hedge: bool  # Sized by the fills of the other legs
    fees: List[PortfolioRecordLegsFees]  # Fees of every currency
    outstandingQuantity: Decimal  # Open at the venue, or possibly open; not filled
    scheduledQuantity: Decimal  # Quantity scheduled to be filled by updateTimestamp
    slicesPlanned: int  # Planned slices (BALANCE: parts); for a hedge leg, which has no plan, the slices started so far; 0 for a mirror
    slicesPlaced: int  # Planned slices that sent at least one order; slices of the end action do not count
    slicesMissed: int  # Planned slices that ended without sending an order. At the end slicesPlaced + slicesMissed = slicesPlanned
    nextSlice: int  # Index of the next slice, from 0
    reprices: int  # Edits of resting children


class PortfolioRecordLegs(_PortfolioRecordLegs, total=False):
    waiting: str  # Why the current slice places no orders
    refusal: PortfolioRecordLegsRefusal  # Refusal of the latest child order, until one is accepted
    priority: bool  # BALANCE: whether this leg leads
    unhedgedQuantity: Decimal  # Of a hedge: what the fills of the other legs require and it has not filled; absent: nothing
    aheadQuantity: Decimal  # BALANCE: filled beyond the proportion of the least filled leg
    aheadBound: Decimal  # BALANCE: the most it can be ahead during the part


class _PortfolioRecord(TypedDict):
    uid: str  # User who submitted it
    nickname: str  # Name of that user
    accountId: str  # Account id
    accountName: str  # Account name
    exchange: str  # Exchange the account belongs to
    portfolioId: str  # Portfolio id
    submitTimestamp: str  # Submit time, Unix milliseconds
    updateTimestamp: str  # Last update, Unix milliseconds
    portfolioStatus: Literal[1, 2, 3, 4]  # 1 PENDING/ACTIVE, 2 FILLED, 3 CANCELLED, 4 CANCELLING
    portfolioType: str  # TWAP or BALANCE
    customizedNote: str  # Note of the submitter
    lastEditedUid: str  # User of the last change
    mirrorPortfolioIds: List[str]  # Portfolios that mirror this one
    legs: List[PortfolioRecordLegs]  # The legs, in the order they were submitted


class PortfolioRecord(_PortfolioRecord, total=False):
    twapTrade: PortfolioRecordTwapTrade  # The schedule
    balanceTrade: PortfolioRecordBalanceTrade  # The parts
    strategy: str  # Label of the strategy
    reason: str  # Why it ended or is being cancelled
    paused: PortfolioRecordPaused  # Paused by an operator: no orders are placed
    mirrorOf: str  # Portfolio whose fills this one mirrors
    scale: Decimal  # Of a mirror: its quantities as a multiple of the mirrored portfolio's
    mirrors: List[PortfolioRecordMirrors]  # State of each mirror, in the order of mirrorPortfolioIds; info only
    endRfq: PortfolioRecordEndRfq  # The Block RFQ for the residual; with endAction rfq, after the end of the schedule


class Switch(TypedDict):
    scope: Literal["deployment", "account", "strategy", "portfolio"]
    of: str  # The account, strategy or portfolio; empty for the deployment
    state: Literal["active", "reducing", "halted"]
    uid: str  # Who set it
    nickname: str
    reason: str
    timestamp: str  # When it was set, Unix milliseconds


class Override(TypedDict):
    id: str
    control: Literal["price_collar", "order_value", "order_volume", "position", "gross", "market_unrest", "self_match"]
    accountId: str
    instrumentName: str
    side: Literal["buy", "sell"]
    quantity: Decimal
    reason: str
    askedBy: str  # Id of the requesting key
    grantedBy: str  # Id of the granting key; empty until granted
    expiresAt: str  # Unix milliseconds
    isUsed: bool


class _Order(TypedDict):
    orderId: str  # Unique id
    instrumentName: str  # Instrument name
    side: Literal["buy", "sell"]  # Side of the order
    orderType: Literal["limit", "market", "market_limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"]  # Current type: a market order that rests in the book is shown as a limit order while it does
    orderState: Literal["open", "filled", "rejected", "cancelled", "untriggered", "triggered"]  # State, in lower case
    price: Decimal  # Limit price in force; market_price while a market order waits for its trigger
    quantity: Decimal  # Total size, including the filled part
    filledQuantity: Decimal  # Filled size
    averagePrice: Decimal  # Average price of the fills; 0 without fills
    timeInForce: Literal["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"]  # Time in force
    timeInforce: Literal["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"]  # The same as timeInForce: both spellings are in use
    postOnly: bool  # Maker only
    label: str  # Label of the client; empty for none
    createdAt: int  # Placed, Unix milliseconds
    lastUpdatedAt: int  # Last change, Unix milliseconds
    replaced: bool  # Edited by the client or by the exchange's pricing engine
    mmp: bool  # Counts towards market-maker protection
    riskReducing: Literal[False]  # Always false: it applies to portfolio margin, which is not offered
    api: Literal[True]  # Always true: every order is created with the API


class Order(_Order, total=False):
    originalOrderType: str  # Requested type, if different
    contracts: Decimal  # The same in contracts
    rejectPostOnly: bool  # Rejected instead of moved; only with postOnly
    reduceOnly: bool  # Only reduces a position; present only if true
    cancelReason: str  # Why it was cancelled, if a reason is known
    autoReplaced: bool  # The last change was made by the exchange's pricing engine
    advanced: Literal["usd", "implv"]  # Options priced by the exchange
    usd: Decimal  # Price in USD, with advanced usd
    implv: Decimal  # Volatility in percent, with advanced implv
    displayAmount: Decimal  # Icebergs: size currently shown
    refreshAmount: Decimal  # Icebergs: size to which the shown size is refilled
    trigger: Literal["index_price", "mark_price", "last_price"]  # Watched
    triggerPrice: Decimal  # Trigger orders: trigger price; for a trailing stop the current one
    triggerOffset: Decimal  # Trailing stops: distance from the best price
    triggerReferencePrice: Decimal  # Trailing stops: the reference at placement
    triggered: bool  # Trigger orders: whether it has been triggered
    triggerOrderId: str  # Trigger order that created this one
    firedOrderId: str  # Trigger orders: the order it created
    triggerFillCondition: Literal["first_hit", "complete_fill", "incremental"]  # Linked orders: when a fill acts on the others
    otoOrderIds: List[str]  # Orders this one triggers
    isSecondaryOto: Literal[True]  # Waits for its primary order
    isPrimaryOtoco: Literal[True]  # Triggers a pair
    primaryOrderId: str  # Primary of a secondary order
    ocoRef: str  # Shared by the two orders of a one-cancels-other pair
    isLiquidation: Literal[True]  # Placed by the exchange to reduce a position of an account in liquidation
    mmpCancelled: Literal[True]  # Cancelled by market-maker protection


class _Position(TypedDict):
    instrumentName: str  # Instrument name
    kind: Literal["future", "option", "spot", "future_combo", "option_combo"]  # future includes perpetuals
    side: Literal["buy", "sell", "zero"]  # Long, short or flat
    size: Decimal  # Signed, in the unit of quantities
    averagePrice: Decimal  # Average price of the open position
    floatingProfitLoss: Decimal  # Unrealised, in the settlement currency
    realizedProfitLoss: Decimal  # Realised since the last settlement
    totalProfitLoss: Decimal  # Both
    delta: Decimal  # Coins
    initialMargin: Decimal  # Initial margin
    maintenanceMargin: Decimal  # Maintenance margin
    openOrdersMargin: Decimal  # Margin of open orders


class Position(_Position, total=False):
    markPrice: Decimal  # Mark price
    indexPrice: Decimal  # Index
    settlementPrice: Decimal  # Of the last settlement
    gamma: Decimal  # Options
    vega: Decimal  # Options
    theta: Decimal  # Options
    realizedFunding: Decimal  # Perpetuals: funding since the last settlement


class InstrumentTickSizeSteps(TypedDict):
    abovePrice: Decimal  # From here on
    tickSize: Decimal  # this step


class InstrumentLegs(TypedDict):
    instrumentName: str  # Instrument name
    ratio: int  # Units that one unit of the combo buys, negative if it sells


class _Instrument(TypedDict):
    instrumentName: str  # Instrument name
    kind: Literal["future", "option", "spot", "future_combo", "option_combo"]  # future includes perpetuals
    baseCurrency: str  # Coin the instrument is exposed to
    quoteCurrency: str  # Currency of the price
    settlementCurrency: str  # Currency of profit, loss and fees
    marginKind: Literal["linear", "reversed"]  # reversed: settled in the coin
    optionKind: Optional[Literal["CALL", "PUT"]]  # null except for options
    strike: Optional[Decimal]
    expiration: Optional[int]
    contractSize: Decimal  # One contract, in the unit of quantities
    quantityUnit: str  # Unit of quantities: USD or the coin
    minTradeAmount: Decimal  # Smallest quantity
    qtyTickSize: Decimal  # Step of quantities
    tickSize: Decimal  # Smallest step of prices
    tickSizeSteps: List[InstrumentTickSizeSteps]  # Larger steps above a price
    priceIndex: str  # Index it settles against
    makerCommission: Decimal  # Fraction of the notional; for options, of the underlying
    takerCommission: Decimal  # Fraction of the notional; for options, of the underlying
    isActive: bool  # Whether it is in trading


class Instrument(_Instrument, total=False):
    settlementPeriod: Literal["perpetual"]  # Perpetuals only
    legs: List[InstrumentLegs]  # Combos only
    isRouted: Literal[True]  # Spot matched on another exchange: fewer kinds of orders, and no public trades


class _TickerStats(TypedDict):
    volume: Decimal  # Traded in 24 hours, in the unit of quantities
    high: Optional[Decimal]
    low: Optional[Decimal]
    priceChange: Optional[Decimal]


class TickerStats(_TickerStats, total=False):
    volumeUsd: Decimal  # The same in USD


class TickerGreeks(TypedDict, total=False):
    delta: Decimal  # Change of price per change of the underlying
    gamma: Decimal  # Change of delta per USD
    vega: Decimal  # USD per volatility point
    theta: Decimal  # USD per day
    rho: Decimal  # USD per point of the rate


class _Ticker(TypedDict):
    instrumentName: str  # Instrument name
    timestamp: int  # As of, Unix milliseconds
    state: Literal["open", "settlement", "locked", "closed"]  # State of the book
    bestBidPrice: Optional[Decimal]
    bestBidAmount: Decimal  # Its size
    bestAskPrice: Optional[Decimal]
    bestAskAmount: Decimal  # Its size
    lastPrice: Optional[Decimal]
    stats: TickerStats  # Of the last 24 hours


class Ticker(_Ticker, total=False):
    markPrice: Decimal  # Mark price
    indexPrice: Decimal  # Index
    minPrice: Decimal  # A sell below it is refused
    maxPrice: Decimal  # A buy above it is refused
    openInterest: Decimal  # Open interest
    settlementPrice: Decimal  # Of the last settlement
    estimatedDeliveryPrice: Decimal  # Price it would settle at
    deliveryPrice: Decimal  # Price it settled at
    markIv: Decimal  # Options: percent
    bidIv: Decimal  # Options: percent
    askIv: Decimal  # Options: percent
    underlyingPrice: Decimal  # Options: the forward
    underlyingIndex: str  # Options: name of the forward
    greeks: TickerGreeks  # Options
    funding8h: Decimal  # Perpetuals: fraction
    currentFunding: Decimal  # Perpetuals: fraction


class _PortfoliosSubmitLegsPriceOptions(TypedDict):
    priceType: Literal["LIMIT", "MARKET", "DYNAMIC"]  # How children are priced: at a fixed price, at the market, or following a reference


class PortfoliosSubmitLegsPriceOptions(_PortfoliosSubmitLegsPriceOptions, total=False):
    price: Optional[Number]  # LIMIT: the order price. DYNAMIC: a placeholder without effect, neither a cap nor a starting price (worst is the cap). Required if priceType is LIMIT or DYNAMIC
    priceIn: Optional[str]  # Unit of the price: a currency code, USD, or IV (a fraction, 0.6 = 60 %); required if priceType is LIMIT or DYNAMIC
    dynamicPriceStrategy: Optional[Literal["MID", "MARK", "MODEL", "BID", "ASK"]]  # Reference price to follow; required if priceType is DYNAMIC
    dynamicPriceOffset: Optional[Number]  # Added to the reference, in the unit of priceIn; may be negative
    dynamicMs: Optional[int]  # Reprice interval in milliseconds; required with dynamicPriceStrategy
    worst: Optional[Number]  # Worst price of any order of the leg: never buys above it or sells below it, including escalation, would prices, end action and edits. In the instrument's own currency, whatever priceIn is; not with endAction rfq


class _PortfoliosSubmitLegs(TypedDict):
    instrument: str  # Instrument name, for example BTC-PERPETUAL
    instrumentType: Literal["OPTION", "PERPETUAL", "DELIVERY_FUTURES", "SPOT", "FUTURE_COMBO", "OPTION_COMBO"]  # Kind of the instrument
    side: Literal[1, 2]  # 1 BUY, 2 SELL
    quantity: Number  # Total quantity: USD for inverse perpetuals and futures, otherwise the base coin
    priceOptions: PortfoliosSubmitLegsPriceOptions  # How the children of the leg are priced


class PortfoliosSubmitLegs(_PortfoliosSubmitLegs, total=False):
    priceSnapshot: Optional[Sequence[Mapping[str, Optional[Number]]]]  # Reference prices at submission, stored for audit
    timeInForce: Optional[Literal[1, 2, 3, 4]]  # Time in force of each child: 1 GTC, 2 IOC, 3 FOK, 4 GTD
    postOnly: Optional[bool]  # Children are maker only (default false)
    reduceOnly: Optional[bool]  # Children only reduce a position (default false)
    hidden: Optional[bool]  # Children are not shown in the book; true only where the venue has hidden orders (default false)
    tradeMode: Optional[Literal[1, 2, 3]]  # Margin mode of the position: 1 CASH (SPOT), 2 CROSS (everything else), 3 ISOLATED (not available)
    positionSide: Optional[Literal[1, 2, 3]]  # Position side of the leg: 3 NET; 1 LONG and 2 SHORT are not available
    hedge: Optional[bool]  # Sized by the fills of the other legs instead of the clock (default false)
    priority: Optional[bool]  # BALANCE: this leg leads and the others follow its fills; at most one (default false)


class _PortfoliosSubmitTwapTrade(TypedDict):
    durationSec: int  # Total duration in seconds; within limits.durationSec of the deployment, by default 300 to 86400
    frequencySec: int  # Seconds between two slices; within limits.frequencySec of the deployment, by default 30 to 3600


class PortfoliosSubmitTwapTrade(_PortfoliosSubmitTwapTrade, total=False):
    startTimestamp: Optional[int]  # Start, Unix milliseconds; absent: at acceptance


class PortfoliosSubmitBalanceTrade(TypedDict):
    parts: int  # Number of consecutive parts; each leg is divided into this many
    eachLimitMs: int  # Time limit of one part in milliseconds; a partly filled part is then completed with market orders
    totalLimitMs: int  # Time limit of the portfolio in milliseconds; 0: no limit
    totalEndAction: Literal[1, 2]  # At the total limit: 1 CANCEL_REMAINING, 2 FILL_BY_MARKET


class PortfoliosSubmitDummyAccountScales(TypedDict):
    accountId: Id  # Dummy account, one of sendToDummyAccountIds
    scale: Number  # Its quantities as a multiple of the portfolio's, rounded to the lot size


class PortfoliosSubmitExecutionRfq(TypedDict, total=False):
    limitBps: Optional[Number]  # Worst price: basis points of the combined value of the legs by which it may be worse than the reference; this or limitPrice
    reference: Optional[Literal["mark", "model"]]  # Reference of limitBps (default mark)
    limitPrice: Optional[Number]  # Worst price of the only leg in its currency: at most this for a buy, at least this for a sell; several legs need limitBps
    collectSec: Optional[int]  # Seconds to collect quotes before the best is accepted; they are shown after 5 (default 10)
    waitSec: Optional[int]  # Seconds from the end of the schedule until the RFQ is cancelled (default 30)
    allOrNone: Optional[bool]  # Accept only a quote for the whole quantity, not combined quotes of several makers (default false)
    makers: Optional[Sequence[str]]  # Makers to address (default all)
    disclosed: Optional[bool]  # Whether makers see the taker; false needs at least five makers, or none named (default true)
    fallback: Optional[Literal["cancel", "market", "sweep"]]  # Treatment of what remains after the RFQ: as the endAction of that name (default cancel)


class _PortfoliosSubmitExecutionWouldPrices(TypedDict):
    leg: int  # Index of the leg, from 0
    price: Number  # Price in the currency of the instrument: this or lower for a buy, this or higher for a sell


class PortfoliosSubmitExecutionWouldPrices(_PortfoliosSubmitExecutionWouldPrices, total=False):
    share: Optional[Number]  # Largest fraction of the remaining quantity of the leg to take in one evaluation (default 1)


PortfoliosSubmitExecutionEscalation = TypedDict("PortfoliosSubmitExecutionEscalation", {"from": Number, "manner": Literal["post", "rejoin", "mid", "cross"]})


class PortfoliosSubmitExecution(TypedDict, total=False):
    phase: Optional[Number]  # Shifts every slice by this fraction of its interval, 0 ≤ phase < 1 (default 0)
    aim: Optional[Literal["end", "middle"]]  # Point of the linear schedule that a slice brings its leg to: the end of its interval, or the middle of the time until the next slice (default end)
    randomSize: Optional[Number]  # A slice deviates from its even size by at most this fraction; the total stays exact (default 0)
    randomTime: Optional[Number]  # A slice is delayed by at most this fraction of the rest of its interval (default 0)
    seed: Optional[str]  # Seed of randomSize and randomTime: the same seed gives the same plan (default: derived from account and start, stored with the portfolio)
    catchUp: Optional[Literal["spread", "front"]]  # A shortfall is spread over the remaining slices, or traded at once, both within maxCatchUp (default spread)
    maxCatchUp: Optional[Number]  # Largest slice as a multiple of the planned one while catching up (default 3)
    downtime: Optional[Literal["catchUp", "skip"]]  # Treatment of slices missed while the portfolio was not running, including pauses: caught up, or skipped (default catchUp)
    endAction: Optional[Literal["cancel", "market", "sweep", "extend", "rfq"]]  # Treatment of the residual at the end: cancel leaves it unfilled, market trades it within the collar, sweep trades it within endCapBps of the mark price, extend continues for extendSec, rfq requests quotes for it in one Block RFQ (default cancel)
    endCapBps: Optional[Number]  # With sweep, also after an RFQ: largest distance from the mark price, in basis points (default 50)
    rfq: Optional[PortfoliosSubmitExecutionRfq]  # With rfq: quotes are requested for the residual of all legs in one Block RFQ, and the best quote within the limit is accepted; required there, with limitBps or limitPrice
    extendSec: Optional[int]  # With extend: seconds to continue for, slice by slice; required there
    collar: Optional[Number]  # How far through the opposite price a marketable child may be priced, as a fraction (0.005 = 50 bps; default 0.01)
    slippageMaxBps: Optional[Number]  # Children are priced at most this much worse than the mid at the start of their slice, in basis points (default off)
    bandBps: Optional[Number]  # Children are priced at most this much worse than the mark price, in basis points (default off)
    spreadMaxBps: Optional[Number]  # No orders are placed while the spread is wider, in basis points of the mid (default off)
    spreadMaxVol: Optional[Number]  # Options: no orders are placed while the spread is wider, in points of volatility (default off)
    participationMax: Optional[Number]  # A leg is at most this fraction of the volume traded in its instrument since its first slice, its own trades included; hedge legs are exempt (default off)
    wouldPrices: Optional[Sequence[PortfoliosSubmitExecutionWouldPrices]]  # Prices good enough to take more than scheduled, up to the remaining quantity of the leg and the quantity shown (default none)
    escalation: Optional[Sequence[PortfoliosSubmitExecutionEscalation]]  # How a slice of a MARKET or LIMIT leg becomes more aggressive, step by step (default: priced as the leg says throughout)
    avoidWindows: Optional[bool]  # Places no orders and leaves none open in the blackout windows configured for the venue, such as its daily settlement (default false)
    mmpGroup: Optional[str]  # MMP group the children count towards; slices wait while it is frozen (default none)
    partTimeout: Optional[Literal["chase", "keep"]]  # BALANCE: treatment of a started part that is not done after eachLimitMs: completed with market orders, or left as it is (default chase)


class _PortfoliosSubmitResultWarnings(TypedDict):
    about: str  # Subject: schedule or price
    message: str  # What will differ from the request


class PortfoliosSubmitResultWarnings(_PortfoliosSubmitResultWarnings, total=False):
    leg: int  # Index of the leg concerned, from 0


class _PortfoliosSubmitResult(TypedDict):
    portfolioId: int  # Id for info, cancel and news


class PortfoliosSubmitResult(_PortfoliosSubmitResult, total=False):
    mirrorPortfolioIds: List[int]  # Ids of the mirrors, in the order of the dummy accounts
    warnings: List[PortfoliosSubmitResultWarnings]  # Warnings; the portfolio was accepted. Absent: none, or submitted before with the same key


class _PortfoliosPlanResultLegs(TypedDict):
    instrument: str  # Instrument name
    side: Literal[1, 2]  # 1 BUY, 2 SELL
    quantity: Decimal  # Total quantity
    slices: int  # Number of slices
    hedge: bool  # Sized by the fills of the other legs


class PortfoliosPlanResultLegs(_PortfoliosPlanResultLegs, total=False):
    note: str  # Remark on the plan of this leg


class PortfoliosPlanResultSlices(TypedDict):
    leg: int  # Index of the leg, from 0
    slice: int  # Index of the slice, from 0
    dueTimestamp: str  # When it is due, Unix milliseconds
    quantity: Decimal  # Size of the slice
    cumulativeQuantity: Decimal  # Sum of the slices of the leg up to this one


class _PortfoliosPlanResultVerdictFindings(TypedDict):
    kind: Literal["fault", "warning", "note"]  # fault: it cannot complete as of now; warning: it may not complete; note: for information
    about: Literal["schedule", "price", "depth", "margin", "settlement", "expiry", "rate", "participation", "end"]  # Subject
    message: str  # The finding


class PortfoliosPlanResultVerdictFindings(_PortfoliosPlanResultVerdictFindings, total=False):
    leg: int  # Index of the leg concerned, from 0


class _PortfoliosPlanResultVerdictLegs(TypedDict):
    costCurrency: str  # The coin for contracts sized in USD, otherwise the quote currency
    fee: Decimal  # Expected fees, in feeCurrency; negative is a rebate
    feeCurrency: str  # Spot: the quote currency; otherwise the settlement currency
    resting: Decimal  # Quantity that would rest instead of taking
    beyondDepth: Decimal  # Quantity beyond the depth of the current book


class PortfoliosPlanResultVerdictLegs(_PortfoliosPlanResultVerdictLegs, total=False):
    mid: Decimal  # Current mid price
    childPrice: Decimal  # Price of a child order now
    averagePrice: Decimal  # Expected average price, taking each slice from the current book
    costBps: Decimal  # Expected cost against the mid in basis points; negative is a gain
    cost: Decimal  # The same as an amount, in costCurrency


class _PortfoliosPlanResultVerdictMargin(TypedDict):
    currency: str  # Currency
    needed: Decimal  # Needed by the end, without netting against the current position


class PortfoliosPlanResultVerdictMargin(_PortfoliosPlanResultVerdictMargin, total=False):
    available: Decimal  # Available on the account now; absent if unknown


class PortfoliosPlanResultVerdictOrders(TypedDict):
    children: int  # Child orders, with one per slice
    mostAtOnce: int  # Most of them due within one second
    editsPerSecond: str  # Edits per second while every leg has a resting child


class PortfoliosPlanResultVerdict(TypedDict):
    canComplete: bool  # False if there is a fault as of now
    findings: List[PortfoliosPlanResultVerdictFindings]
    legs: List[PortfoliosPlanResultVerdictLegs]
    margin: List[PortfoliosPlanResultVerdictMargin]
    orders: PortfoliosPlanResultVerdictOrders


class _PortfoliosPlanResult(TypedDict):
    startTimestamp: str  # Start, Unix milliseconds
    endTimestamp: str  # End, Unix milliseconds
    legs: List[PortfoliosPlanResultLegs]
    slices: List[PortfoliosPlanResultSlices]


class PortfoliosPlanResult(_PortfoliosPlanResult, total=False):
    verdict: PortfoliosPlanResultVerdict  # Estimated cost and requirements as of now, and possible obstacles


class PortfoliosPageResult(TypedDict):
    pageCount: int  # Pages at this page size
    totalCount: int  # Portfolios that match
    values: List[PortfolioRecord]


class PortfoliosCountsResult(TypedDict):
    active: int  # Waiting for their start, or at work (status 1)
    cancelling: int  # Being cancelled (status 4)
    filled: int  # Status 2
    cancelled: int  # Status 3


PortfoliosReportResultLegsBenchmarksHoles = TypedDict("PortfoliosReportResultLegsBenchmarksHoles", {"from": str, "to": str})


class PortfoliosReportResultLegsBenchmarks(TypedDict):
    decision: Optional[Decimal]  # Mid at the submit
    arrival: Optional[Decimal]  # Mid at the start, or the first within a minute
    arrivalLateMs: Optional[Union[int, Decimal]]  # How long after the start it was seen
    twap: Optional[Decimal]  # Time-weighted mean of the mid over the schedule
    twapCoverage: Union[int, Decimal]  # Share of the schedule with a recorded mid
    activeTwap: Optional[Decimal]  # The same until the end of the portfolio
    vwap: Optional[Decimal]  # Sum of price × size of the trades over the sum of their sizes
    final: Optional[Decimal]  # Mid at the end
    holes: List[PortfoliosReportResultLegsBenchmarksHoles]  # Times without a recorded market


class PortfoliosReportResultLegsSlippage(TypedDict):
    decisionBps: Optional[Union[int, Decimal]]
    arrivalBps: Optional[Union[int, Decimal]]
    twapBps: Optional[Union[int, Decimal]]
    vwapBps: Optional[Union[int, Decimal]]


class PortfoliosReportResultLegsShortfall(TypedDict):
    currency: str  # Currency of the amounts
    total: Decimal  # The whole: the sum of the parts that follow, exactly
    delay: Decimal  # From the submit to the start: the whole order waited
    market: Decimal  # How the mid moved from the start to the mean of the interval
    schedule: Decimal  # When it traded, against an even course
    spread: Decimal  # Fills against the mid before them; negative where they earned
    unsplit: Decimal  # Fills without a recorded mid: market, schedule and spread together
    residual: Decimal  # What was not filled, at the last mid
    fees: Decimal  # Fees in this currency
    bps: Optional[Union[int, Decimal]]  # The whole in basis points of the order at the submit; null for options
    executionBps: Optional[Union[int, Decimal]]  # Spread, schedule and what is not split, in the same basis points
    usd: Optional[Union[int, Decimal]]  # The whole in USD at the rate of the start
    orderUsd: Optional[Union[int, Decimal]]  # Value of the order at the submit, in USD at that rate
    rate: Optional[Decimal]  # That rate: USD of one unit of the currency
    underlyingBps: Optional[Union[int, Decimal]]  # The whole in basis points of the underlying; options only


class PortfoliosReportResultLegsExpected(TypedDict):
    bps: Optional[Union[int, Decimal]]
    fee: Decimal
    feeCurrency: str


class PortfoliosReportResultLegsSpread(TypedDict):
    effectiveBps: Optional[Union[int, Decimal]]  # Twice the distance from the mid
    quotedBps: Optional[Union[int, Decimal]]  # Spread at the fills
    ratio: Optional[Union[int, Decimal]]  # Effective over quoted: 1 pays the touch, 0 the mid
    realisedBps: Optional[Union[int, Decimal]]  # Twice the markout after a minute
    fillsWithoutMid: int
    fillsWithLateMid: int  # Fills whose mid was seen when they were booked


class PortfoliosReportResultLegsImprovement(TypedDict):
    bps: Optional[Union[int, Decimal]]
    perUnit: Union[int, Decimal]


class PortfoliosReportResultLegsMarkouts(TypedDict):
    horizon: str  # Time after the fill
    fills: int  # Fills that are measured
    missing: int  # Fills without a recorded market at the horizon
    bps: Optional[Union[int, Decimal]]  # Price of the fill against the mid at the horizon; for options of the underlying
    standardError: Optional[Union[int, Decimal]]  # Of the basis points, as if fills were independent
    perUnit: Union[int, Decimal]  # The same in the currency of the price
    makerBps: Optional[Union[int, Decimal]]  # Of maker fills
    takerBps: Optional[Union[int, Decimal]]  # Of taker fills


class PortfoliosReportResultLegsLiquidityFees(TypedDict):
    currency: str
    amount: Decimal


class PortfoliosReportResultLegsLiquidity(TypedDict):
    makerShare: Optional[Union[int, Decimal]]
    takerShare: Optional[Union[int, Decimal]]
    fees: List[PortfoliosReportResultLegsLiquidityFees]


class PortfoliosReportResultLegsResting(TypedDict):
    children: int  # Children that rested
    posted: Decimal  # Their quantity
    filled: Decimal  # What of it was filled as maker
    fillRate: Optional[Union[int, Decimal]]
    adverseBps: Optional[Union[int, Decimal]]  # How far the mid moved against maker fills in 10 s
    adverseShare: Optional[Union[int, Decimal]]  # Share of maker fills with a cost after 10 s
    unfilledBps: Optional[Union[int, Decimal]]  # Mid at the close against the price of what did not fill


class PortfoliosReportResultLegsFunding(TypedDict):
    currency: str  # Coin for contracts sized in USD, else the quote currency
    paid: Union[int, Decimal]  # Positive was paid; an estimate from recorded rates and marks
    usd: Optional[Union[int, Decimal]]  # The same in USD at the rate of the start
    coverage: Union[int, Decimal]  # Share of the time with a position in which a rate was recorded


class PortfoliosReportResultLegsSchedule(TypedDict):
    greatest: Union[int, Decimal]
    at: str
    mean: Union[int, Decimal]


class PortfoliosReportResultLegsLatenessDecidedMs(TypedDict):
    p50: Union[int, Decimal]
    p99: Union[int, Decimal]
    max: Union[int, Decimal]


class PortfoliosReportResultLegsLateness(TypedDict):
    slices: int  # Slices that sent an order
    decidedMs: Optional[PortfoliosReportResultLegsLatenessDecidedMs]  # From due to decided
    answeredMs: Optional[PortfoliosReportResultLegsLatenessDecidedMs]  # From due to the first answer of the venue


class PortfoliosReportResultLegsOption(TypedDict):
    reference: Literal["mid", "mark"]  # What the fills are compared with
    premium: Union[int, Decimal]  # In the currency of the premium
    usd: Union[int, Decimal]  # In USD, at the forward of each fill
    bpsOfUnderlying: Union[int, Decimal]  # In basis points of the underlying
    bpsOfPremium: Optional[Union[int, Decimal]]  # In basis points of the premium; null where it is below twenty ticks
    volPoints: Optional[Union[int, Decimal]]  # Volatility points per unit of gross vega
    vegaUsd: Optional[Union[int, Decimal]]  # Gross vega of the fills in USD per volatility point
    underlyingUsd: Union[int, Decimal]  # Value of the underlying of the measured fills
    coverage: Union[int, Decimal]  # Share of the filled quantity that is measured


class PortfoliosReportResultLegsCourse(TypedDict):
    at: str
    bid: Optional[Decimal]
    ask: Optional[Decimal]


class PortfoliosReportResultLegsVolatility(TypedDict):
    at: str
    bid: Optional[Union[int, Decimal]]
    ask: Optional[Union[int, Decimal]]
    mark: Optional[Union[int, Decimal]]


class PortfoliosReportResultLegs(TypedDict):
    leg: int  # Index of the leg, from 0
    instrument: str  # Instrument name
    kind: str  # Kind of the instrument
    side: Literal["buy", "sell"]
    hedge: bool  # Sized by the fills of the other legs
    isInverse: bool  # Sized in USD and paid in coin
    unit: str  # Unit of the quantities
    tickSize: Decimal  # Step of its prices
    asked: str  # Requested quantity
    filled: Decimal  # Filled quantity
    residual: Decimal  # Quantity not filled
    averagePrice: Optional[Decimal]  # Average price of the fills; harmonic for amounts in USD
    benchmarks: PortfoliosReportResultLegsBenchmarks
    slippage: PortfoliosReportResultLegsSlippage  # Average price against the benchmarks
    participation: Optional[Union[int, Decimal]]  # Filled over the volume traded meanwhile
    volume: Optional[Decimal]  # Volume traded from the start to the end
    shortfall: Optional[PortfoliosReportResultLegsShortfall]
    shortfallMissing: Optional[str]  # Why there is no shortfall
    expected: Optional[PortfoliosReportResultLegsExpected]  # What the plan expected at the submit
    spread: PortfoliosReportResultLegsSpread
    improvement: Optional[PortfoliosReportResultLegsImprovement]  # Against the far touch at the decision; more is better
    markouts: List[PortfoliosReportResultLegsMarkouts]
    liquidity: PortfoliosReportResultLegsLiquidity
    resting: PortfoliosReportResultLegsResting
    funding: Optional[PortfoliosReportResultLegsFunding]  # Perpetuals: funding of what was filled until the end; not in the shortfall
    schedule: Optional[PortfoliosReportResultLegsSchedule]  # Fills against the line of the plan in force, as shares of the total; negative is behind
    lateness: PortfoliosReportResultLegsLateness
    option: List[PortfoliosReportResultLegsOption]  # Costs in the units of options
    course: List[PortfoliosReportResultLegsCourse]  # Best bid and ask from the start to the end, thinned for charts; null where a hole begins
    volatility: List[PortfoliosReportResultLegsVolatility]  # Options: volatilities that the touch implies, and that of the mark, as fractions


class PortfoliosReportResultPackageShortfall(TypedDict):
    currency: Literal["USD"]
    total: Decimal  # The sum of the parts that follow, exactly
    delay: Decimal
    market: Decimal
    schedule: Decimal
    spread: Decimal
    unsplit: Decimal
    residual: Decimal
    fees: Decimal


class PortfoliosReportResultPackageSlippage(TypedDict):
    decisionUsd: Optional[Union[int, Decimal]]
    arrivalUsd: Optional[Union[int, Decimal]]
    twapUsd: Optional[Union[int, Decimal]]
    vwapUsd: Optional[Union[int, Decimal]]


class PortfoliosReportResultPackageOption(TypedDict):
    reference: Literal["mid", "mark"]  # What the fills are compared with
    usd: Union[int, Decimal]
    bpsOfUnderlying: Union[int, Decimal]
    volPoints: Optional[Union[int, Decimal]]  # USD over the gross vega of all legs
    vegaUsd: Optional[Union[int, Decimal]]


class PortfoliosReportResultPackageImbalancePoints(TypedDict):
    at: str
    apart: Union[int, Decimal]


class PortfoliosReportResultPackageImbalance(TypedDict):
    greatest: Union[int, Decimal]
    at: str
    mean: Union[int, Decimal]
    points: List[PortfoliosReportResultPackageImbalancePoints]  # After each fill, thinned for charts


class PortfoliosReportResultPackageDeltaPoints(TypedDict):
    at: str
    coins: Union[int, Decimal]


class PortfoliosReportResultPackageDelta(TypedDict):
    greatest: Union[int, Decimal]
    mean: Union[int, Decimal]
    final: Union[int, Decimal]
    points: List[PortfoliosReportResultPackageDeltaPoints]


class PortfoliosReportResultPackageHedges(TypedDict):
    leg: int
    covered: Union[int, Decimal]  # Covered delta in coins
    open: Union[int, Decimal]  # Delta left open, in coins; of the sign of the hedge if it hedged too much
    beyond: Union[int, Decimal]  # The most that was hedged beyond the delta open at that time, in coins
    costBps: Optional[Union[int, Decimal]]  # Against the mid at the fill that is covered
    lagMs: Optional[PortfoliosReportResultLegsLatenessDecidedMs]  # From that fill to the hedge


class PortfoliosReportResultPackage(TypedDict):
    usd: Optional[Union[int, Decimal]]  # Shortfall of all legs in USD
    shortfall: Optional[PortfoliosReportResultPackageShortfall]  # Shortfalls of all legs, each at the rate of its start
    slippage: PortfoliosReportResultPackageSlippage  # What was filled of all legs against the benchmarks, in USD
    participation: Optional[Union[int, Decimal]]  # The greatest of the legs
    option: List[PortfoliosReportResultPackageOption]  # All legs of options together
    imbalance: Optional[PortfoliosReportResultPackageImbalance]  # Difference between the filled shares of two legs
    delta: Optional[PortfoliosReportResultPackageDelta]  # Delta of what was filled so far, in coins
    hedges: List[PortfoliosReportResultPackageHedges]


class PortfoliosReportResultSlices(TypedDict):
    leg: int
    slice: int
    due: Optional[str]
    lateMs: Optional[Union[int, Decimal]]
    planned: Decimal
    asked: str
    filled: Decimal
    children: int
    mid: Optional[Decimal]
    reasons: List[str]  # Why nothing was sent, or what it waited for
    isSent: bool
    average: Optional[Decimal]  # Average price of its fills
    costBps: Optional[Union[int, Decimal]]  # Average against the mid, in basis points; of the underlying for options


class PortfoliosReportResultChildrenPrices(TypedDict):
    at: str
    price: Decimal


class PortfoliosReportResultChildren(TypedDict):
    leg: int
    slice: int
    label: str
    attempt: int
    quantity: Decimal
    filled: Decimal
    timeInForce: str
    decided: str
    live: Optional[str]  # When the venue first said that it has it
    closed: Optional[str]
    outcome: Literal["open", "filled", "cancelled", "rejected", "unsent"]
    prices: List[PortfoliosReportResultChildrenPrices]  # What was sent, and each price that an edit was confirmed with
    isBlock: bool


class PortfoliosReportResultFills(TypedDict):
    leg: int
    slice: int
    label: str
    tradeId: str
    at: str  # Time of the trade at the venue
    quantity: Decimal
    price: Decimal
    liquidity: Literal["maker", "taker"]
    fee: Decimal
    feeCurrency: str
    bid: Optional[Decimal]
    ask: Optional[Decimal]
    mid: Optional[Decimal]
    mark: Optional[Decimal]
    markIv: Optional[Union[int, Decimal]]
    iv: Optional[Union[int, Decimal]]  # Options: volatility that the price implies, as a fraction
    underlying: Optional[str]
    delta: Optional[Union[int, Decimal]]
    vega: Optional[Union[int, Decimal]]
    effective: Optional[Decimal]  # Distance from the mid before it
    improvement: Optional[Decimal]  # Against the far touch at the decision; more is better
    markouts: Dict[str, str]  # Price against the mid, by horizon
    isBlock: bool


class PortfoliosReportResult(TypedDict):
    schema: Literal["twapd.tca/1"]
    portfolio: str  # Portfolio id
    account: str
    strategy: Optional[str]
    type: Literal["TWAP", "BALANCE"]
    status: str
    reason: Optional[str]
    submitted: str
    start: str
    end: str  # End of the schedule; without one, of the portfolio
    over: Optional[str]  # When the portfolio ended
    until: str  # How far the figures go: the end of the portfolio, or when the report was made
    isProvisional: bool  # The portfolio or its markouts are not over
    legs: List[PortfoliosReportResultLegs]
    package: PortfoliosReportResultPackage
    slices: List[PortfoliosReportResultSlices]
    children: List[PortfoliosReportResultChildren]
    fills: List[PortfoliosReportResultFills]
    notes: List[str]  # How to read it, and what is missing


class PortfoliosHistoryResultEventsDetail(TypedDict):
    kind: str
    at: int


class _PortfoliosHistoryResultEvents(TypedDict):
    messageType: str  # As on the channel trade-news
    version: int  # Version of the portfolio after it
    timestamp: str  # When it happened, Unix milliseconds


class PortfoliosHistoryResultEvents(_PortfoliosHistoryResultEvents, total=False):
    reason: str
    detail: PortfoliosHistoryResultEventsDetail  # As on the channel trade-news, see /asyncapi.json; absent for a submit


class PortfoliosHistoryResult(TypedDict):
    events: List[PortfoliosHistoryResultEvents]
    version: int  # The version read up to: `after` of the next request
    isComplete: bool  # Whether nothing more had happened


class PortfoliosCourseResultLegsPlan(TypedDict):
    at: int  # Unix milliseconds
    quantity: Decimal


class PortfoliosCourseResultLegsFills(TypedDict):
    at: int  # Unix milliseconds
    quantity: Decimal
    price: Decimal
    liquidity: Literal["maker", "taker"]
    filled: Decimal  # Total filled by then


class PortfoliosCourseResultLegsChildrenPrices(TypedDict):
    at: int  # Unix milliseconds
    price: Decimal


class PortfoliosCourseResultLegsChildren(TypedDict):
    label: str  # Label of the order at the venue
    slice: int  # Index of the slice, from 0
    attempt: int  # Attempt of the slice, from 0
    state: Literal["sending", "live", "cancelling", "unknown", "filled", "cancelled", "rejected", "unsent"]  # cancelling: open, its cancel was sent; unknown: the venue did not answer, it may be open; unsent: it never reached the venue
    quantity: Decimal
    filled: Decimal
    prices: List[PortfoliosCourseResultLegsChildrenPrices]  # Its prices, each from when
    closedAt: Optional[int]  # null while it is, or may be, open


class PortfoliosCourseResultLegsMarket(TypedDict):
    at: int  # Unix milliseconds
    bid: Optional[Decimal]
    ask: Optional[Decimal]


class PortfoliosCourseResultLegs(TypedDict):
    leg: int  # Index of the leg, from 0
    instrument: str
    side: Literal["buy", "sell"]
    hedge: bool  # Sized by the fills of the other legs; it has no plan
    quantity: Decimal  # Total
    filled: Decimal
    plan: List[PortfoliosCourseResultLegsPlan]  # Slices of the plans in force, each when due with the total planned by then; BALANCE: parts that started. Thinned
    fills: List[PortfoliosCourseResultLegsFills]  # In the order of their booking. Thinned: the totals stay exact
    children: List[PortfoliosCourseResultLegsChildren]  # Closed ones, the latest 200, then open ones
    market: List[PortfoliosCourseResultLegsMarket]  # Best bid and ask, thinned


class PortfoliosCourseResult(TypedDict):
    portfolioId: int
    version: int  # Version of the portfolio that it shows: `after` of the next
    timestamp: int  # When it was made, Unix milliseconds
    startTimestamp: int  # Start of the schedule, Unix milliseconds
    endTimestamp: Optional[int]  # End of the schedule; null without a time limit
    overTimestamp: Optional[int]  # When the portfolio ended; null while it is active
    legs: List[PortfoliosCourseResultLegs]


class PortfoliosReportSummaryResultLeftOut(TypedDict):
    active: int  # Not ended yet
    withoutRecord: int  # Nothing was recorded of their markets
    mirrors: int  # They only mirror others
    older: int  # Older than the most that are read at once


class PortfoliosReportSummaryResultAllExecution(TypedDict):
    count: int
    mean: Optional[Union[int, Decimal]]
    standardError: Optional[Union[int, Decimal]]  # Of the mean, as if legs were independent
    least: Optional[Union[int, Decimal]]
    lowerQuartile: Optional[Union[int, Decimal]]
    median: Optional[Union[int, Decimal]]
    upperQuartile: Optional[Union[int, Decimal]]
    greatest: Optional[Union[int, Decimal]]


class PortfoliosReportSummaryResultAll(TypedDict):
    name: str
    legs: int
    usd: Union[int, Decimal]  # Shortfall of the legs that have one in USD
    legsWithoutUsd: int
    execution: PortfoliosReportSummaryResultAllExecution  # Spread and schedule in basis points
    shortfall: PortfoliosReportSummaryResultAllExecution  # The whole shortfall in basis points
    arrival: PortfoliosReportSummaryResultAllExecution  # Average price against the arrival in basis points


class PortfoliosReportSummaryResultGroups(TypedDict):
    by: Literal["strategy", "instrument", "account", "side", "hour", "day"]
    rows: List[PortfoliosReportSummaryResultAll]


class PortfoliosReportSummaryResultTrend(TypedDict):
    weeks: List[PortfoliosReportSummaryResultAll]  # By the Monday with which a week begins, in UTC
    bpsPerWeek: Optional[Union[int, Decimal]]  # Change of the execution cost by least squares
    standardError: Optional[Union[int, Decimal]]


class PortfoliosReportSummaryResultHours(TypedDict):
    weekday: int  # 1 is Monday
    hour: int  # Of the start, in UTC
    legs: int
    mean: Union[int, Decimal]  # Execution cost in basis points


class PortfoliosReportSummaryResultAgainstPoints(TypedDict):
    of: Union[int, Decimal]
    bps: Union[int, Decimal]


class PortfoliosReportSummaryResultAgainst(TypedDict):
    by: Literal["participation", "orderUsd"]
    points: List[PortfoliosReportSummaryResultAgainstPoints]
    bpsPerTenfold: Optional[Union[int, Decimal]]  # Change of the execution cost for each tenfold, by least squares
    standardError: Optional[Union[int, Decimal]]


class PortfoliosReportSummaryResultWorst(TypedDict):
    portfolio: str
    leg: int
    strategy: Optional[str]
    account: str
    instrument: str
    side: Literal["buy", "sell"]
    start: str
    executionBps: Optional[Union[int, Decimal]]
    shortfallBps: Optional[Union[int, Decimal]]
    arrivalBps: Optional[Union[int, Decimal]]
    usd: Optional[Union[int, Decimal]]
    participation: Optional[Union[int, Decimal]]
    orderUsd: Optional[Union[int, Decimal]]  # Value of the order at the submit


class PortfoliosReportSummaryResult(TypedDict):
    schema: Literal["twapd.tca-summary/1"]
    portfolios: int  # Portfolios in the figures
    leftOut: PortfoliosReportSummaryResultLeftOut
    all: PortfoliosReportSummaryResultAll
    groups: List[PortfoliosReportSummaryResultGroups]
    trend: PortfoliosReportSummaryResultTrend
    hours: List[PortfoliosReportSummaryResultHours]  # By day of the week and hour; those without a leg are left out
    against: List[PortfoliosReportSummaryResultAgainst]  # Execution cost of each leg against its participation and its size
    worst: List[PortfoliosReportSummaryResultWorst]  # Largest shortfall in USD first
    notes: List[str]  # How to read it, and what is left out


class PortfoliosCancelResultUnhedged(TypedDict):
    legId: str  # Leg id of the hedge
    instrument: str  # Exchange symbol
    side: int  # 1 BUY, 2 SELL
    unhedgedQuantity: Decimal  # What the fills of the other legs require and it has not filled


class PortfoliosCancelResult(TypedDict):
    unhedged: List[PortfoliosCancelResultUnhedged]  # Hedge legs with open exposure at the moment of the request


class _PortfoliosAmendLegs(TypedDict):
    leg: int  # Which leg, from 0


class PortfoliosAmendLegs(_PortfoliosAmendLegs, total=False):
    filledSeen: Optional[Number]  # filledQuantity the decision is based on; required with quantity. If it differs from the current one, nothing is changed
    quantity: Optional[Number]  # New total; never below the quantity that is filled or may still fill
    priceOptions: Optional[PortfoliosSubmitLegsPriceOptions]  # How the children of the leg are priced


class PortfoliosAmendExecution(TypedDict, total=False):
    maxCatchUp: Optional[Number]  # Largest slice as a multiple of the planned one; applies to future slices
    collar: Optional[Number]  # How far through the opposite price a marketable child may be priced
    slippageMaxBps: Optional[Number]  # Largest distance from the mid at the start of the slice
    bandBps: Optional[Number]  # Largest distance from the mark price
    spreadMaxBps: Optional[Number]  # No orders are placed in a wider market, basis points of the mid
    spreadMaxVol: Optional[Number]  # No option orders are placed in a wider market, points of volatility
    participationMax: Optional[Number]  # Share of the traded volume; only if it was limited from the beginning, or before the first slice
    lift: Optional[Sequence[Literal["maxCatchUp", "collar", "slippageMaxBps", "bandBps", "spreadMaxBps", "spreadMaxVol", "participationMax"]]]  # Limits to remove


class _PortfoliosAmendResultLimitsBefore(TypedDict):
    maxCatchUp: Union[int, Decimal]  # Largest slice as a multiple of the planned one
    collar: Decimal  # Limit through the opposite price, as a fraction


class PortfoliosAmendResultLimitsBefore(_PortfoliosAmendResultLimitsBefore, total=False):
    slippageMaxBps: Union[int, Decimal]  # Basis points
    bandBps: Union[int, Decimal]  # Basis points
    spreadMaxBps: Union[int, Decimal]  # Basis points
    spreadMaxVol: Union[int, Decimal]  # Points of volatility
    participationMax: Union[int, Decimal]  # Fraction


class PortfoliosAmendResultLegs(TypedDict):
    instrument: str  # Instrument name
    side: Literal[1, 2]  # 1 BUY, 2 SELL
    quantityBefore: Decimal  # Total before the amendment
    quantity: Decimal  # Total with it
    filledQuantity: Decimal  # Quantity filled
    outstandingQuantity: Decimal  # Open at the venue, or possibly open; not filled
    hedge: bool  # Sized by the fills of the other legs


class PortfoliosAmendResultSlices(TypedDict):
    leg: int  # Index of the leg, from 0
    slice: int  # Index of the slice, from 0
    dueTimestamp: str  # When it is due, Unix milliseconds
    quantity: Decimal  # Planned size
    cumulativeQuantity: Decimal  # Cumulative quantity planned after this slice


class PortfoliosAmendResult(TypedDict):
    portfolioId: int  # Portfolio id
    applied: bool  # False for a preview
    startTimestamp: str  # Start, Unix milliseconds
    endTimestampBefore: str  # End before the amendment, Unix milliseconds
    endTimestamp: str  # End with it, Unix milliseconds
    amendments: int  # Number of amendments so far
    limitsBefore: PortfoliosAmendResultLimitsBefore  # Limits before the amendment; absent ones are off
    limits: PortfoliosAmendResultLimitsBefore  # Limits with it
    legs: List[PortfoliosAmendResultLegs]
    slices: List[PortfoliosAmendResultSlices]  # Slices that have not started


class TradingWhoamiResultAccounts(TypedDict):
    accountId: str
    accountName: str
    exchange: str


class TradingWhoamiResult(TypedDict):
    keyId: str
    uid: str  # The user, as in records and in the audit trail
    nickname: str
    accounts: List[TradingWhoamiResultAccounts]  # Accounts of the key
    scopes: List[Literal["read", "trade", "blockRfq", "admin"]]
    makerAlias: Optional[str]  # Name as a maker of Block RFQs; null: none
    expiresTimestamp: Optional[str]  # The key is refused from then on, Unix milliseconds; null: it does not expire
    operations: List[str]  # Operations that the scopes permit: portfolios/submit, trading/switch, private/buy, …
    timestamp: str  # The daemon's clock, Unix milliseconds
    version: str  # Version of the daemon


class TradingSummaryResultSlices(TypedDict):
    sent: int  # Slices sent
    lateShare: Optional[Union[int, Decimal]]  # Share of them sent more than 0.25 s after they were due; null: not known


class TradingSummaryResultUndecided(TypedDict):
    children: int  # Child orders of unknown outcome, or with fills missing
    oldestTimestamp: Optional[str]  # When the oldest child without a known outcome was intended, Unix milliseconds


class TradingSummaryResultMmp(TypedDict):
    frozen: int  # For a time
    waiting: int  # Until they are reset


class TradingSummaryResultLoopLagSec(TypedDict):
    engine: Optional[Union[int, Decimal]]  # Of the engine; without parts, of the daemon; null: not known
    gateway: Optional[Union[int, Decimal]]  # Of the gateway; null: not known


class TradingSummaryResultVenues(TypedDict):
    exchange: str
    isUp: bool  # Whether it can be traded on
    clockOffsetSec: Optional[Union[int, Decimal]]  # The venue's clock minus the daemon's, seconds; null: not known
    quotesMissing: int  # Instruments of active portfolios without any quote
    quoteAgeSecMax: Optional[Union[int, Decimal]]  # Age of the oldest quote in use, seconds; null: not known
    rateLeft: Optional[Union[int, Decimal]]  # Share of its rate limit that is left, of the kind of message with the least; null: not known


class TradingSummaryResultAudit(TypedDict):
    breaches: int  # Contradictions between ledger, engine and venue found since the start
    lastTimestamp: Optional[str]  # When a check last finished, Unix milliseconds; null: none has


class TradingSummaryResult(TypedDict):
    ready: bool
    reasons: List[str]  # Why it is not ready to trade
    tradingState: Optional[Literal["active", "reducing", "halted"]]  # Switch of the deployment; null: not known
    switchesHeld: int  # Switches of accounts, strategies and portfolios that are not active
    isOverloaded: bool  # New portfolios are refused because there is too much to do
    slices: TradingSummaryResultSlices  # Since the engine started
    undecided: TradingSummaryResultUndecided  # Child orders whose outcome has to be found out
    mmp: TradingSummaryResultMmp  # Groups of market-maker protection that are not ready
    loopLagSec: TradingSummaryResultLoopLagSec  # 99th percentile of the delay of each event loop, seconds
    venues: List[TradingSummaryResultVenues]
    audit: TradingSummaryResultAudit  # Checks of the books against each other
    runbookUrl: Optional[str]  # Address at which people read the runbook, service.runbookUrl; null: not set
    timestamp: str  # The daemon's clock, Unix milliseconds


class _TradingLimitsResult(TypedDict):
    accountId: str
    control: Literal["gross", "slippage", "position", "messages", "venue_messages", "venue_questions"]  # gross: working and traded since midnight UTC (PT-9); slippage: cost of execution since midnight UTC (PT-20); position: with every working order of its side filled (PT-8); messages: the account's message budget, which empties with time (PT-5); venue_messages, venue_questions: what the venue allows the account in orders and changes, and in queries
    unit: str  # USD, the coin of the instrument, or messages
    limit: Optional[Decimal]  # null: no limit is set for it, which blocks orders
    used: Optional[Decimal]  # null: not known yet, which blocks orders; slippage is below zero while execution was better than the market


class TradingLimitsResult(_TradingLimitsResult, total=False):
    instrumentName: str  # Of a position


class TradingPageCodeResult(TypedDict):
    code: str  # Good once; accepted by the page of this deployment
    purpose: Literal["open", "confirm"]
    scopes: List[Literal["read", "trade", "blockRfq", "admin"]]
    expiresAt: str  # Unix milliseconds


class _TradingPageSessionsResult(TypedDict):
    id: str
    keyId: str
    scopes: List[Literal["read", "trade", "blockRfq", "admin"]]
    address: str  # Where it was opened from
    agent: str  # What the browser calls itself
    openedAt: str  # Unix milliseconds
    usedAt: str  # Last use by a person, Unix milliseconds
    endsAt: str  # When it ends at the latest, Unix milliseconds


class TradingPageSessionsResult(_TradingPageSessionsResult, total=False):
    person: str  # Whom the proxy named that signed them in; absent: opened by a code


class _TradingActionsResultActions(TypedDict):
    timestamp: str  # When it was answered, Unix milliseconds
    keyId: str
    uid: str  # Who did it
    nickname: str
    address: str  # Where the request came from
    operation: str  # Such as portfolios/cancel, trading/switch, private/buy
    accountId: str  # Empty: no single account
    outcome: str  # done, refused with its code, unknown, or fault if the daemon failed


class TradingActionsResultActions(_TradingActionsResultActions, total=False):
    instrumentName: str
    label: str
    id: str  # Of the order, quote, Block RFQ or portfolio


class TradingActionsResult(TypedDict):
    actions: List[TradingActionsResultActions]
    next: Optional[str]  # `before` of the next page; null: there is none


class TradingKeysResult(TypedDict):
    keyId: str
    uid: str
    nickname: str
    accounts: List[str]
    scopes: List[Literal["read", "trade", "blockRfq", "admin"]]
    makerAlias: Optional[str]  # Name as a maker of Block RFQs; null: none
    bindsBody: bool  # Whether signatures have to cover method, path and body
    isLimitedToAddresses: bool  # Whether it is accepted from some addresses only
    expiresTimestamp: Optional[str]  # The key is refused from then on, Unix milliseconds; null: it does not expire


class TradingStrategiesResultStrategiesSwitch(TypedDict):
    state: Literal["on", "off", "file"]  # file: as the file says
    uid: str
    nickname: str
    reason: str
    timestamp: str  # Unix milliseconds


class TradingStrategiesResultStrategiesRuns(TypedDict):
    portfolioId: int
    portfolioStatus: int  # As in records of portfolios
    submitTimestamp: str  # Unix milliseconds


class TradingStrategiesResultStrategies(TypedDict):
    strategy: str
    description: str
    file: str  # Its file in the folder of strategies
    accountId: str
    portfolio: Dict[str, Any]  # What it submits, as the body of submit
    schedule: Optional[Decimal]  # When it is due: five cron fields and a zone, or in words; null: never by itself
    isEnabledInFile: bool
    isOn: bool  # Whether it is submitted when it is due
    switch: Optional[TradingStrategiesResultStrategiesSwitch]  # Who switched it last; null: it was never switched
    nextTimestamp: Optional[str]  # When it is due next, Unix milliseconds; null: none
    runs: List[TradingStrategiesResultStrategiesRuns]  # What it submitted, newest first, at most 3


class TradingStrategiesResultFaults(TypedDict):
    file: str
    line: Optional[int]  # From 1; null: the file as a whole
    column: Optional[int]
    field: str
    message: str


class TradingStrategiesResult(TypedDict):
    areRead: bool  # false: the daemon is recovering and has not read them yet
    strategies: List[TradingStrategiesResultStrategies]  # By name
    faults: List[TradingStrategiesResultFaults]  # A faulty file leaves its last version without faults in force; scope admin only


class _TradingUnaccountedResultAccountsLegs(TypedDict):
    portfolioId: str
    isInLedger: bool  # false: the portfolio was submitted after the ledger was stored, and is gone
    instrumentName: str
    side: Literal["buy", "sell"]
    open: Decimal  # Of orders that were open, what was not filled
    orders: int  # Orders that were open
    filled: Decimal  # Quantity of its trades
    trades: int


class TradingUnaccountedResultAccountsLegs(_TradingUnaccountedResultAccountsLegs, total=False):
    leg: int  # Index of the leg, from 0; absent for the trades of a Block RFQ
    firstTimestamp: str  # Of its first trade, Unix milliseconds
    lastTimestamp: str  # Of its last trade, Unix milliseconds


class TradingUnaccountedResultAccounts(TypedDict):
    accountId: str
    since: str  # Trades from then on were compared, Unix milliseconds
    checkedAt: str  # When they were compared, Unix milliseconds
    legs: List[TradingUnaccountedResultAccountsLegs]  # Empty: nothing was found


class TradingUnaccountedResult(TypedDict):
    orders: Literal["cancel", "leave"]  # What the daemon does with open orders of portfolios that are not in the ledger
    accounts: List[TradingUnaccountedResultAccounts]


class _PrivateBuyOtocoConfig(TypedDict):
    side: Literal["buy", "sell"]  # Side


class PrivateBuyOtocoConfig(_PrivateBuyOtocoConfig, total=False):
    quantity: Optional[Number]  # Size: USD for inverse perpetuals and futures, otherwise coins
    contracts: Optional[Number]  # Size in contracts; required if quantity is missing
    type: Optional[Literal["limit", "market", "market_limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"]]  # Type of the order (default limit)
    label: Optional[str]  # Label of the client, at most 64 characters
    price: Optional[Number]  # Limit price; with advanced: USD per coin, or volatility in percent
    timeInForce: Optional[Literal["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"]]  # Time in force (default good_til_cancelled)
    timeInforce: Optional[Literal["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"]]  # The same as timeInForce
    postOnly: Optional[bool]  # Maker only: a price that would take is moved just outside the spread
    rejectPostOnly: Optional[bool]  # Only together with postOnly true: reject instead of moving the price
    reduceOnly: Optional[bool]  # Only reduce a position
    trigger: Optional[Literal["index_price", "mark_price", "last_price"]]  # Price that triggers the order; required for stop, take and trailing orders
    triggerPrice: Optional[Number]  # Required for stop and take orders
    triggerOffset: Optional[Number]  # Required for trailing stops


class _PrivateBuyResultTradesTradeAllocationsClientInfo(TypedDict):
    clientId: int  # Client of a broker


class PrivateBuyResultTradesTradeAllocationsClientInfo(_PrivateBuyResultTradesTradeAllocationsClientInfo, total=False):
    clientLinkId: int  # Link to the client
    name: str  # Name of the client


class _PrivateBuyResultTradesTradeAllocations(TypedDict):
    amount: Decimal  # Share of the quantity


class PrivateBuyResultTradesTradeAllocations(_PrivateBuyResultTradesTradeAllocations, total=False):
    userId: int  # User who gets it
    clientInfo: PrivateBuyResultTradesTradeAllocationsClientInfo
    fee: Decimal  # Fee of the share; only in block trades


class _PrivateBuyResultTradesLegs(TypedDict):
    tradeId: str  # Unique per currency
    tradeSeq: int  # Counts the trades of the instrument
    timestamp: int  # Traded, Unix milliseconds
    tickDirection: Literal[0, 1, 2, 3]  # 0 up, 1 unchanged after up, 2 down, 3 unchanged after down
    state: str  # State of the order right after the trade
    orderId: str  # Order of the account
    orderType: Literal["limit", "market"]  # Kind of the order
    instrumentName: str  # Instrument name
    side: Literal["buy", "sell"]  # Side of the account's order
    price: Decimal  # Price
    quantity: Decimal  # Size
    liquidity: Literal["M", "T"]  # Maker or taker
    fee: Decimal  # Fee, negative for a rebate
    feeCurrency: str  # Currency of the fee
    api: Literal[True]  # Always true: the order was created with the API
    postOnly: bool  # Flag of the order
    reduceOnly: bool  # Flag of the order
    mmp: bool  # Flag of the order
    riskReducing: Literal[False]  # Always false: it applies to portfolio margin, which is not offered
    matchingId: None  # Always null


class PrivateBuyResultTradesLegs(_PrivateBuyResultTradesLegs, total=False):
    contracts: Decimal  # Size in contracts
    liquidation: Literal["M", "T", "MT"]  # Present only if the maker, the taker or both were liquidated
    indexPrice: Decimal  # Index price at the trade
    markPrice: Decimal  # Mark price at the trade
    iv: Decimal  # Options: implied volatility of the price in percent
    underlyingPrice: Decimal  # Options: forward at the trade
    profitLoss: Decimal  # Realised in the settlement currency, before the fee
    advanced: Literal["usd", "implv"]  # Options priced by the exchange
    label: str  # Label of the order, when it has one
    blockTradeId: str  # Block trade it belongs to
    blockRfqId: str  # Block RFQ it came from
    blockRfqQuoteId: str  # Quote of that RFQ
    comboId: str  # Combo it came from
    comboTradeId: str  # Trade of that combo
    tradeAllocations: List[PrivateBuyResultTradesTradeAllocations]  # Block RFQs: shares that the taker allocated


class _PrivateBuyResultTrades(TypedDict):
    tradeId: str  # Unique per currency
    tradeSeq: int  # Counts the trades of the instrument
    timestamp: int  # Traded, Unix milliseconds
    tickDirection: Literal[0, 1, 2, 3]  # 0 up, 1 unchanged after up, 2 down, 3 unchanged after down
    state: str  # State of the order right after the trade
    orderId: str  # Order of the account
    orderType: Literal["limit", "market"]  # Kind of the order
    instrumentName: str  # Instrument name
    side: Literal["buy", "sell"]  # Side of the account's order
    price: Decimal  # Price
    quantity: Decimal  # Size
    liquidity: Literal["M", "T"]  # Maker or taker
    fee: Decimal  # Fee, negative for a rebate
    feeCurrency: str  # Currency of the fee
    api: Literal[True]  # Always true: the order was created with the API
    postOnly: bool  # Flag of the order
    reduceOnly: bool  # Flag of the order
    mmp: bool  # Flag of the order
    riskReducing: Literal[False]  # Always false: it applies to portfolio margin, which is not offered
    matchingId: None  # Always null


class PrivateBuyResultTrades(_PrivateBuyResultTrades, total=False):
    contracts: Decimal  # Size in contracts
    liquidation: Literal["M", "T", "MT"]  # Present only if the maker, the taker or both were liquidated
    indexPrice: Decimal  # Index price at the trade
    markPrice: Decimal  # Mark price at the trade
    iv: Decimal  # Options: implied volatility of the price in percent
    underlyingPrice: Decimal  # Options: forward at the trade
    profitLoss: Decimal  # Realised in the settlement currency, before the fee
    advanced: Literal["usd", "implv"]  # Options priced by the exchange
    label: str  # Label of the order, when it has one
    blockTradeId: str  # Block trade it belongs to
    blockRfqId: str  # Block RFQ it came from
    blockRfqQuoteId: str  # Quote of that RFQ
    comboId: str  # Combo it came from
    comboTradeId: str  # Trade of that combo
    tradeAllocations: List[PrivateBuyResultTradesTradeAllocations]  # Block RFQs: shares that the taker allocated
    legs: List[PrivateBuyResultTradesLegs]  # Combos only: one trade for each leg; fee and profit are the sums of theirs


class PrivateBuyResult(TypedDict):
    order: Order  # An order
    trades: List[PrivateBuyResultTrades]  # Trades made by this request


class _PrivateGetOrderHistoryByCurrencyResult(TypedDict):
    orders: List[Order]  # Newest first


class PrivateGetOrderHistoryByCurrencyResult(_PrivateGetOrderHistoryByCurrencyResult, total=False):
    continuation: str  # Token to continue after the last order


class _PrivateGetTriggerOrderHistoryResultEntries(TypedDict):
    timestamp: int  # When it was placed, Unix milliseconds
    lastUpdateTimestamp: int  # When it was triggered or cancelled, Unix milliseconds
    triggerOrderId: str  # The trigger order
    orderState: Literal["triggered", "cancelled"]  # How the trigger order ended; query the created order by its id for its state
    request: Literal["trigger:order", "cancel"]  # What ended the trigger order
    instrumentName: str  # Instrument name
    side: Literal["buy", "sell"]  # Side of the order
    quantity: Decimal  # In the amount unit
    price: Decimal  # Limit price; market_price for none
    orderType: Literal["limit", "market"]  # Type of the created order
    trigger: Literal["index_price", "mark_price", "last_price"]  # Watched
    reduceOnly: bool  # Only reduces the position
    postOnly: bool  # Maker only
    label: str  # Label of the client; empty for none


class PrivateGetTriggerOrderHistoryResultEntries(_PrivateGetTriggerOrderHistoryResultEntries, total=False):
    orderId: str  # The order it created
    triggerPrice: Decimal  # Trailing stops: the final trigger price
    triggerOffset: Decimal  # Trailing stops: distance from the best price
    isSecondaryOto: Literal[True]  # Waited for its primary order
    ocoRef: str  # Shared by the two orders of a one-cancels-other pair


class _PrivateGetTriggerOrderHistoryResult(TypedDict):
    entries: List[PrivateGetTriggerOrderHistoryResultEntries]  # Newest first


class PrivateGetTriggerOrderHistoryResult(_PrivateGetTriggerOrderHistoryResult, total=False):
    continuation: str  # Token to continue after the last entry


class PrivateGetUserTradesByCurrencyResult(TypedDict):
    trades: List[PrivateBuyResultTrades]
    hasMore: bool  # Whether there are more


class PrivateGetAccountSummaryResult(TypedDict):
    accountId: str  # Account id
    currency: str  # Currency of every amount here
    balance: Decimal  # Cash
    equity: Decimal  # Balance, profit of the session and the value of options
    availableFunds: Decimal  # Available for new orders
    marginBalance: Decimal  # Equity less the value of options
    initialMargin: Decimal  # Initial margin
    maintenanceMargin: Decimal  # Maintenance margin
    sessionRpl: Decimal  # Realised since the last settlement
    sessionUpl: Decimal  # Unrealised, since the last settlement
    optionsValue: Decimal  # Value of options
    optionsGamma: Decimal  # Gamma of options
    optionsVega: Decimal  # Vega of options
    optionsTheta: Decimal  # Theta of options
    deltaTotal: Decimal  # Exposure in coins
    spotReserve: Decimal  # Reserved for open spot orders
    marginModel: Literal["segregated_sm"]  # Standard margin, each currency separately


class PrivateGetMarginsResultBuy(TypedDict):
    margin: Decimal  # Initial margin, or what the order reserves: the premium of an option, the cost of spot
    currency: str  # Currency of the margin
    takerFee: Decimal  # Fee if it takes, in the fee currency
    makerFee: Decimal  # Fee if it rests; negative for a rebate


class _PrivateGetMarginsResult(TypedDict):
    instrumentName: str  # Instrument name
    buy: PrivateGetMarginsResultBuy  # What a purchase needs
    sell: PrivateGetMarginsResultBuy  # What a sale needs


class PrivateGetMarginsResult(_PrivateGetMarginsResult, total=False):
    minPrice: Decimal  # Lowest price accepted; absent without a price band
    maxPrice: Decimal  # Highest price accepted; absent without a price band


class _PrivateGetTransactionLogResultTransactions(TypedDict):
    seq: int  # Increases within the log of a currency
    type: str  # trade, settlement, delivery, deposit, transfer or another word of the exchange
    timestamp: int  # When it was entered, Unix milliseconds
    currency: str  # What was moved
    fee: Decimal  # Negative for a rebate
    cashflow: Decimal  # Moved before the fee
    change: Decimal  # Cash flow less fee


class PrivateGetTransactionLogResultTransactions(_PrivateGetTransactionLogResultTransactions, total=False):
    instrumentName: str  # Of the trade, or of the settled position
    side: Literal["buy", "sell"]  # Own side
    quantity: Decimal  # Traded, or settled
    price: Decimal  # Of the trade, or of the settlement
    tradeId: str  # Trade id
    orderId: str  # Order id
    funding: Decimal  # The part of the cash flow that is funding
    balance: Decimal  # Right after it
    position: str  # Signed, in the instrument, right after it


class _PrivateGetTransactionLogResult(TypedDict):
    transactions: List[PrivateGetTransactionLogResultTransactions]


class PrivateGetTransactionLogResult(_PrivateGetTransactionLogResult, total=False):
    continuation: int  # For the next page; absent at the end


class _PrivateCreateComboTrades(TypedDict):
    instrumentName: str  # Instrument name
    side: Literal["buy", "sell"]  # Side of the leg


class PrivateCreateComboTrades(_PrivateCreateComboTrades, total=False):
    quantity: Optional[Number]  # Size of the leg; one contract when absent


class PrivateCreateComboResult(TypedDict):
    id: str  # Name of the combo, which is also its instrument name
    instrumentId: int  # The venue's number of the combo
    state: Literal["active", "inactive"]  # An inactive combo takes no orders
    stateTimestamp: int  # When it got into its state, Unix milliseconds
    creationTimestamp: int  # Created, Unix milliseconds
    legs: List[InstrumentLegs]  # From the side that buying the combo takes


class PrivateGetMmpConfigResultResultsUsed(TypedDict):
    quantity: Decimal  # Gross size in coins
    delta: Decimal  # Net delta in coins; its absolute value counts
    vega: Decimal  # Net vega in USD; its absolute value counts
    trades: int  # Trades
    until: int  # When the window ends, in Unix milliseconds


class PrivateGetMmpConfigResultResults(TypedDict):
    indexName: str  # Index, or all
    interval: int  # Length of a window in seconds; 0: no protection
    frozenTime: int  # Seconds a freeze lasts; 0: until it is reset
    mmpGroup: Optional[str]  # Group; null for the unnamed one
    quantityLimit: Optional[Decimal]  # Gross size in coins
    deltaLimit: Optional[Decimal]  # Absolute net delta in coins
    vegaLimit: Optional[Decimal]  # Absolute net vega in USD
    tradeCountLimit: Optional[Decimal]  # Block RFQ trades
    maxQuoteQuantity: Optional[Decimal]  # Open size on one side of one instrument, in coins (ours)
    blockRfq: bool  # true: Block RFQ quotes; false: orders with mmp
    used: Optional[PrivateGetMmpConfigResultResultsUsed]  # What the trades of the running window add up to (ours); null if none runs


class PrivateGetMmpConfigResult(TypedDict):
    results: List[PrivateGetMmpConfigResultResults]


class _PrivateGetMmpStatusResultResults(TypedDict):
    indexName: str  # Index, or all
    frozenUntil: int  # Unix milliseconds; 0: until it is reset
    overshoot: str  # Gross size in coins that was traded after the limit had been reached (ours)


class PrivateGetMmpStatusResultResults(_PrivateGetMmpStatusResultResults, total=False):
    mmpGroup: str
    blockRfq: bool  # Present only if true


class PrivateGetMmpStatusResult(TypedDict):
    results: List[PrivateGetMmpStatusResultResults]


class _PublicGetOrderBookResult(TypedDict):
    instrumentName: str  # Instrument name
    timestamp: int  # As of, Unix milliseconds
    state: Literal["open", "settlement", "locked", "closed"]  # State of the book
    bestBidPrice: Optional[Decimal]
    bestBidAmount: Decimal  # Its size
    bestAskPrice: Optional[Decimal]
    bestAskAmount: Decimal  # Its size
    lastPrice: Optional[Decimal]
    stats: TickerStats  # Of the last 24 hours
    changeId: int  # Increases with every change of the book
    bids: List[List[Any]]  # [price, amount], best first
    asks: List[List[Any]]  # [price, amount], best first


class PublicGetOrderBookResult(_PublicGetOrderBookResult, total=False):
    markPrice: Decimal  # Mark price
    indexPrice: Decimal  # Index
    minPrice: Decimal  # A sell below it is refused
    maxPrice: Decimal  # A buy above it is refused
    openInterest: Decimal  # Open interest
    settlementPrice: Decimal  # Of the last settlement
    estimatedDeliveryPrice: Decimal  # Price it would settle at
    deliveryPrice: Decimal  # Price it settled at
    markIv: Decimal  # Options: percent
    bidIv: Decimal  # Options: percent
    askIv: Decimal  # Options: percent
    underlyingPrice: Decimal  # Options: the forward
    underlyingIndex: str  # Options: name of the forward
    greeks: TickerGreeks  # Options
    funding8h: Decimal  # Perpetuals: fraction
    currentFunding: Decimal  # Perpetuals: fraction


class PublicGetIndexPriceResult(TypedDict):
    indexPrice: Decimal  # Price of the index
    estimatedDeliveryPrice: Decimal  # Same as the price unless a settlement is in progress


class PublicTestResult(TypedDict):
    version: str  # Of the server


class _PublicStatusResult(TypedDict):
    locked: Literal["true", "partial", "false"]
    lockedIndices: List[str]


class PublicStatusResult(_PublicStatusResult, total=False):
    exchangeId: str  # Identifies the state of the exchange; absent if there is not exactly one exchange


class BlockCreateRfqLegs(TypedDict):
    instrumentName: str  # Instrument name
    quantity: Number  # Size of the leg
    side: Literal["buy", "sell"]  # Side of the leg when the structure is bought


class BlockCreateRfqHedge(TypedDict):
    instrumentName: str  # Instrument name
    quantity: Number  # Size of the hedge
    side: Literal["buy", "sell"]  # Side of the hedge
    price: Number  # Price of the hedge


class _BlockCreateRfqTradeAllocationsClientInfo(TypedDict):
    clientId: int  # Client of a broker


class BlockCreateRfqTradeAllocationsClientInfo(_BlockCreateRfqTradeAllocationsClientInfo, total=False):
    clientLinkId: Optional[int]  # Link to the client


class _BlockCreateRfqTradeAllocations(TypedDict):
    amount: Number  # Share of the quantity of the RFQ


class BlockCreateRfqTradeAllocations(_BlockCreateRfqTradeAllocations, total=False):
    userId: Optional[int]  # User who gets the share
    clientInfo: Optional[BlockCreateRfqTradeAllocationsClientInfo]  # Client of a broker who gets the share


class BlockCreateRfqResultLegs(TypedDict):
    instrumentName: str  # Instrument name
    ratio: Decimal  # Size of the leg for a quantity of 1
    side: Literal["buy", "sell"]  # Side of the leg when the structure is bought


class BlockCreateRfqResultHedge(TypedDict):
    instrumentName: str  # Instrument name
    quantity: Decimal  # Size
    side: Literal["buy", "sell"]  # Side
    price: Decimal  # Price


class _BlockCreateRfqResultAsks(TypedDict):
    quantity: Decimal  # Quantity available at the price
    executionInstruction: Literal["any_part_of", "all_or_none"]  # Kind of the quotes
    price: Decimal  # Of the whole structure
    makers: List[str]  # Makers, or ANONYMOUS
    lastUpdatedAt: int  # Last change of the quotes in it, Unix milliseconds


class BlockCreateRfqResultAsks(_BlockCreateRfqResultAsks, total=False):
    expiresAt: int  # Earliest expiry of the quotes in it, Unix milliseconds


class _BlockCreateRfqResultTradeTriggers(TypedDict):
    state: Literal["untriggered", "triggered", "cancelled"]  # State of the accept
    side: Literal["buy", "sell"]  # Side of the taker
    price: Decimal  # Worst acceptable price


class BlockCreateRfqResultTradeTriggers(_BlockCreateRfqResultTradeTriggers, total=False):
    cancelReason: str  # Why it was cancelled


class _BlockCreateRfqResultTrades(TypedDict):
    side: Literal["buy", "sell"]  # Side of the taker
    price: Decimal  # Of the whole structure
    quantity: Decimal  # Size


class BlockCreateRfqResultTrades(_BlockCreateRfqResultTrades, total=False):
    maker: str  # Maker, where the caller may know
    hedgeQuantity: Decimal  # Share of the hedge


class _BlockCreateRfqResult(TypedDict):
    blockRfqId: str  # Id by which the caller knows the RFQ
    quantity: Decimal  # Size; times a ratio it is the size of a leg
    comboId: Optional[str]
    createdAt: int  # Created, Unix milliseconds
    expiresAt: int  # Expiry, Unix milliseconds
    lastUpdatedAt: int  # Last change, Unix milliseconds
    makers: List[str]  # Makers it was sent to, empty for all; empty for makers
    role: Literal["taker", "maker"]  # Role of the caller
    legs: List[BlockCreateRfqResultLegs]  # The structure
    disclosed: bool  # Whether names are shown to the counterparty
    status: Literal["created", "open", "filled", "traded", "cancelled", "expired", "closed", "failed"]  # State; traded: filled by other makers
    closedReason: Optional[str]
    minTradeAmount: Decimal  # Smallest quantity of a quote


class BlockCreateRfqResult(_BlockCreateRfqResult, total=False):
    taker: str  # The taker, when disclosed
    hedge: BlockCreateRfqResultHedge  # The hedge leg
    label: str  # Label of the taker, for the taker
    markPrice: Decimal  # Mark price of the structure without the hedge; when filled
    indexPrices: Dict[str, str]  # Indexes, when filled
    includedInTakerRating: bool  # For the taker, once it has ended
    takerRating: str  # How often the taker trades its RFQs, as a band
    asks: List[BlockCreateRfqResultAsks]  # Levels at which the taker can buy; takers only
    bids: List[BlockCreateRfqResultAsks]  # Levels at which the taker can sell; takers only
    tradeAllocations: List[PrivateBuyResultTradesTradeAllocations]  # Takers only
    tradeTriggers: List[BlockCreateRfqResultTradeTriggers]  # Waiting accepts; takers only
    trades: List[BlockCreateRfqResultTrades]  # One per maker, when filled


class BlockTradeLegs(TypedDict):
    instrumentName: str  # Instrument name
    ratio: Number  # Size of the leg for a quantity of 1, at most 2 decimals
    side: Literal["buy", "sell"]  # Side of the leg, as the RFQ lists it


class _BlockTradeResultBlockTradesTrades(TypedDict):
    tradeId: str  # Id of the trade of this leg
    instrumentName: str  # Instrument name
    side: Literal["buy", "sell"]  # Side of the caller
    quantity: Decimal  # Size of the leg
    price: Decimal  # Price of the leg
    fee: Decimal  # Fee, negative for a rebate
    feeCurrency: str  # Currency of the fee
    liquidity: Literal["M", "T"]  # Whether the caller was maker or taker
    hedge: bool  # Whether this is the hedge leg


class BlockTradeResultBlockTradesTrades(_BlockTradeResultBlockTradesTrades, total=False):
    markPrice: Decimal  # Mark price at the trade
    indexPrice: Decimal  # Index price at the trade
    tradeAllocations: List[PrivateBuyResultTradesTradeAllocations]  # Shares of the leg


class _BlockTradeResultBlockTrades(TypedDict):
    blockTradeId: str  # Id of the block trade
    blockRfqId: str  # Its RFQ, by the id the caller knows
    comboId: Optional[str]
    timestamp: int  # Traded, Unix milliseconds
    side: Literal["buy", "sell"]  # Side of the caller
    price: Decimal  # Of the whole structure
    quantity: Decimal  # Size
    trades: List[BlockTradeResultBlockTradesTrades]  # One per leg, and the hedge


class BlockTradeResultBlockTrades(_BlockTradeResultBlockTrades, total=False):
    maker: str  # Maker, where the caller may know


class BlockTradeResult(TypedDict):
    blockTrades: List[BlockTradeResultBlockTrades]  # One per maker; none while the accept waits
    tradeTrigger: Optional[BlockCreateRfqResultTradeTriggers]  # The waiting accept; null if it traded
    blockRfq: BlockCreateRfqResult  # A Block RFQ


class BlockCreateQuoteLegs(TypedDict):
    instrumentName: str  # Instrument name
    ratio: Number  # Size of the leg for a quantity of 1, at most 2 decimals
    side: Literal["buy", "sell"]  # Side of the leg, as the RFQ lists it
    price: Number  # Price of the leg


class BlockCreateQuoteResultLegs(TypedDict):
    instrumentName: str  # Instrument name
    ratio: Decimal  # Size of the leg for a quantity of 1
    side: Literal["buy", "sell"]  # Side of the leg when the structure is bought
    price: Decimal  # Price of the leg


class _BlockCreateQuoteResult(TypedDict):
    quoteId: str  # Id of the quote
    blockRfqId: str  # Its RFQ, by the id the maker knows
    quantity: Decimal  # Size, in the unit of the RFQ
    side: Literal["buy", "sell"]  # The maker's side: buy is a bid for the structure as listed
    price: Decimal  # Of the whole structure
    executionInstruction: Literal["any_part_of", "all_or_none"]  # Whether it may be filled in part
    legs: List[BlockCreateQuoteResultLegs]  # The structure with prices
    filledQuantity: Decimal  # Filled size
    createdAt: int  # Made, Unix milliseconds
    lastUpdatedAt: int  # Last change, Unix milliseconds
    status: Literal["open", "filled", "cancelled", "expired"]  # State
    replaced: bool  # Whether it was edited
    appName: None  # Always null


class BlockCreateQuoteResult(_BlockCreateQuoteResult, total=False):
    label: str  # Label of the maker
    hedge: BlockCreateRfqResultHedge  # The hedge leg
    expiresAt: int  # Expiry, if it has one of its own, Unix milliseconds
    statusReason: str  # Why it ended
    mmpGroup: str  # MMP group the quote counts towards


class BlockCancelQuoteResult(TypedDict):
    results: List[BlockCreateQuoteResult]  # The quotes that were cancelled


class BlockGetQuotesResult(TypedDict):
    results: List[BlockCreateQuoteResult]  # Newest first


class BlockGetRfqsResult(TypedDict):
    continuation: Optional[str]  # Start of the next page; null: none
    blockRfqs: List[BlockCreateRfqResult]


class BlockGetTradesResult(TypedDict):
    continuation: Optional[str]  # Start of the next page; null: none
    trades: List[BlockTradeResultBlockTrades]


class BlockGetMakersResult(TypedDict):
    results: List[str]  # Aliases


class BlockGetUserInfoResult(TypedDict):
    isMaker: bool  # Whether it may quote
    alias: Optional[str]  # Maker alias; null for none


class BlockGetInstrumentsResultResults(TypedDict):
    baseCurrency: str  # Coin the instrument is exposed to
    marginKind: Literal["linear", "reversed"]  # reversed: settled in the coin
    optionKind: Optional[Literal["CALL", "PUT"]]  # null except for options
    strike: Optional[Decimal]
    kind: Literal["future", "option", "spot", "future_combo", "option_combo"]  # future includes perpetuals
    expiration: Optional[int]
    instrumentName: str  # Instrument name


class BlockGetInstrumentsResult(TypedDict):
    results: List[BlockGetInstrumentsResultResults]


class BlockSetMmpConfigResultResults(TypedDict):
    indexName: str  # Index, or all
    interval: int  # Length of a window in seconds; 0: no protection
    frozenTime: int  # Seconds a freeze lasts; 0: until it is reset
    mmpGroup: Optional[str]  # Group; null for the unnamed one
    quantityLimit: Optional[Decimal]  # Gross size in coins
    deltaLimit: Optional[Decimal]  # Absolute net delta in coins
    vegaLimit: Optional[Decimal]  # Absolute net vega in USD
    tradeCountLimit: Optional[Decimal]  # Block RFQ trades
    maxQuoteQuantity: Optional[Decimal]  # Open size on one side of one instrument, in coins (ours)
    blockRfq: bool  # true: Block RFQ quotes; false: orders with mmp


class BlockSetMmpConfigResult(TypedDict):
    results: List[BlockSetMmpConfigResultResults]


class PrivateGetCancelOnDisconnectResult(TypedDict):
    scope: Literal["connection", "account"]
    enabled: bool


class Portfolios:
    """The operations of portfolios."""

    def __init__(self, call: _Call) -> None:
        self._call = call

    def submit(
        self,
        *,
        account_id: Id,  # Trading account
        portfolio_type: Literal["TWAP", "BALANCE"],  # Kind of portfolio: TWAP (by the clock) or BALANCE (Smart Balance, part by part)
        legs: Sequence[PortfoliosSubmitLegs],  # What to trade; all legs share one forCcy
        strategy: Optional[str] = None,  # Free-text label of the strategy
        twap_trade: Optional[PortfoliosSubmitTwapTrade] = None,  # Schedule; for portfolioType TWAP
        balance_trade: Optional[PortfoliosSubmitBalanceTrade] = None,  # How the legs are divided into parts; for portfolioType BALANCE
        customized_note: Optional[str] = None,  # Note of the submitter, at most 100 characters
        send_to_dummy_account_ids: Optional[Sequence[Id]] = None,  # Dummy accounts that mirror the portfolio
        dummy_account_scales: Optional[Sequence[PortfoliosSubmitDummyAccountScales]] = None,  # Dummy accounts that mirror a multiple of the quantities; the others mirror them unscaled
        execution: Optional[PortfoliosSubmitExecution] = None,  # How slices are worked; every option has a default
    ) -> PortfoliosSubmitResult:
        """Submit a portfolio."""
        return cast("PortfoliosSubmitResult", self._call("POST /tt/broker/openapi/portfolios/submit", {"accountId": account_id, "portfolioType": portfolio_type, "strategy": strategy, "twapTrade": twap_trade, "balanceTrade": balance_trade, "legs": legs, "customizedNote": customized_note, "sendToDummyAccountIds": send_to_dummy_account_ids, "dummyAccountScales": dummy_account_scales, "execution": execution}))

    def plan(
        self,
        *,
        account_id: Id,  # Trading account
        portfolio_type: Literal["TWAP", "BALANCE"],  # Kind of portfolio: TWAP (by the clock) or BALANCE (Smart Balance, part by part)
        legs: Sequence[PortfoliosSubmitLegs],  # What to trade; all legs share one forCcy
        strategy: Optional[str] = None,  # Free-text label of the strategy
        twap_trade: Optional[PortfoliosSubmitTwapTrade] = None,  # Schedule; for portfolioType TWAP
        balance_trade: Optional[PortfoliosSubmitBalanceTrade] = None,  # How the legs are divided into parts; for portfolioType BALANCE
        customized_note: Optional[str] = None,  # Note of the submitter, at most 100 characters
        send_to_dummy_account_ids: Optional[Sequence[Id]] = None,  # Dummy accounts that mirror the portfolio
        dummy_account_scales: Optional[Sequence[PortfoliosSubmitDummyAccountScales]] = None,  # Dummy accounts that mirror a multiple of the quantities; the others mirror them unscaled
        execution: Optional[PortfoliosSubmitExecution] = None,  # How slices are worked; every option has a default
    ) -> PortfoliosPlanResult:
        """Show what submit would do."""
        return cast("PortfoliosPlanResult", self._call("POST /tt/broker/openapi/portfolios/plan", {"accountId": account_id, "portfolioType": portfolio_type, "strategy": strategy, "twapTrade": twap_trade, "balanceTrade": balance_trade, "legs": legs, "customizedNote": customized_note, "sendToDummyAccountIds": send_to_dummy_account_ids, "dummyAccountScales": dummy_account_scales, "execution": execution}))

    def info(
        self,
        *,
        portfolio_id: Id,  # Which portfolio
    ) -> PortfolioRecord:
        """Show one portfolio."""
        return cast("PortfolioRecord", self._call("GET /tt/broker/openapi/portfolios/info", {"portfolioId": portfolio_id}))

    def page(
        self,
        *,
        account_id: Id,  # Account whose portfolios are listed; all: every account of the key
        portfolio_type: Optional[Literal["TWAP", "BALANCE"]] = None,  # Only this kind; absent: all
        portfolio_tag: Optional[Literal["OPEN_ORDER", "ORDER_HISTORY"]] = None,  # Only active ones, or only ended ones
        derivatives_type: Optional[Literal["OPTION", "PERPETUAL", "DELIVERY_FUTURES", "SPOT", "FUTURE_COMBO", "OPTION_COMBO"]] = None,  # Only portfolios with a leg of this kind
        derivatives_types: Optional[Sequence[Literal["OPTION", "PERPETUAL", "DELIVERY_FUTURES", "SPOT", "FUTURE_COMBO", "OPTION_COMBO"]]] = None,  # Only portfolios with a leg of one of these kinds; supersedes derivativesType
        coin_or_symbol: Optional[str] = None,  # Coin of the legs, or part of an instrument name
        instrument: Optional[str] = None,  # Only portfolios with a leg of this instrument
        start_timestamp: Optional[int] = None,  # Submitted at or after, Unix milliseconds
        end_timestamp: Optional[int] = None,  # Submitted at or before, Unix milliseconds
        updated_after: Optional[int] = None,  # Changed later than this, Unix milliseconds
        status: Optional[int] = None,  # 1 PENDING/ACTIVE, 2 FILLED, 3 CANCELLED, 4 CANCELLING
        hide_fully_unfilled: Optional[bool] = None,  # Hide portfolios without fills
        customized_note: Optional[str] = None,  # Part of the note
        create_uid_list: Optional[Sequence[str]] = None,  # Only submitted by one of these users
        last_edited_uid_list: Optional[Sequence[str]] = None,  # Only last edited by one of these users
        order_by: Optional[Literal["submitTimestamp", "submitTimestamp desc", "submitTimestamp asc", "updateTimestamp", "updateTimestamp desc", "updateTimestamp asc"]] = None,  # Sorting (default submitTimestamp desc)
        page_size: Optional[int] = None,  # Records on a page (default 10)
        current_page: Optional[int] = None,  # Which page, from 1 (default 1)
    ) -> PortfoliosPageResult:
        """List portfolios page by page."""
        return cast("PortfoliosPageResult", self._call("GET /tt/broker/openapi/portfolios/page", {"accountId": account_id, "portfolioType": portfolio_type, "portfolioTag": portfolio_tag, "derivativesType": derivatives_type, "derivativesTypes": derivatives_types, "coinOrSymbol": coin_or_symbol, "instrument": instrument, "startTimestamp": start_timestamp, "endTimestamp": end_timestamp, "updatedAfter": updated_after, "status": status, "hideFullyUnfilled": hide_fully_unfilled, "customizedNote": customized_note, "createUidList": create_uid_list, "lastEditedUidList": last_edited_uid_list, "orderBy": order_by, "pageSize": page_size, "currentPage": current_page}))

    def counts(
        self,
        *,
        account_id: Optional[Id] = None,  # Account whose portfolios are counted; absent: every account of the key
    ) -> PortfoliosCountsResult:
        """Count portfolios by status."""
        return cast("PortfoliosCountsResult", self._call("GET /tt/broker/openapi/portfolios/counts", {"accountId": account_id}))

    def report(
        self,
        *,
        portfolio_id: Id,  # Which portfolio
    ) -> PortfoliosReportResult:
        """Show what a portfolio cost."""
        return cast("PortfoliosReportResult", self._call("GET /tt/broker/openapi/portfolios/report", {"portfolioId": portfolio_id}))

    def history(
        self,
        *,
        portfolio_id: Id,  # Which portfolio
        after: Optional[int] = None,  # Only what happened after this version of the portfolio (default 0: all)
        limit: Optional[int] = None,  # Transitions to read at most (default 500); some are no message
    ) -> PortfoliosHistoryResult:
        """Show what happened to a portfolio."""
        return cast("PortfoliosHistoryResult", self._call("GET /tt/broker/openapi/portfolios/history", {"portfolioId": portfolio_id, "after": after, "limit": limit}))

    def course(
        self,
        *,
        portfolio_id: Id,  # Which portfolio
        after: Optional[int] = None,  # Only fills and closed children after this version of the portfolio (default 0: all)
        market_after: Optional[int] = None,  # Only markets after this, Unix milliseconds; absent: from the start
    ) -> PortfoliosCourseResult:
        """Show the course of a portfolio for charts."""
        return cast("PortfoliosCourseResult", self._call("GET /tt/broker/openapi/portfolios/course", {"portfolioId": portfolio_id, "after": after, "marketAfter": market_after}))

    def report_summary(
        self,
        *,
        strategy: Optional[str] = None,  # Only portfolios of this strategy
        account_id: Optional[Id] = None,  # Only portfolios of this account; absent: of all accounts of the key
        start_timestamp: Optional[int] = None,  # Submitted at or after, Unix milliseconds
        end_timestamp: Optional[int] = None,  # Submitted at or before, Unix milliseconds
        limit: Optional[int] = None,  # Read at most this many, the newest (default 200)
    ) -> PortfoliosReportSummaryResult:
        """Show what many portfolios cost."""
        return cast("PortfoliosReportSummaryResult", self._call("GET /tt/broker/openapi/portfolios/report-summary", {"strategy": strategy, "accountId": account_id, "startTimestamp": start_timestamp, "endTimestamp": end_timestamp, "limit": limit}))

    def cancel(
        self,
        *,
        portfolio_id: Id,  # Portfolio to cancel
        account_id: Optional[Id] = None,  # Account it must belong to; otherwise nothing is cancelled
    ) -> Optional[PortfoliosCancelResult]:
        """Cancel one portfolio."""
        return cast("Optional[PortfoliosCancelResult]", self._call("POST /tt/broker/openapi/portfolios/cancel", {"portfolioId": portfolio_id, "accountId": account_id}))

    def cancel_all(
        self,
        *,
        account_id: Id,  # Account whose active portfolios are cancelled
        portfolio_type: Optional[Literal["TWAP", "BALANCE"]] = None,  # Only this kind; absent: all
        coin_or_symbol: Optional[str] = None,  # Coin of the legs, or part of an instrument name
        create_uid_list: Optional[Sequence[str]] = None,  # Only submitted by one of these users; empty: no filter
        derivatives_type: Optional[Literal["SPOT", "OPTION", "FUTURES", "PERPETUAL", "DELIVERY_FUTURES", "GRFQ"]] = None,  # Only portfolios with a leg of this kind
        derivatives_types: Optional[Sequence[Literal["SPOT", "OPTION", "FUTURES", "PERPETUAL", "DELIVERY_FUTURES", "GRFQ"]]] = None,  # Only portfolios with a leg of one of these kinds; supersedes derivativesType if not empty
    ) -> None:
        """Cancel the active portfolios of an account."""
        self._call("POST /tt/broker/openapi/portfolios/cancel-all", {"accountId": account_id, "portfolioType": portfolio_type, "coinOrSymbol": coin_or_symbol, "createUidList": create_uid_list, "derivativesType": derivatives_type, "derivativesTypes": derivatives_types})

    def pause(
        self,
        *,
        portfolio_id: Id,  # Which portfolio
        account_id: Optional[Id] = None,  # Account it must belong to; otherwise nothing is changed
    ) -> Optional[PortfoliosCancelResult]:
        """Pause a portfolio: its orders are cancelled while its schedule continues."""
        return cast("Optional[PortfoliosCancelResult]", self._call("POST /tt/broker/openapi/portfolios/pause", {"portfolioId": portfolio_id, "accountId": account_id}))

    def resume(
        self,
        *,
        portfolio_id: Id,  # Which portfolio
        account_id: Optional[Id] = None,  # Account it must belong to; otherwise nothing is changed
    ) -> None:
        """Resume a paused portfolio."""
        self._call("POST /tt/broker/openapi/portfolios/resume", {"portfolioId": portfolio_id, "accountId": account_id})

    def amend(
        self,
        *,
        portfolio_id: Id,  # Portfolio to amend
        account_id: Optional[Id] = None,  # Account it must belong to; otherwise nothing is changed
        duration_sec: Optional[int] = None,  # New duration, in seconds from the start; within limits.durationSec of the deployment, by default 300 to 86400
        end_timestamp: Optional[int] = None,  # New end instead of durationSec, Unix milliseconds
        legs: Optional[Sequence[PortfoliosAmendLegs]] = None,  # Legs to change
        execution: Optional[PortfoliosAmendExecution] = None,  # New limits; absent ones stay unchanged. Resting orders beyond them are cancelled
        amendments_seen: Optional[int] = None,  # `amendments` of the preview the decision is based on; required with execution. If the portfolio was amended since, nothing is changed
        preview: Optional[bool] = None,  # Only show the effect (default false)
    ) -> PortfoliosAmendResult:
        """Amend a portfolio, or show what it would become."""
        return cast("PortfoliosAmendResult", self._call("POST /tt/broker/openapi/portfolios/amend", {"portfolioId": portfolio_id, "accountId": account_id, "durationSec": duration_sec, "endTimestamp": end_timestamp, "legs": legs, "execution": execution, "amendmentsSeen": amendments_seen, "preview": preview}))


class Trading:
    """Trading switches, overrides of controls, and the use of limits."""

    def __init__(self, call: _Call) -> None:
        self._call = call

    def whoami(self) -> TradingWhoamiResult:
        """Show the calling key: its accounts, scopes, expiry and the operations it may call."""
        return cast("TradingWhoamiResult", self._call("GET /tt/broker/openapi/trading/whoami", {}))

    def summary(self) -> TradingSummaryResult:
        """Show how the deployment is: readiness, switches, lateness, undecided orders, protection, event loops, venues."""
        return cast("TradingSummaryResult", self._call("GET /tt/broker/openapi/trading/summary", {}))

    def switches(self) -> List[Switch]:
        """List the current state of trading switches: all for the scope admin, otherwise those of the deployment and of own accounts and portfolios."""
        return cast("List[Switch]", self._call("GET /tt/broker/openapi/trading/switches", {}))

    def switch_history(self) -> List[Switch]:
        """List the latest settings of trading switches that the key may see, newest first, at most 500."""
        return cast("List[Switch]", self._call("GET /tt/broker/openapi/trading/switch-history", {}))

    def switch(
        self,
        *,
        scope: Literal["deployment", "account", "strategy", "portfolio"],  # Scope of the switch
        state: Literal["active", "reducing", "halted"],  # active: trades; reducing: sends only reduce-only orders; halted: cancels all orders
        reason: str,  # Reason; stored with user and time
        of: Optional[str] = None,  # The account, strategy or portfolio; absent for scope deployment
    ) -> Switch:
        """Set a trading switch: for the deployment, an account, a strategy or a portfolio."""
        return cast("Switch", self._call("POST /tt/broker/openapi/trading/switch", {"scope": scope, "of": of, "state": state, "reason": reason}))

    def overrides(self) -> List[Override]:
        """List the overrides of accounts of the key that have not expired."""
        return cast("List[Override]", self._call("GET /tt/broker/openapi/trading/overrides", {}))

    def override(
        self,
        *,
        control: Literal["price_collar", "order_value", "order_volume", "position", "gross", "market_unrest", "self_match"],  # The control that the order may pass
        account_id: Id,  # Account of the order
        instrument_name: str,  # Instrument of the order
        side: Literal["buy", "sell"],  # Side of the order
        quantity: Number,  # Largest amount of the order
        reason: str,  # Reason; stored with user and time
        expires_sec: Optional[int] = None,  # How long it may be used, in seconds; 60 when absent
    ) -> Override:
        """Request that one order may pass one control."""
        return cast("Override", self._call("POST /tt/broker/openapi/trading/override", {"control": control, "accountId": account_id, "instrumentName": instrument_name, "side": side, "quantity": quantity, "reason": reason, "expiresSec": expires_sec}))

    def override_grant(
        self,
        *,
        id: str,  # Id of the requested override
    ) -> Override:
        """Grant an override that another key requested."""
        return cast("Override", self._call("POST /tt/broker/openapi/trading/override-grant", {"id": id}))

    def limits(self) -> List[TradingLimitsResult]:
        """List the limits that fill up, and how much of each the accounts of the key have used."""
        return cast("List[TradingLimitsResult]", self._call("GET /tt/broker/openapi/trading/limits", {}))

    def page_code(
        self,
        *,
        purpose: Literal["open", "confirm"],  # open: a session of the page; confirm: one action in a session of the same key
        scopes: Optional[Sequence[Literal["read", "trade", "admin"]]] = None,  # What the session may do; absent: all
    ) -> TradingPageCodeResult:
        """Issue a code, good once, that opens the page or confirms one action on it."""
        return cast("TradingPageCodeResult", self._call("POST /tt/broker/openapi/trading/page-code", {"purpose": purpose, "scopes": scopes}))

    def page_sessions(self) -> List[TradingPageSessionsResult]:
        """List the open sessions of the page: all for the scope admin, otherwise those of the key."""
        return cast("List[TradingPageSessionsResult]", self._call("GET /tt/broker/openapi/trading/page-sessions", {}))

    def page_session_end(
        self,
        *,
        id: str,  # Id of the session
    ) -> None:
        """End a session of the page: any for the scope admin, otherwise one of the key."""
        self._call("POST /tt/broker/openapi/trading/page-session-end", {"id": id})

    def actions(
        self,
        *,
        account_id: Optional[Id] = None,  # Only actions on this account; absent: on every account of the key, and for the scope admin also those of no account, such as a halt of the deployment
        key_id: Optional[str] = None,  # Only actions made with this key
        start_timestamp: Optional[int] = None,  # Only actions from then on, Unix milliseconds
        before: Optional[str] = None,  # Only actions older than those of a former answer: its `next`
        limit: Optional[int] = None,  # At most so many (default 50)
    ) -> TradingActionsResult:
        """List what was changed on accounts of the key, by whom and with what outcome, newest first."""
        return cast("TradingActionsResult", self._call("GET /tt/broker/openapi/trading/actions", {"accountId": account_id, "keyId": key_id, "startTimestamp": start_timestamp, "before": before, "limit": limit}))

    def keys(self) -> List[TradingKeysResult]:
        """List the keys in force without secrets: all for the scope admin, otherwise the calling one."""
        return cast("List[TradingKeysResult]", self._call("GET /tt/broker/openapi/trading/keys", {}))

    def strategies(self) -> TradingStrategiesResult:
        """List the strategies in force, when each is due and what it submitted last: all for the scope admin, otherwise those of own accounts."""
        return cast("TradingStrategiesResult", self._call("GET /tt/broker/openapi/trading/strategies", {}))

    def strategy_switch(
        self,
        *,
        strategy: str,  # Name of the strategy
        state: Literal["on", "off", "file"],  # on: submits when it is due, from now on; off: submits no more; file: as its file says
        reason: str,  # Reason; stored with user and time
    ) -> None:
        """Switch a strategy on or off, whatever its file says; its portfolios go on."""
        self._call("POST /tt/broker/openapi/trading/strategy-switch", {"strategy": strategy, "state": state, "reason": reason})

    def unaccounted(self) -> TradingUnaccountedResult:
        """List orders and trades at the venues of the accounts of the key that a restored ledger does not know, as the latest start found them."""
        return cast("TradingUnaccountedResult", self._call("GET /tt/broker/openapi/trading/unaccounted", {}))


class Private:
    """Order methods of an account."""

    def __init__(self, call: _Call) -> None:
        self._call = call

    def buy(
        self,
        *,
        instrument_name: str,  # Instrument name
        quantity: Optional[Number] = None,  # Size: USD for inverse perpetuals and futures, otherwise coins
        contracts: Optional[Number] = None,  # Size in contracts; required if quantity is missing
        type: Optional[Literal["limit", "market", "market_limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"]] = None,  # Type of the order (default limit)
        label: Optional[str] = None,  # Label of the client, at most 64 characters
        price: Optional[Number] = None,  # Limit price; with advanced: USD per coin, or volatility in percent
        time_in_force: Optional[Literal["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"]] = None,  # Time in force (default good_til_cancelled)
        post_only: Optional[bool] = None,  # Maker only: a price that would take is moved just outside the spread
        reject_post_only: Optional[bool] = None,  # Only together with postOnly true: reject instead of moving the price
        reduce_only: Optional[bool] = None,  # Only reduce a position
        trigger: Optional[Literal["index_price", "mark_price", "last_price"]] = None,  # Price that triggers the order; required for stop, take and trailing orders
        trigger_price: Optional[Number] = None,  # Required for stop and take orders
        trigger_offset: Optional[Number] = None,  # Required for trailing stops
        display_amount: Optional[Number] = None,  # Icebergs: visible size
        advanced: Optional[Literal["usd", "implv"]] = None,  # Options: unit the price is in
        mmp: Optional[bool] = None,  # Counts towards market-maker protection; limit orders only
        valid_until: Optional[int] = None,  # Deadline: from then on the request is refused with timed_out, Unix milliseconds
        linked_order_type: Optional[Literal["one_triggers_other", "one_cancels_other", "one_triggers_one_cancels_other"]] = None,  # How the orders of otocoConfig are linked to this order
        trigger_fill_condition: Optional[Literal["first_hit", "complete_fill", "incremental"]] = None,  # Linked orders: when a fill acts on the others (default first_hit)
        otoco_config: Optional[Sequence[PrivateBuyOtocoConfig]] = None,  # Orders that are placed or cancelled when this one fills
        idempotency_key: Optional[str] = None,  # Places the order once; a repetition of the request gets the first answer
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateBuyResult:
        """Place an order to buy."""
        return cast("PrivateBuyResult", self._call("private/buy", {"instrumentName": instrument_name, "quantity": quantity, "contracts": contracts, "type": type, "label": label, "price": price, "timeInForce": time_in_force, "postOnly": post_only, "rejectPostOnly": reject_post_only, "reduceOnly": reduce_only, "trigger": trigger, "triggerPrice": trigger_price, "triggerOffset": trigger_offset, "displayAmount": display_amount, "advanced": advanced, "mmp": mmp, "validUntil": valid_until, "linkedOrderType": linked_order_type, "triggerFillCondition": trigger_fill_condition, "otocoConfig": otoco_config, "idempotencyKey": idempotency_key, "accountId": account_id}))

    def sell(
        self,
        *,
        instrument_name: str,  # Instrument name
        quantity: Optional[Number] = None,  # Size: USD for inverse perpetuals and futures, otherwise coins
        contracts: Optional[Number] = None,  # Size in contracts; required if quantity is missing
        type: Optional[Literal["limit", "market", "market_limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"]] = None,  # Type of the order (default limit)
        label: Optional[str] = None,  # Label of the client, at most 64 characters
        price: Optional[Number] = None,  # Limit price; with advanced: USD per coin, or volatility in percent
        time_in_force: Optional[Literal["good_til_cancelled", "good_til_day", "fill_or_kill", "immediate_or_cancel"]] = None,  # Time in force (default good_til_cancelled)
        post_only: Optional[bool] = None,  # Maker only: a price that would take is moved just outside the spread
        reject_post_only: Optional[bool] = None,  # Only together with postOnly true: reject instead of moving the price
        reduce_only: Optional[bool] = None,  # Only reduce a position
        trigger: Optional[Literal["index_price", "mark_price", "last_price"]] = None,  # Price that triggers the order; required for stop, take and trailing orders
        trigger_price: Optional[Number] = None,  # Required for stop and take orders
        trigger_offset: Optional[Number] = None,  # Required for trailing stops
        display_amount: Optional[Number] = None,  # Icebergs: visible size
        advanced: Optional[Literal["usd", "implv"]] = None,  # Options: unit the price is in
        mmp: Optional[bool] = None,  # Counts towards market-maker protection; limit orders only
        valid_until: Optional[int] = None,  # Deadline: from then on the request is refused with timed_out, Unix milliseconds
        linked_order_type: Optional[Literal["one_triggers_other", "one_cancels_other", "one_triggers_one_cancels_other"]] = None,  # How the orders of otocoConfig are linked to this order
        trigger_fill_condition: Optional[Literal["first_hit", "complete_fill", "incremental"]] = None,  # Linked orders: when a fill acts on the others (default first_hit)
        otoco_config: Optional[Sequence[PrivateBuyOtocoConfig]] = None,  # Orders that are placed or cancelled when this one fills
        idempotency_key: Optional[str] = None,  # Places the order once; a repetition of the request gets the first answer
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateBuyResult:
        """Place an order to sell."""
        return cast("PrivateBuyResult", self._call("private/sell", {"instrumentName": instrument_name, "quantity": quantity, "contracts": contracts, "type": type, "label": label, "price": price, "timeInForce": time_in_force, "postOnly": post_only, "rejectPostOnly": reject_post_only, "reduceOnly": reduce_only, "trigger": trigger, "triggerPrice": trigger_price, "triggerOffset": trigger_offset, "displayAmount": display_amount, "advanced": advanced, "mmp": mmp, "validUntil": valid_until, "linkedOrderType": linked_order_type, "triggerFillCondition": trigger_fill_condition, "otocoConfig": otoco_config, "idempotencyKey": idempotency_key, "accountId": account_id}))

    def edit(
        self,
        *,
        order_id: str,  # Id of the order
        quantity: Optional[Number] = None,  # Size: USD for inverse perpetuals and futures, otherwise coins
        contracts: Optional[Number] = None,  # Size in contracts; required if quantity is missing
        price: Optional[Number] = None,  # Limit price; with advanced: USD per coin, or volatility in percent
        post_only: Optional[bool] = None,  # As in buy; unchanged when absent
        reject_post_only: Optional[bool] = None,  # As in buy; with the refusal (11054) of an edit the order is cancelled
        reduce_only: Optional[bool] = None,  # As in buy
        display_amount: Optional[Number] = None,  # Icebergs: visible size
        trigger_price: Optional[Number] = None,  # New trigger price
        trigger_offset: Optional[Number] = None,  # New distance of a trailing stop
        advanced: Optional[Literal["usd", "implv"]] = None,  # Options: unit the price is in
        mmp: Optional[bool] = None,  # Cannot be changed; the same value is accepted
        valid_until: Optional[int] = None,  # Deadline: from then on the request is refused with timed_out, Unix milliseconds
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateBuyResult:
        """Edit an open order."""
        return cast("PrivateBuyResult", self._call("private/edit", {"orderId": order_id, "quantity": quantity, "contracts": contracts, "price": price, "postOnly": post_only, "rejectPostOnly": reject_post_only, "reduceOnly": reduce_only, "displayAmount": display_amount, "triggerPrice": trigger_price, "triggerOffset": trigger_offset, "advanced": advanced, "mmp": mmp, "validUntil": valid_until, "accountId": account_id}))

    def edit_by_label(
        self,
        *,
        label: str,  # Label; exactly one open order of the instrument must have it
        instrument_name: str,  # Instrument name
        quantity: Optional[Number] = None,  # Size: USD for inverse perpetuals and futures, otherwise coins
        contracts: Optional[Number] = None,  # Size in contracts; required if quantity is missing
        price: Optional[Number] = None,  # Limit price; with advanced: USD per coin, or volatility in percent
        post_only: Optional[bool] = None,  # As in buy; unchanged when absent
        reject_post_only: Optional[bool] = None,  # As in buy; with the refusal (11054) of an edit the order is cancelled
        reduce_only: Optional[bool] = None,  # As in buy
        display_amount: Optional[Number] = None,  # Icebergs: visible size
        trigger_price: Optional[Number] = None,  # New trigger price
        trigger_offset: Optional[Number] = None,  # New distance of a trailing stop
        advanced: Optional[Literal["usd", "implv"]] = None,  # Options: unit the price is in
        mmp: Optional[bool] = None,  # Cannot be changed; the same value is accepted
        valid_until: Optional[int] = None,  # Deadline: from then on the request is refused with timed_out, Unix milliseconds
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateBuyResult:
        """Edit the only open order of an instrument with a label."""
        return cast("PrivateBuyResult", self._call("private/edit_by_label", {"label": label, "instrumentName": instrument_name, "quantity": quantity, "contracts": contracts, "price": price, "postOnly": post_only, "rejectPostOnly": reject_post_only, "reduceOnly": reduce_only, "displayAmount": display_amount, "triggerPrice": trigger_price, "triggerOffset": trigger_offset, "advanced": advanced, "mmp": mmp, "validUntil": valid_until, "accountId": account_id}))

    def cancel(
        self,
        *,
        order_id: str,  # Id of the order
        reason: Optional[Literal["user_request", "cancel_on_disconnect", "mmp_trigger", "risk_mitigation"]] = None,  # Reason, shown as `cancelReason` (default user_request); has no other effect
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Order:
        """Cancel one order."""
        return cast("Order", self._call("private/cancel", {"orderId": order_id, "reason": reason, "accountId": account_id}))

    def cancel_by_label(
        self,
        *,
        label: str,  # Label
        currency: Optional[str] = None,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        reason: Optional[Literal["user_request", "cancel_on_disconnect", "mmp_trigger", "risk_mitigation"]] = None,  # Reason, shown as `cancelReason` (default user_request); has no other effect
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> int:
        """Cancel every order that carries a label."""
        return cast("int", self._call("private/cancel_by_label", {"label": label, "currency": currency, "reason": reason, "accountId": account_id}))

    def cancel_all(
        self,
        *,
        reason: Optional[Literal["user_request", "cancel_on_disconnect", "mmp_trigger", "risk_mitigation"]] = None,  # Reason, shown as `cancelReason` (default user_request); has no other effect
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> int:
        """Cancel every order of the account."""
        return cast("int", self._call("private/cancel_all", {"reason": reason, "accountId": account_id}))

    def cancel_all_by_currency(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        type: Optional[Literal["all", "limit", "trigger_all", "stop", "take", "trailing_stop"]] = None,  # Type of the orders (default all)
        reason: Optional[Literal["user_request", "cancel_on_disconnect", "mmp_trigger", "risk_mitigation"]] = None,  # Reason, shown as `cancelReason` (default user_request); has no other effect
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> int:
        """Cancel the orders of a settlement currency."""
        return cast("int", self._call("private/cancel_all_by_currency", {"currency": currency, "kind": kind, "type": type, "reason": reason, "accountId": account_id}))

    def cancel_all_by_instrument(
        self,
        *,
        instrument_name: str,  # Instrument name
        type: Optional[Literal["all", "limit", "trigger_all", "stop", "take", "trailing_stop"]] = None,  # Type of the orders (default all)
        reason: Optional[Literal["user_request", "cancel_on_disconnect", "mmp_trigger", "risk_mitigation"]] = None,  # Reason, shown as `cancelReason` (default user_request); has no other effect
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> int:
        """Cancel the orders of an instrument."""
        return cast("int", self._call("private/cancel_all_by_instrument", {"instrumentName": instrument_name, "type": type, "reason": reason, "accountId": account_id}))

    def get_open_orders(
        self,
        *,
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        type: Optional[Literal["all", "limit", "trigger_all", "stop_all", "stop_limit", "stop_market", "take_all", "take_limit", "take_market", "trailing_all", "trailing_stop"]] = None,  # Type of the orders (default all)
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[Order]:
        """Open orders of every currency."""
        return cast("List[Order]", self._call("private/get_open_orders", {"kind": kind, "type": type, "accountId": account_id}))

    def get_open_orders_by_currency(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        type: Optional[Literal["all", "limit", "trigger_all", "stop_all", "stop_limit", "stop_market", "take_all", "take_limit", "take_market", "trailing_all", "trailing_stop"]] = None,  # Type of the orders (default all)
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[Order]:
        """Open orders of a settlement currency."""
        return cast("List[Order]", self._call("private/get_open_orders_by_currency", {"currency": currency, "kind": kind, "type": type, "accountId": account_id}))

    def get_open_orders_by_instrument(
        self,
        *,
        instrument_name: str,  # Instrument name
        type: Optional[Literal["all", "limit", "trigger_all", "stop_all", "stop_limit", "stop_market", "take_all", "take_limit", "take_market", "trailing_all", "trailing_stop"]] = None,  # Type of the orders (default all)
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[Order]:
        """Open orders of an instrument."""
        return cast("List[Order]", self._call("private/get_open_orders_by_instrument", {"instrumentName": instrument_name, "type": type, "accountId": account_id}))

    def get_order_history_by_currency(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        count: Optional[int] = None,  # How many (default 20, at most 1000)
        offset: Optional[int] = None,  # How many to skip (default 0)
        include_old: Optional[bool] = None,  # Include orders closed more than two days ago
        include_unfilled: Optional[bool] = None,  # Include closed orders without a fill
        with_continuation: Optional[bool] = None,  # Include a continuation token in the answer
        continuation: Optional[str] = None,  # The token of an earlier answer
        historical: Optional[bool] = None,  # false (default): recent records, orders of 30 minutes and trades of 24 hours; true: older ones
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Union[List[Order], PrivateGetOrderHistoryByCurrencyResult]:
        """Closed orders of a settlement currency."""
        return cast("Union[List[Order], PrivateGetOrderHistoryByCurrencyResult]", self._call("private/get_order_history_by_currency", {"currency": currency, "kind": kind, "count": count, "offset": offset, "includeOld": include_old, "includeUnfilled": include_unfilled, "withContinuation": with_continuation, "continuation": continuation, "historical": historical, "accountId": account_id}))

    def get_order_history_by_instrument(
        self,
        *,
        instrument_name: str,  # Instrument name
        count: Optional[int] = None,  # How many (default 20, at most 1000)
        offset: Optional[int] = None,  # How many to skip (default 0)
        include_old: Optional[bool] = None,  # Include orders closed more than two days ago
        include_unfilled: Optional[bool] = None,  # Include closed orders without a fill
        with_continuation: Optional[bool] = None,  # Include a continuation token in the answer
        continuation: Optional[str] = None,  # The token of an earlier answer
        historical: Optional[bool] = None,  # false (default): recent records, orders of 30 minutes and trades of 24 hours; true: older ones
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Union[List[Order], PrivateGetOrderHistoryByCurrencyResult]:
        """Closed orders of an instrument."""
        return cast("Union[List[Order], PrivateGetOrderHistoryByCurrencyResult]", self._call("private/get_order_history_by_instrument", {"instrumentName": instrument_name, "count": count, "offset": offset, "includeOld": include_old, "includeUnfilled": include_unfilled, "withContinuation": with_continuation, "continuation": continuation, "historical": historical, "accountId": account_id}))

    def get_order_state(
        self,
        *,
        order_id: str,  # Id of the order
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Order:
        """One order, in any state."""
        return cast("Order", self._call("private/get_order_state", {"orderId": order_id, "accountId": account_id}))

    def get_order_state_by_label(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        label: str,  # Label
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[Order]:
        """Orders with a label, in any state."""
        return cast("List[Order]", self._call("private/get_order_state_by_label", {"currency": currency, "label": label, "accountId": account_id}))

    def get_trigger_order_history(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        instrument_name: Optional[str] = None,  # Instrument name
        count: Optional[int] = None,  # How many (default 20, at most 1000)
        continuation: Optional[str] = None,  # The token of an earlier answer
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetTriggerOrderHistoryResult:
        """History of trigger orders that were triggered or cancelled."""
        return cast("PrivateGetTriggerOrderHistoryResult", self._call("private/get_trigger_order_history", {"currency": currency, "instrumentName": instrument_name, "count": count, "continuation": continuation, "accountId": account_id}))

    def get_user_trades_by_order(
        self,
        *,
        order_id: str,  # Id of the order
        sorting: Optional[Literal["asc", "desc", "default"]] = None,  # By time; default means asc
        historical: Optional[bool] = None,  # false (default): recent records, orders of 30 minutes and trades of 24 hours; true: older ones
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[PrivateBuyResultTrades]:
        """Trades of one order."""
        return cast("List[PrivateBuyResultTrades]", self._call("private/get_user_trades_by_order", {"orderId": order_id, "sorting": sorting, "historical": historical, "accountId": account_id}))

    def get_user_trades_by_currency(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        start_id: Optional[str] = None,  # From this trade on
        end_id: Optional[str] = None,  # Up to this trade
        start_timestamp: Optional[int] = None,  # From this time on, Unix milliseconds
        end_timestamp: Optional[int] = None,  # Up to this time, Unix milliseconds
        count: Optional[int] = None,  # How many (default 10, at most 1000)
        sorting: Optional[Literal["asc", "desc", "default"]] = None,  # By time; default means desc
        historical: Optional[bool] = None,  # false (default): recent records, orders of 30 minutes and trades of 24 hours; true: older ones
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetUserTradesByCurrencyResult:
        """Trades of a settlement currency."""
        return cast("PrivateGetUserTradesByCurrencyResult", self._call("private/get_user_trades_by_currency", {"currency": currency, "kind": kind, "startId": start_id, "endId": end_id, "startTimestamp": start_timestamp, "endTimestamp": end_timestamp, "count": count, "sorting": sorting, "historical": historical, "accountId": account_id}))

    def get_user_trades_by_instrument(
        self,
        *,
        instrument_name: str,  # Instrument name
        start_seq: Optional[int] = None,  # From this number on
        end_seq: Optional[int] = None,  # Up to this number
        start_timestamp: Optional[int] = None,  # From this time on, Unix milliseconds
        end_timestamp: Optional[int] = None,  # Up to this time, Unix milliseconds
        count: Optional[int] = None,  # How many (default 10, at most 1000)
        sorting: Optional[Literal["asc", "desc", "default"]] = None,  # By time; default means desc
        historical: Optional[bool] = None,  # false (default): recent records, orders of 30 minutes and trades of 24 hours; true: older ones
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetUserTradesByCurrencyResult:
        """Trades of an instrument."""
        return cast("PrivateGetUserTradesByCurrencyResult", self._call("private/get_user_trades_by_instrument", {"instrumentName": instrument_name, "startSeq": start_seq, "endSeq": end_seq, "startTimestamp": start_timestamp, "endTimestamp": end_timestamp, "count": count, "sorting": sorting, "historical": historical, "accountId": account_id}))

    def get_positions(
        self,
        *,
        currency: Optional[str] = None,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[Position]:
        """Open positions."""
        return cast("List[Position]", self._call("private/get_positions", {"currency": currency, "kind": kind, "accountId": account_id}))

    def get_position(
        self,
        *,
        instrument_name: str,  # Instrument name
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Position:
        """The position in an instrument; flat when there is none."""
        return cast("Position", self._call("private/get_position", {"instrumentName": instrument_name, "accountId": account_id}))

    def get_account_summary(
        self,
        *,
        currency: str,  # Currency: BTC, ETH, USDC, USDT or EURR
        extended: Optional[bool] = None,  # Accepted without effect; the answer is always complete
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetAccountSummaryResult:
        """Balance and margins in one currency."""
        return cast("PrivateGetAccountSummaryResult", self._call("private/get_account_summary", {"currency": currency, "extended": extended, "accountId": account_id}))

    def get_margins(
        self,
        *,
        instrument_name: str,  # Instrument name
        quantity: Number,  # Size of the order, in the unit of the instrument
        price: Number,  # Limit price of the order
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetMarginsResult:
        """Margin and fees of an order by itself; one that reduces a position needs less."""
        return cast("PrivateGetMarginsResult", self._call("private/get_margins", {"instrumentName": instrument_name, "quantity": quantity, "price": price, "accountId": account_id}))

    def get_transaction_log(
        self,
        *,
        currency: str,  # Currency: BTC, ETH, USDC, USDT or EURR
        start_timestamp: int,  # From this time on, Unix milliseconds
        end_timestamp: int,  # Up to this time, Unix milliseconds
        count: Optional[int] = None,  # How many (default 100, at most 1000)
        continuation: Optional[int] = None,  # Of an earlier answer
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetTransactionLogResult:
        """What trades, settlements and deliveries moved in one currency, newest first."""
        return cast("PrivateGetTransactionLogResult", self._call("private/get_transaction_log", {"currency": currency, "startTimestamp": start_timestamp, "endTimestamp": end_timestamp, "count": count, "continuation": continuation, "accountId": account_id}))

    def create_combo(
        self,
        *,
        trades: Sequence[PrivateCreateComboTrades],  # Two to four futures or options; only the relation of their sizes matters
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateCreateComboResult:
        """Create the combo of these legs; one that exists already is returned."""
        return cast("PrivateCreateComboResult", self._call("private/create_combo", {"trades": trades, "accountId": account_id}))

    def get_mmp_config(
        self,
        *,
        index_name: Optional[Literal["btc_usd", "eth_usd", "btc_usdc", "eth_usdc", "ada_usdc", "algo_usdc", "avax_usdc", "bch_usdc", "bnb_usdc", "doge_usdc", "dot_usdc", "hype_usdc", "link_usdc", "ltc_usdc", "near_usdc", "paxg_usdc", "shib_usdc", "sol_usdc", "ton_usdc", "trx_usdc", "trump_usdc", "uni_usdc", "xrp_usdc", "usde_usdc", "buidl_usdc", "btcdvol_usdc", "ethdvol_usdc", "btc_usdt", "eth_usdt", "all"]] = None,  # Index; all is for Block RFQs
        mmp_group: Optional[str] = None,  # Named group; the unnamed one when absent. A name belongs to one index
        block_rfq: Optional[bool] = None,  # true: Block RFQ quotes; false: orders with mmp (default false)
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetMmpConfigResult:
        """Configurations of market-maker protection, with what the running window has used."""
        return cast("PrivateGetMmpConfigResult", self._call("private/get_mmp_config", {"indexName": index_name, "mmpGroup": mmp_group, "blockRfq": block_rfq, "accountId": account_id}))

    def get_mmp_status(
        self,
        *,
        index_name: Optional[Literal["btc_usd", "eth_usd", "btc_usdc", "eth_usdc", "ada_usdc", "algo_usdc", "avax_usdc", "bch_usdc", "bnb_usdc", "doge_usdc", "dot_usdc", "hype_usdc", "link_usdc", "ltc_usdc", "near_usdc", "paxg_usdc", "shib_usdc", "sol_usdc", "ton_usdc", "trx_usdc", "trump_usdc", "uni_usdc", "xrp_usdc", "usde_usdc", "buidl_usdc", "btcdvol_usdc", "ethdvol_usdc", "btc_usdt", "eth_usdt", "all"]] = None,  # Index; all is for Block RFQs
        mmp_group: Optional[str] = None,  # Named group; the unnamed one when absent. A name belongs to one index
        block_rfq: Optional[bool] = None,  # true: Block RFQ quotes; false: orders with mmp (default false)
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetMmpStatusResult:
        """Groups frozen now; empty for none."""
        return cast("PrivateGetMmpStatusResult", self._call("private/get_mmp_status", {"indexName": index_name, "mmpGroup": mmp_group, "blockRfq": block_rfq, "accountId": account_id}))

    def reset_mmp(
        self,
        *,
        index_name: Literal["btc_usd", "eth_usd", "btc_usdc", "eth_usdc", "ada_usdc", "algo_usdc", "avax_usdc", "bch_usdc", "bnb_usdc", "doge_usdc", "dot_usdc", "hype_usdc", "link_usdc", "ltc_usdc", "near_usdc", "paxg_usdc", "shib_usdc", "sol_usdc", "ton_usdc", "trx_usdc", "trump_usdc", "uni_usdc", "xrp_usdc", "usde_usdc", "buidl_usdc", "btcdvol_usdc", "ethdvol_usdc", "btc_usdt", "eth_usdt", "all"],  # Index; all is for Block RFQs
        mmp_group: Optional[str] = None,  # Named group; the unnamed one when absent. A name belongs to one index
        block_rfq: Optional[bool] = None,  # true: Block RFQ quotes; false: orders with mmp (default false)
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Literal["ok"]:
        """End a freeze and clear the window; the configuration stays."""
        return cast("Literal['ok']", self._call("private/reset_mmp", {"indexName": index_name, "mmpGroup": mmp_group, "blockRfq": block_rfq, "accountId": account_id}))


class Public:
    """Markets, and the session."""

    def __init__(self, call: _Call) -> None:
        self._call = call

    def get_instruments(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        expired: Optional[bool] = None,  # true: recently expired ones
    ) -> List[Instrument]:
        """Instruments in trading, or recently expired."""
        return cast("List[Instrument]", self._call("public/get_instruments", {"currency": currency, "kind": kind, "expired": expired}))

    def get_instrument(
        self,
        *,
        instrument_name: str,  # Instrument name
    ) -> Instrument:
        """One instrument."""
        return cast("Instrument", self._call("public/get_instrument", {"instrumentName": instrument_name}))

    def ticker(
        self,
        *,
        instrument_name: str,  # Instrument name
    ) -> Ticker:
        """Best prices, mark price, index and statistics of an instrument."""
        return cast("Ticker", self._call("public/ticker", {"instrumentName": instrument_name}))

    def get_order_book(
        self,
        *,
        instrument_name: str,  # Instrument name
        depth: Optional[int] = None,  # Levels of each side (default 5), rounded up to one of 1, 5, 10, 20, 50, 100, 1000, 10000
    ) -> PublicGetOrderBookResult:
        """The book of an instrument, with its ticker."""
        return cast("PublicGetOrderBookResult", self._call("public/get_order_book", {"instrumentName": instrument_name, "depth": depth}))

    def get_index_price(
        self,
        *,
        index_name: str,  # For example btc_usd
    ) -> PublicGetIndexPriceResult:
        """An index."""
        return cast("PublicGetIndexPriceResult", self._call("public/get_index_price", {"indexName": index_name}))

    def get_combos(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
    ) -> List[PrivateCreateComboResult]:
        """Combos of a settlement currency."""
        return cast("List[PrivateCreateComboResult]", self._call("public/get_combos", {"currency": currency}))

    def get_combo_ids(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        state: Optional[Literal["active", "inactive"]] = None,  # Only combos in this state; all when absent
    ) -> List[str]:
        """Names of the combos of a settlement currency."""
        return cast("List[str]", self._call("public/get_combo_ids", {"currency": currency, "state": state}))

    def get_combo_details(
        self,
        *,
        combo_id: str,  # Name of the combo
    ) -> PrivateCreateComboResult:
        """One combo."""
        return cast("PrivateCreateComboResult", self._call("public/get_combo_details", {"comboId": combo_id}))

    def get_time(self) -> int:
        """Server time, Unix milliseconds."""
        return cast("int", self._call("public/get_time", {}))

    def test(
        self,
        *,
        expected_result: Optional[Literal["exception"]] = None,  # exception: provoke a refusal
    ) -> PublicTestResult:
        """Tests the connection; answers a test request."""
        return cast("PublicTestResult", self._call("public/test", {"expectedResult": expected_result}))

    def hello(
        self,
        *,
        client_name: str,  # Name of the program
        client_version: str,  # Its version
    ) -> PublicTestResult:
        """Identifies the client program."""
        return cast("PublicTestResult", self._call("public/hello", {"clientName": client_name, "clientVersion": client_version}))

    def status(self) -> PublicStatusResult:
        """Whether trading is locked."""
        return cast("PublicStatusResult", self._call("public/status", {}))


class Block:
    """Block RFQs."""

    def __init__(self, call: _Call) -> None:
        self._call = call

    def create_rfq(
        self,
        *,
        legs: Sequence[BlockCreateRfqLegs],  # Legs of the structure; their sizes become one quantity and ratios
        hedge: Optional[BlockCreateRfqHedge] = None,  # One leg with a fixed price that hedges the others; set by the taker, repeated by quotes
        makers: Optional[Sequence[str]] = None,  # Aliases of the makers to address; all when absent or empty
        disclosed: Optional[bool] = None,  # Show names to the counterparty (default true); false needs at least five makers, or all
        label: Optional[str] = None,  # Label of the taker, at most 64 characters
        trade_allocations: Optional[Sequence[BlockCreateRfqTradeAllocations]] = None,  # Shares of the quantity; they must add up to it
        idempotency_key: Optional[str] = None,  # Executes the request once; a repetition gets the first answer
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockCreateRfqResult:
        """Create a Block RFQ: request quotes on a structure from makers."""
        return cast("BlockCreateRfqResult", self._call("block/rfqs/create_rfq", {"legs": legs, "hedge": hedge, "makers": makers, "disclosed": disclosed, "label": label, "tradeAllocations": trade_allocations, "idempotencyKey": idempotency_key, "accountId": account_id}))

    def trade(
        self,
        *,
        block_rfq_id: str,  # Id of the Block RFQ; takers and makers know it by different ids
        side: Literal["buy", "sell"],  # Side of the taker: buy trades with the asks
        quantity: Number,  # The quantity of the RFQ
        price: Number,  # Worst price for the whole structure
        time_in_force: Optional[Literal["fill_or_kill", "good_til_cancelled"]] = None,  # fill_or_kill (default): immediately or not at all; good_til_cancelled: as soon as quotes allow
        legs: Optional[Sequence[BlockTradeLegs]] = None,  # The legs of the RFQ, as a safeguard
        hedge: Optional[BlockCreateRfqHedge] = None,  # One leg with a fixed price that hedges the others; set by the taker, repeated by quotes
        idempotency_key: Optional[str] = None,  # Executes the request once; a repetition gets the first answer
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockTradeResult:
        """Accept a Block RFQ: trade its whole quantity at this price or better."""
        return cast("BlockTradeResult", self._call("block/rfqs/trade", {"blockRfqId": block_rfq_id, "side": side, "quantity": quantity, "price": price, "timeInForce": time_in_force, "legs": legs, "hedge": hedge, "idempotencyKey": idempotency_key, "accountId": account_id}))

    def cancel_rfq(
        self,
        *,
        block_rfq_id: str,  # Id of the Block RFQ; takers and makers know it by different ids
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockCreateRfqResult:
        """Cancel a Block RFQ; its quotes end with it."""
        return cast("BlockCreateRfqResult", self._call("block/rfqs/cancel_rfq", {"blockRfqId": block_rfq_id, "accountId": account_id}))

    def cancel_trigger(
        self,
        *,
        block_rfq_id: str,  # Id of the Block RFQ; takers and makers know it by different ids
        side: Optional[Literal["buy", "sell"]] = None,  # Side of the accept; both when absent
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockCreateRfqResult:
        """Cancel a waiting accept; the RFQ stays open."""
        return cast("BlockCreateRfqResult", self._call("block/rfqs/cancel_trigger", {"blockRfqId": block_rfq_id, "side": side, "accountId": account_id}))

    def create_quote(
        self,
        *,
        block_rfq_id: str,  # Id of the Block RFQ; takers and makers know it by different ids
        legs: Sequence[BlockCreateQuoteLegs],  # The legs of the RFQ in their order, with the same sides, and prices
        quantity: Number,  # Size, in the unit of the RFQ
        side: Literal["buy", "sell"],  # The maker's side: buy bids for the structure as listed, sell offers it
        label: Optional[str] = None,  # Label of the maker, at most 64 characters
        execution_instruction: Optional[Literal["any_part_of", "all_or_none"]] = None,  # any_part_of (default): may be filled in part; all_or_none: the whole quantity of the RFQ
        hedge: Optional[BlockCreateRfqHedge] = None,  # One leg with a fixed price that hedges the others; set by the taker, repeated by quotes
        price: Optional[Number] = None,  # Of the whole structure, for future spreads; otherwise derived from the legs
        expires_at: Optional[int] = None,  # Expiry of the quote, Unix milliseconds; that of the RFQ if absent
        mmp_group: Optional[str] = None,  # MMP group the quote counts towards
        idempotency_key: Optional[str] = None,  # Executes the request once; a repetition gets the first answer
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockCreateQuoteResult:
        """Quote on a Block RFQ."""
        return cast("BlockCreateQuoteResult", self._call("block/rfqs/create_quote", {"blockRfqId": block_rfq_id, "label": label, "executionInstruction": execution_instruction, "legs": legs, "hedge": hedge, "quantity": quantity, "price": price, "expiresAt": expires_at, "mmpGroup": mmp_group, "side": side, "idempotencyKey": idempotency_key, "accountId": account_id}))

    def edit_quote(
        self,
        *,
        legs: Sequence[BlockCreateQuoteLegs],  # The legs of the RFQ in their order, with the same sides, and prices
        quantity: Number,  # Size, in the unit of the RFQ
        block_rfq_id: Optional[str] = None,  # Id of the Block RFQ; takers and makers know it by different ids
        label: Optional[str] = None,  # Label of the quote; needs blockRfqId
        quote_id: Optional[str] = None,  # Id of the quote
        execution_instruction: Optional[Literal["any_part_of", "all_or_none"]] = None,  # any_part_of (default): may be filled in part; all_or_none: the whole quantity of the RFQ
        hedge: Optional[BlockCreateRfqHedge] = None,  # One leg with a fixed price that hedges the others; set by the taker, repeated by quotes
        price: Optional[Number] = None,  # Of the whole structure, for future spreads; otherwise derived from the legs
        expires_at: Optional[int] = None,  # Expiry of the quote, Unix milliseconds; that of the RFQ if absent
        mmp_group: Optional[str] = None,  # MMP group the quote counts towards
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockCreateQuoteResult:
        """Edit an open quote, identified by quoteId, or by blockRfqId and label."""
        return cast("BlockCreateQuoteResult", self._call("block/rfqs/edit_quote", {"blockRfqId": block_rfq_id, "label": label, "quoteId": quote_id, "executionInstruction": execution_instruction, "legs": legs, "hedge": hedge, "quantity": quantity, "price": price, "expiresAt": expires_at, "mmpGroup": mmp_group, "accountId": account_id}))

    def cancel_quote(
        self,
        *,
        block_rfq_id: Optional[str] = None,  # Id of the Block RFQ; takers and makers know it by different ids
        label: Optional[str] = None,  # Label of the quotes
        quote_id: Optional[str] = None,  # Id of the quote
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Union[BlockCreateQuoteResult, BlockCancelQuoteResult]:
        """Cancel one quote, identified by quoteId, or by blockRfqId and label; with less, every own open quote that matches."""
        return cast("Union[BlockCreateQuoteResult, BlockCancelQuoteResult]", self._call("block/rfqs/cancel_quote", {"blockRfqId": block_rfq_id, "label": label, "quoteId": quote_id, "accountId": account_id}))

    def cancel_all_quotes(
        self,
        *,
        block_rfq_id: Optional[str] = None,  # Id of the Block RFQ; takers and makers know it by different ids
        mmp_group: Optional[str] = None,  # MMP group
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> int:
        """Cancel every own quote, or those on one RFQ or of one group."""
        return cast("int", self._call("block/rfqs/cancel_all_quotes", {"blockRfqId": block_rfq_id, "mmpGroup": mmp_group, "accountId": account_id}))

    def get_quotes(
        self,
        *,
        block_rfq_id: Optional[str] = None,  # Id of the Block RFQ; takers and makers know it by different ids
        label: Optional[str] = None,  # Label of the quotes
        quote_id: Optional[str] = None,  # Id of the quote
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockGetQuotesResult:
        """Own open quotes; conditions combine, and with quoteId the quote in any state."""
        return cast("BlockGetQuotesResult", self._call("block/rfqs/get_quotes", {"blockRfqId": block_rfq_id, "label": label, "quoteId": quote_id, "accountId": account_id}))

    def get_rfqs(
        self,
        *,
        continuation: Optional[Id] = None,  # From an earlier answer: continues below it
        count: Optional[int] = None,  # How many (default 20, at most 1000)
        role: Optional[Literal["any", "taker", "maker"]] = None,  # Own role in the RFQs (default any)
        status: Optional[Literal["created", "open", "filled", "traded", "cancelled", "expired", "closed", "failed"]] = None,  # State of the RFQs; closed covers every terminal state
        currency: Optional[str] = None,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        block_rfq_id: Optional[str] = None,  # Id of the Block RFQ; takers and makers know it by different ids
        label: Optional[str] = None,  # Label of own RFQs
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockGetRfqsResult:
        """Block RFQs the account created or received, newest first."""
        return cast("BlockGetRfqsResult", self._call("block/rfqs/get_rfqs", {"continuation": continuation, "count": count, "role": role, "status": status, "currency": currency, "blockRfqId": block_rfq_id, "label": label, "accountId": account_id}))

    def get_trades(
        self,
        *,
        block_rfq_id: Optional[str] = None,  # Id of the Block RFQ; takers and makers know it by different ids
        currency: Optional[str] = None,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        count: Optional[int] = None,  # How many (default 20, at most 1000)
        continuation: Optional[Id] = None,  # From an earlier answer: continues below it
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockGetTradesResult:
        """Own block trades from Block RFQs, newest first."""
        return cast("BlockGetTradesResult", self._call("block/rfqs/get_trades", {"blockRfqId": block_rfq_id, "currency": currency, "count": count, "continuation": continuation, "accountId": account_id}))

    def get_makers(
        self,
        *,
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockGetMakersResult:
        """Makers that can be addressed."""
        return cast("BlockGetMakersResult", self._call("block/rfqs/get_makers", {"accountId": account_id}))

    def get_user_info(
        self,
        *,
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockGetUserInfoResult:
        """Whether the account is a maker, and under which alias."""
        return cast("BlockGetUserInfoResult", self._call("block/rfqs/get_user_info", {"accountId": account_id}))

    def get_instruments(
        self,
        *,
        currency: str,  # Settlement currency (for spot, the quote currency): BTC, ETH, USDC, USDT, EURR, or any for all
        kind: Optional[Literal["future", "option", "spot", "future_combo", "option_combo", "combo", "any"]] = None,  # Kind of the instruments; all when absent. future includes perpetuals
        expired: Optional[bool] = None,  # true: recently expired ones
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockGetInstrumentsResult:
        """Instruments eligible for Block RFQs, or those that recently expired."""
        return cast("BlockGetInstrumentsResult", self._call("block/rfqs/get_instruments", {"currency": currency, "kind": kind, "expired": expired, "accountId": account_id}))

    def set_mmp_config(
        self,
        *,
        index_name: Literal["btc_usd", "eth_usd", "btc_usdc", "eth_usdc", "ada_usdc", "algo_usdc", "avax_usdc", "bch_usdc", "bnb_usdc", "doge_usdc", "dot_usdc", "hype_usdc", "link_usdc", "ltc_usdc", "near_usdc", "paxg_usdc", "shib_usdc", "sol_usdc", "ton_usdc", "trx_usdc", "trump_usdc", "uni_usdc", "xrp_usdc", "usde_usdc", "buidl_usdc", "btcdvol_usdc", "ethdvol_usdc", "btc_usdt", "eth_usdt", "all"],  # Index; all is for Block RFQs
        interval: int,  # Length of a window in seconds; 0 removes the protection
        frozen_time: int,  # Seconds a freeze lasts; 0: until it is reset
        mmp_group: Optional[str] = None,  # Named group; the unnamed one when absent. A name belongs to one index
        quantity_limit: Optional[Number] = None,  # Gross size in coins; above 0, at most 4 decimals
        delta_limit: Optional[Number] = None,  # Absolute net delta in coins; above 0, at most 4 decimals
        vega_limit: Optional[Number] = None,  # Net vega in USD; above 0, at most 4 decimals
        block_rfq: Optional[bool] = None,  # true: Block RFQ quotes; false: orders with mmp (default false)
        trade_count_limit: Optional[int] = None,  # Block RFQ trades over all indexes; with blockRfq true and indexName all
        max_quote_quantity: Optional[Number] = None,  # Open orders with mmp on one side of one instrument, in coins (ours; absent: any); above 0, at most 4 decimals
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> BlockSetMmpConfigResult:
        """Configure market-maker protection; resets counters and ends a freeze."""
        return cast("BlockSetMmpConfigResult", self._call("block/rfqs/set_mmp_config", {"indexName": index_name, "interval": interval, "frozenTime": frozen_time, "mmpGroup": mmp_group, "quantityLimit": quantity_limit, "deltaLimit": delta_limit, "vegaLimit": vega_limit, "blockRfq": block_rfq, "tradeCountLimit": trade_count_limit, "maxQuoteQuantity": max_quote_quantity, "accountId": account_id}))


class PrivateSession(Private):
    """Order methods of an account, and those of a connection."""

    def subscribe(
        self,
        *,
        channels: Sequence[str],  # Channel names
        label: Optional[str] = None,  # Echoed in each notification, at most 16 characters
        after: Optional[Id] = None,  # user.orders, user.trades, user.changes: replay first what followed the notification with this sequence; 0 to get the current sequence
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[str]:
        """Subscribe to channels, including those of an account."""
        return cast("List[str]", self._call("private/subscribe", {"channels": channels, "label": label, "after": after, "accountId": account_id}))

    def unsubscribe(
        self,
        *,
        channels: Sequence[str],  # Channel names
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> List[str]:
        """Unsubscribe from channels."""
        return cast("List[str]", self._call("private/unsubscribe", {"channels": channels, "accountId": account_id}))

    def unsubscribe_all(
        self,
        *,
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Literal["ok"]:
        """Unsubscribe from all channels."""
        return cast("Literal['ok']", self._call("private/unsubscribe_all", {"accountId": account_id}))

    def enable_cancel_on_disconnect(
        self,
        *,
        scope: Optional[Literal["connection", "account"]] = None,  # connection (default): this connection; account: this and every later connection of the account
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Literal["ok"]:
        """Cancel the orders made over a connection when it closes."""
        return cast("Literal['ok']", self._call("private/enable_cancel_on_disconnect", {"scope": scope, "accountId": account_id}))

    def disable_cancel_on_disconnect(
        self,
        *,
        scope: Optional[Literal["connection", "account"]] = None,  # connection (default): this connection; account: this and every later connection of the account
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> Literal["ok"]:
        """Keep the orders when a connection closes."""
        return cast("Literal['ok']", self._call("private/disable_cancel_on_disconnect", {"scope": scope, "accountId": account_id}))

    def get_cancel_on_disconnect(
        self,
        *,
        scope: Optional[Literal["connection", "account"]] = None,  # connection (default): this connection; account: this and every later connection of the account
        account_id: Optional[Id] = None,  # Account of the key; its first one when absent
    ) -> PrivateGetCancelOnDisconnectResult:
        """Whether orders are cancelled when the connection closes."""
        return cast("PrivateGetCancelOnDisconnectResult", self._call("private/get_cancel_on_disconnect", {"scope": scope, "accountId": account_id}))


class PublicSession(Public):
    """Markets, the session, and the methods of a connection."""

    def set_heartbeat(
        self,
        *,
        interval: int,  # Seconds
    ) -> Literal["ok"]:
        """Turns heartbeats on; test requests must be answered with public/test."""
        return cast("Literal['ok']", self._call("public/set_heartbeat", {"interval": interval}))

    def disable_heartbeat(self) -> Literal["ok"]:
        """Turns heartbeats off."""
        return cast("Literal['ok']", self._call("public/disable_heartbeat", {}))

    def subscribe(
        self,
        *,
        channels: Sequence[str],  # Channel names
        label: Optional[str] = None,  # Echoed in each notification, at most 16 characters
    ) -> List[str]:
        """Subscribe to public channels."""
        return cast("List[str]", self._call("public/subscribe", {"channels": channels, "label": label}))

    def unsubscribe(
        self,
        *,
        channels: Sequence[str],  # Channel names
    ) -> List[str]:
        """Unsubscribe from channels."""
        return cast("List[str]", self._call("public/unsubscribe", {"channels": channels}))

    def unsubscribe_all(self) -> Literal["ok"]:
        """Unsubscribe from all channels."""
        return cast("Literal['ok']", self._call("public/unsubscribe_all", {}))


# ---- end of generated ----

# ---- WebSocket, RFC 6455 ----

_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
_NORMAL, _PROTOCOL, _UNSUPPORTED, _NO_CODE, _ABNORMAL, _NOT_TEXT, _TOO_BIG = 1000, 1002, 1003, 1005, 1006, 1007, 1009
_ACCEPT_SALT = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_HEAD_BYTES_MAX = 16_384
_READ_BYTES = 65_536


def _may_be_closed_with(code: int) -> bool:
    return 1000 <= code <= 1014 and code not in (1004, 1005, 1006) or 3000 <= code <= 4999


class WebSocket:
    """A client's end of a WebSocket that carries text. One thread may receive while others send.

    `max_bytes` bounds a message, `timeout` (seconds) the handshake and every send.
    """

    def __init__(
        self,
        url: str,
        headers: Optional[Mapping[str, str]] = None,
        *,
        timeout: float = 15.0,
        max_bytes: int = 16_777_216,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._timeout, self._max_bytes = timeout, max_bytes
        self._buffer = bytearray()
        self._parts: List[bytes] = []
        self._is_text_open = False
        self._ended: Optional[Closed] = None
        self._sending = threading.Lock()
        at = urllib.parse.urlsplit(url)
        is_secure = at.scheme in ("wss", "https")
        host, port = at.hostname or "", at.port or (443 if is_secure else 80)
        deadline = time.monotonic() + timeout
        try:
            plain = socket.create_connection((host, port), timeout)
        except OSError as error:
            raise Unreachable(f"{host}:{port}: {error}") from error
        self._socket: socket.socket = plain
        try:
            if is_secure:
                self._socket = (context or ssl.create_default_context()).wrap_socket(plain, server_hostname=host)
            target = (at.path or "/") + (f"?{at.query}" if at.query else "")
            self._shake_hands(target, at.netloc.rpartition("@")[2], headers or {}, deadline)
        except OSError as error:
            self._socket.close()
            raise Unreachable(f"{host}:{port}: {error}") from error
        except TwapdError:
            self._socket.close()
            raise

    def _shake_hands(self, target: str, host: str, headers: Mapping[str, str], deadline: float) -> None:
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {target} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        if any("\r" in line or "\n" in line for line in lines):
            raise ValueError("a header of the handshake has a line break; accepted: one line each")
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > _HEAD_BYTES_MAX:
                raise BrokenProtocol(_PROTOCOL, f"the answer to the handshake has no end within {_HEAD_BYTES_MAX} bytes")
            if not self._read_more(deadline):
                raise Unreachable("the handshake was not answered in time")
        head, _, rest = bytes(self._buffer).partition(b"\r\n\r\n")
        self._buffer = bytearray(rest)
        first, *others = head.decode("latin-1").split("\r\n")
        found = re.match(r"HTTP/1\.1 (\d{3})(?: |$)", first)
        if found is None:
            raise BrokenProtocol(_PROTOCOL, "the handshake was not answered with HTTP/1.1")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in others)}
        status = int(found[1])
        if status != 101:
            raise self._refusal(status, first, fields, deadline)
        expected = base64.b64encode(hashlib.sha1((key + _ACCEPT_SALT).encode()).digest()).decode()
        if fields.get("sec-websocket-accept") != expected or fields.get("upgrade", "").lower() != "websocket":
            raise BrokenProtocol(_PROTOCOL, "the handshake was answered for another key or protocol")
        if "sec-websocket-extensions" in fields:
            raise BrokenProtocol(_PROTOCOL, "the server chose an extension that was not offered")

    def _refusal(self, status: int, first: str, fields: Mapping[str, str], deadline: float) -> Refused:
        """A refused upgrade carries the envelope of the REST operations."""
        length = min(int(fields["content-length"]) if fields.get("content-length", "").isdigit() else 0, _READ_BYTES)
        try:
            while len(self._buffer) < length and self._read_more(deadline):
                pass
        except (Closed, OSError):
            pass
        return _refused(status, bytes(self._buffer[:length]), _seconds(fields.get("retry-after"))) or Refused(
            status, 0, first, (), _seconds(fields.get("retry-after"))
        )

    def send(self, text: str) -> None:
        """Sends one message; raises `Closed` if the connection has ended or takes no bytes within the timeout."""
        self._send_frame(_TEXT, text.encode())

    def receive(self, timeout: Optional[float] = None) -> Optional[str]:
        """The next message, or None if none came within `timeout` seconds; raises `Closed` at the end.

        Pings are answered while receiving. A message that is half received at the timeout is kept for the next call.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._ended is not None:
                raise self._ended
            frame = self._take_frame()
            if frame is None:
                try:
                    if not self._read_more(deadline):
                        return None
                except OSError as error:
                    raise self._end(Closed(_ABNORMAL, str(error))) from error
                continue
            message = self._obey(*frame)
            if message is not None:
                return message

    def close(self, code: int = _NORMAL, reason: str = "") -> None:
        """Says goodbye and closes the socket, without waiting for the answer."""
        if self._ended is None:
            self._say_goodbye(code, reason)
            self._end(Closed(code, reason))

    def __enter__(self) -> WebSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_more(self, deadline: Optional[float]) -> bool:
        """False at the deadline."""
        remaining = None if deadline is None else deadline - time.monotonic()
        if remaining is not None and remaining <= 0:
            return False
        self._socket.settimeout(remaining)
        try:
            data = self._socket.recv(_READ_BYTES)
        except socket.timeout:
            return False
        if not data:
            raise self._end(Closed(_ABNORMAL, "the connection ended without a close frame"))
        self._buffer += data
        return True

    def _take_frame(self) -> Optional[Tuple[int, bool, bytes]]:
        """Opcode, whether it is final, payload; None while it is incomplete."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        opcode, is_final = buffer[0] & 0x0F, bool(buffer[0] & 0x80)
        length, start = buffer[1] & 0x7F, 2
        if buffer[0] & 0x70:
            raise self._broken(_PROTOCOL, "a frame has reserved bits set")
        if buffer[1] & 0x80:
            raise self._broken(_PROTOCOL, "a frame of the server is masked")
        if opcode not in (_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG):
            raise self._broken(_PROTOCOL, f"a frame has the unknown opcode {opcode}")
        if opcode >= _CLOSE and (length > 125 or not is_final):
            raise self._broken(_PROTOCOL, "a control frame is fragmented or longer than 125 bytes")
        if length >= 126:
            size, least = ("!H", 126) if length == 126 else ("!Q", 65_536)
            start += struct.calcsize(size)
            if len(buffer) < start:
                return None
            length = struct.unpack_from(size, buffer, 2)[0]
            if length < least:
                raise self._broken(_PROTOCOL, "the length of a frame is not in its shortest form")
        if opcode < _CLOSE and length + sum(map(len, self._parts)) > self._max_bytes:
            raise self._broken(_TOO_BIG, f"a message is longer than {self._max_bytes} bytes")
        if len(buffer) < start + length:
            return None
        payload = bytes(buffer[start : start + length])
        del buffer[: start + length]
        return opcode, is_final, payload

    def _obey(self, opcode: int, is_final: bool, payload: bytes) -> Optional[str]:
        if opcode == _PING:
            self._send_frame(_PONG, payload)
            return None
        if opcode == _PONG:
            return None
        if opcode == _CLOSE:
            raise self._closed_by_server(payload)
        if opcode == _BINARY:
            raise self._broken(_UNSUPPORTED, "a message is binary; accepted: text")
        if self._is_text_open != (opcode == _CONTINUATION):
            raise self._broken(_PROTOCOL, "a continuation without a beginning, or a message within another")
        self._parts.append(payload)
        self._is_text_open = not is_final
        if not is_final:
            return None
        whole, self._parts = b"".join(self._parts), []
        try:
            return whole.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._broken(_NOT_TEXT, "a message is not UTF-8") from error

    def _closed_by_server(self, payload: bytes) -> Closed:
        if not payload:
            self._say_goodbye(_NORMAL, "")
            return self._end(Closed(_NO_CODE, ""))
        if len(payload) == 1:
            return self._broken(_PROTOCOL, "a close frame has half a code")
        code = struct.unpack_from("!H", payload)[0]
        if not _may_be_closed_with(code):
            return self._broken(_PROTOCOL, f"a close frame has the code {code}")
        try:
            reason = payload[2:].decode("utf-8")
        except UnicodeDecodeError:
            return self._broken(_NOT_TEXT, "the reason of a close frame is not UTF-8")
        self._say_goodbye(code, "")
        return self._end(Closed(code, reason))

    def _broken(self, code: int, what: str) -> Closed:
        self._say_goodbye(code, what)
        return self._end(BrokenProtocol(code, what))

    def _say_goodbye(self, code: int, reason: str) -> None:
        text = reason.encode()[:123].decode("utf-8", "ignore").encode()
        try:
            self._send_frame(_CLOSE, struct.pack("!H", code) + text)
        except Closed:
            pass

    def _end(self, why: Closed) -> Closed:
        if self._ended is None:
            self._ended = why
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            self._socket.close()
        return self._ended

    def _send_frame(self, opcode: int, payload: bytes) -> None:
        if self._ended is not None:
            raise self._ended
        mask, size = os.urandom(4), len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
        elif size < 65_536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
        pad = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(pad, "big")).to_bytes(size, "big")
        try:
            with self._sending:
                self._socket.settimeout(self._timeout)
                self._socket.sendall(head + mask + masked)
        except OSError as error:
            raise self._end(Closed(_ABNORMAL, f"nothing could be sent: {error}")) from error


# ---- HTTP ----


def _seconds(header: Optional[str]) -> Optional[float]:
    return float(header) if header is not None and re.fullmatch(r"\d{1,9}", header) else None


def _refused(status: int, body: bytes, retry_after: Optional[float]) -> Optional[Refused]:
    """The refusal in an answer of a REST operation or an order method; None if it is none."""
    try:
        answer = _parsed(body.decode())
    except ValueError:
        return None
    if not isinstance(answer, dict):
        return None
    error = answer.get("error")
    if isinstance(error, dict):
        return _method_refusal(status, error, retry_after)
    if answer.get("succ") is not False:
        return None
    errors = [Fault(one["field"], one["code"], one["message"]) for one in answer.get("errors", [])]
    return Refused(status, answer.get("code", 0), answer.get("message", ""), errors, retry_after)


def _method_refusal(status: int, error: Mapping[str, Any], retry_after: Optional[float] = None) -> Refused:
    data = error.get("data") or {}
    code, message = error.get("code", 0), error.get("message", "")
    after = data.get("retryAfterSec", retry_after)
    faults = [Fault(data.get("param", ""), code, data.get("reason", message))]
    return Refused(status, code, message, faults, None if after is None else float(after))


@dataclass(frozen=True)
class ClockOffset:
    """How far the daemon's clock is ahead of this machine's, and how far off that figure may be, in milliseconds."""

    offset_ms: int
    uncertainty_ms: int


class Client:
    """All operations of a daemon: `portfolios`, `trading`, and the order methods `private`, `public`, `block`.

    `timeout` and `patience` are in seconds. A request that is refused for now, with Retry-After, is repeated while
    that is possible within the patience; one without an answer never is. `bind_request` is for keys that sign method, address and
    body as well. An instance may be used by several threads.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        key: str,
        secret: str,
        bind_request: bool = False,
        timeout: float = 15.0,
        patience: float = 0.0,
        context: Optional[ssl.SSLContext] = None,
        answer_bytes_max: int = 67_108_864,
    ) -> None:
        at = urllib.parse.urlsplit(url)
        if at.scheme not in ("http", "https") or not at.hostname or at.query or at.path.strip("/"):
            raise ValueError(f"url is {url!r}; accepted: http://HOST:PORT or https://HOST:PORT")
        self.url = url.rstrip("/")
        self._at, self._key, self._secret, self._binds = at, key, secret, bind_request
        self._timeout, self._patience, self._context = timeout, patience, context
        self._bytes_max = answer_bytes_max
        self._ahead_ms = 0
        self._once: Optional[str] = None
        self._group()

    def _group(self) -> None:
        self.portfolios = Portfolios(self._operation)
        self.trading = Trading(self._operation)
        self.private, self.public, self.block = Private(self._method), Public(self._method), Block(self._method)

    def once(self, idempotency_key: str) -> Client:
        """The same client, whose requests carry the key: a repeated one returns the first one's answer.

        `client.once("2026-11-24/btc").portfolios.submit(...)`. For submits and the order methods that change orders.
        """
        view = object.__new__(type(self))
        view.__dict__.update(self.__dict__)
        view._once = idempotency_key
        view._group()
        return view

    # Health and documents, unsigned.

    def is_alive(self) -> bool:
        """Whether the process answers."""
        return self._exchange("GET", "/healthz", None, {})[0] == 200

    def readiness(self) -> Tuple[bool, List[str]]:
        """Whether the daemon trades, and the reasons if it does not."""
        answer = _parsed(self._exchange("GET", "/readyz", None, {})[1].decode())
        return bool(answer["ready"]), list(answer["reasons"])

    def metrics(self) -> str:
        """Metrics in the text form of Prometheus."""
        return self._exchange("GET", "/metrics", None, {})[1].decode()

    def document(self, name: Literal["openapi", "asyncapi"] = "openapi") -> Dict[str, Any]:
        """The machine-readable description of the interface."""
        return cast(Dict[str, Any], _parsed(self._exchange("GET", f"/{name}.json", None, {})[1].decode()))

    def report_page(self, portfolio_id: Id) -> str:
        """The report on a portfolio as a self-contained HTML page."""
        query = urllib.parse.urlencode({"portfolioId": portfolio_id, "format": "html"})
        status, body, retry_after = self._signed("GET", f"{PORTFOLIO_PATH}/report?{query}", None)
        refusal = _refused(status, body, retry_after)
        if refusal is not None:
            raise refusal
        return body.decode()

    # The clock.

    def clock_offset(self) -> ClockOffset:
        """Compares clocks with an unsigned request; signatures are refused beyond 15 seconds."""
        asked, began = time.time(), time.monotonic()
        theirs = int(self.public.get_time())
        took_ms = (time.monotonic() - began) * 1000
        return ClockOffset(round(theirs - asked * 1000 - took_ms / 2), int(took_ms / 2) + 1)

    def correct_clock(self) -> ClockOffset:
        """Signs with the daemon's clock from now on."""
        found = self.clock_offset()
        self._ahead_ms = found.offset_ms
        return found

    # Streams.

    def news(self, *, after: Optional[str] = None, portfolio_id: Optional[Id] = None, account_id: Optional[Id] = None) -> NewsStream:
        """News of the key's portfolios, from now on or from after the sequence that was processed last."""
        return NewsStream(self, after, portfolio_id, account_id)

    def open_orders(self, account_id: Id) -> OpenOrdersStream:
        """All open orders of an account, now and after every change."""
        return OpenOrdersStream(self, account_id)

    def socket(self) -> MethodSocket:
        """The order methods and their channels over one connection."""
        return MethodSocket(self)

    def deribit(self, account_id: Optional[Id] = None) -> DeribitSocket:
        """Deribit's wire on the paper exchange, for the key's first account or the given one."""
        client_id = self._key if account_id is None else f"{self._key}/{account_id}"
        return DeribitSocket(self.url, client_id, self._secret, timeout=self._timeout, context=self._context)

    def _method_socket(self) -> WebSocket:
        path = "/ws/api"
        url = re.sub("^http", "ws", self.url) + path
        return WebSocket(url, self._stamp("GET", path, b""), timeout=self._timeout, context=self._context)

    def _portfolio_socket(self) -> WebSocket:
        """Its credentials are in the query; a bound signature covers the path alone."""
        path = "/ws/portfolio"
        stamp = self._stamp("GET", path, b"")
        query = urllib.parse.urlencode(
            {
                "apiKey": self._key,
                "timestamp": stamp["Service-API-Timestamp"],
                "nonce": stamp["Service-API-Nonce"],
                "signature": stamp["Service-API-Signature"],
            }
        )
        url = f"{re.sub('^http', 'ws', self.url)}{path}?{query}"
        return WebSocket(url, timeout=self._timeout, context=self._context)

    # Requests.

    def _stamp(self, method: str, target: str, body: bytes) -> Dict[str, str]:
        timestamp, nonce = str(int(time.time() * 1000) + self._ahead_ms), str(uuid.uuid4())
        bound = (method, target, body) if self._binds else None
        return {
            "Authorization": f"Bearer {self._key}",
            "Service-API-Timestamp": timestamp,
            "Service-API-Nonce": nonce,
            "Service-API-Signature": signature(self._secret, timestamp, nonce, bound),
        }

    def _operation(self, name: str, params: Mapping[str, Any]) -> Any:
        """`name` is the verb and the path of a REST operation."""
        verb, path = name.split(" ")
        body: Optional[bytes] = None
        if verb == "GET":
            given = {field: value for field, value in params.items() if value is not None}
            for field, value in given.items():
                if isinstance(value, bool):
                    given[field] = str(value).lower()
            path += f"?{urllib.parse.urlencode(given, doseq=True)}" if given else ""
        else:
            body = _json_text(params, True).encode()
        status, text, _ = self._patiently(verb, path, body)
        answer = self._answer(status, text)
        if "value" not in answer:
            raise OutcomeUnknown(f"HTTP {status} without the envelope")
        return decimals(answer["value"])

    def _method(self, name: str, params: Mapping[str, Any]) -> Any:
        status, text, _ = self._patiently("POST", f"/api/{name}", _json_text(params, True).encode(), name.startswith("public/"))
        answer = self._answer(status, text)
        if "result" not in answer:
            raise OutcomeUnknown(f"HTTP {status} without a result")
        return decimals(answer["result"])

    def _answer(self, status: int, text: bytes) -> Dict[str, Any]:
        try:
            answer = _parsed(text.decode())
        except ValueError as error:
            raise OutcomeUnknown(f"HTTP {status} without JSON") from error
        if not isinstance(answer, dict):
            raise OutcomeUnknown(f"HTTP {status} without an object")
        return answer

    def _patiently(self, verb: str, target: str, body: Optional[bytes], is_public: bool = False) -> Tuple[int, bytes, Optional[float]]:
        deadline = time.monotonic() + self._patience
        while True:
            headers = {"Content-Type": "application/json"} if body is not None else {}
            if is_public:
                answer = self._exchange(verb, target, body, headers)
            else:
                answer = self._signed(verb, target, body)
            refusal = _refused(*answer)
            if refusal is None:
                return answer
            if refusal.code == OUTCOME_UNKNOWN_CODE:
                raise OutcomeUnknown(str(refusal))
            if refusal.retry_after is None or time.monotonic() + refusal.retry_after > deadline:
                raise refusal
            time.sleep(refusal.retry_after)

    def _signed(self, verb: str, target: str, body: Optional[bytes]) -> Tuple[int, bytes, Optional[float]]:
        headers = self._stamp(verb, target, body or b"")
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self._once is not None:
            headers["Idempotency-Key"] = self._once
        return self._exchange(verb, target, body, headers)

    def _exchange(self, verb: str, target: str, body: Optional[bytes], headers: Mapping[str, str]) -> Tuple[int, bytes, Optional[float]]:
        """Status, body and Retry-After. A connection for each request: a kept one may end just as it is used."""
        host, port = self._at.hostname or "", self._at.port
        line: http.client.HTTPConnection
        if self._at.scheme == "https":
            line = http.client.HTTPSConnection(host, port, timeout=self._timeout, context=self._context)
        else:
            line = http.client.HTTPConnection(host, port, timeout=self._timeout)
        try:
            try:
                line.connect()
            except OSError as error:
                raise Unreachable(f"{self.url}: {error}") from error
            try:
                line.request(verb, target, body, dict(headers))
                answer = line.getresponse()
                text = answer.read(self._bytes_max + 1)
            except (OSError, http.client.HTTPException) as error:
                raise OutcomeUnknown(f"{self.url}: {error or type(error).__name__}") from error
            if len(text) > self._bytes_max:
                raise OutcomeUnknown(f"{self.url}: an answer is longer than {self._bytes_max} bytes")
            return answer.status, text, _seconds(answer.getheader("Retry-After"))
        finally:
            line.close()


# ---- the portfolio WebSocket ----


@dataclass(frozen=True)
class Listening:
    """Nothing is missed from now on: the moment to read the current state, unless the stream resumes."""

    sequence: Optional[str]


@dataclass(frozen=True)
class Resync:
    """Messages up to `sequence` may be missing: read the current state once."""

    sequence: str
    reason: str


@dataclass(frozen=True)
class Disconnected:
    """The connection ended; the next is attempted after `retry_in` seconds."""

    code: int
    reason: str
    retry_in: float


@dataclass(frozen=True)
class News:
    """What happened to a portfolio."""

    sequence: str
    timestamp: int
    type: str
    """For example PORTFOLIO_PART_FILLED; ignore those you do not know."""
    portfolio_id: str
    account_id: str
    status: int
    """1 pending or active, 2 filled, 3 cancelled, 4 cancelling."""
    version: int
    reason: Optional[str]
    detail: Dict[str, Any]
    portfolio: PortfolioRecord
    """The record of `portfolios.info` after it."""


@dataclass(frozen=True)
class OpenOrders:
    """The open orders of an account, newest first, and those that changed since the previous item."""

    timestamp: int
    account_id: str
    orders: List[Order]
    changed: List[Order]


_PAUSE_MIN, _PAUSE_MAX = 0.2, 10.0
_BEAT_SECONDS = 30.0


class _Pauses:
    """Growing pauses between attempts, with a random part so that many clients do not return together."""

    def __init__(self) -> None:
        self._next = _PAUSE_MIN

    def reset(self) -> None:
        self._next = _PAUSE_MIN

    def take(self, at_least: Optional[float]) -> float:
        pause, self._next = self._next, min(self._next * 2, _PAUSE_MAX)
        return max(pause * random.uniform(0.5, 1.0), at_least or 0.0)


class _PortfolioStream:
    """A channel of /ws/portfolio that reconnects until it is closed or refused for good."""

    def __init__(self, client: Client, subscription: Mapping[str, Any]) -> None:
        self._client, self._subscription = client, subscription
        self._stopped = threading.Event()
        self._socket: Optional[WebSocket] = None
        self._pauses = _Pauses()

    def close(self) -> None:
        """Ends the iteration; may be called by another thread."""
        self._stopped.set()
        if self._socket is not None:
            self._socket.close()

    def _frames(self) -> Iterator[Union[Dict[str, Any], Disconnected]]:
        while not self._stopped.is_set():
            retry_after: Optional[float] = None
            try:
                yield from self._connection()
                return
            except Refused as refusal:
                if refusal.status not in (429, 503) and refusal.retry_after is None:
                    raise
                code, reason, retry_after = refusal.status, str(refusal), refusal.retry_after
            except Unreachable as error:
                code, reason = _ABNORMAL, str(error)
            except Closed as error:
                if self._stopped.is_set():
                    return
                code, reason = error.code, error.reason
            finally:
                if self._socket is not None:
                    self._socket.close()
            pause = self._pauses.take(retry_after)
            yield Disconnected(code, reason, pause)
            self._stopped.wait(pause)

    def _connection(self) -> Iterator[Dict[str, Any]]:
        web_socket = self._socket = self._client._portfolio_socket()
        web_socket.send(_json_text({"id": "news", "op": "subscribe", **self._subscription, **self._position()}, True))
        is_beating = False
        while not self._stopped.is_set():
            text = web_socket.receive(_BEAT_SECONDS)
            if text is None:
                if is_beating:
                    web_socket.close()
                    raise Closed(_ABNORMAL, f"silent for {2 * _BEAT_SECONDS:.0f} seconds")
                is_beating = True
                web_socket.send('{"id":"beat","op":"heartbeat"}')
                continue
            is_beating = False
            frame = _frame(web_socket, text)
            if frame.get("op") == "subscribe":
                self._check(web_socket, frame)
                self._pauses.reset()
            if frame.get("op") != "heartbeat":
                yield frame

    def _position(self) -> Dict[str, Any]:
        return {}

    def _check(self, web_socket: WebSocket, frame: Mapping[str, Any]) -> None:
        if frame.get("code") != 0:
            raise Refused(200, int(frame.get("code", 0)), str(frame.get("message", "")))
        told = (frame.get("data") or [{}])[0]
        if not told.get("success"):
            web_socket.close()
            raise Closed(1013, str(told.get("errorMsg")))


def _frame(web_socket: WebSocket, text: str) -> Dict[str, Any]:
    try:
        frame = _parsed(text)
    except ValueError:
        frame = None
    if not isinstance(frame, dict):
        raise web_socket._broken(_NOT_TEXT, "a message is not a JSON object")
    return frame


class NewsStream(_PortfolioStream):
    """Iterates over `News`, `Listening`, `Resync` and `Disconnected`; `sequence` is the last one passed on."""

    def __init__(self, client: Client, after: Optional[str], portfolio_id: Optional[Id], account_id: Optional[Id]) -> None:
        super().__init__(client, {"data": [{"channel": "trade-news"}], "accountId": account_id})
        self.sequence = after
        self._portfolio = None if portfolio_id is None else str(portfolio_id)

    def __enter__(self) -> NewsStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _position(self) -> Dict[str, Any]:
        return {} if self.sequence is None else {"after": self.sequence}

    def __iter__(self) -> Iterator[Union[News, Listening, Resync, Disconnected]]:
        for frame in self._frames():
            if isinstance(frame, Disconnected):
                yield frame
            elif frame.get("op") == "subscribe":
                sequence = frame["data"][0].get("sequence")
                self.sequence = self.sequence or sequence
                yield Listening(sequence)
            elif frame.get("op") == "resync":
                self.sequence = frame["sequence"]
                yield Resync(frame["sequence"], frame["reason"])
            elif frame.get("op") == "push":
                self.sequence = frame["sequence"]
                data = decimals(frame["data"])
                if self._portfolio in (None, data["portfolioId"]):
                    yield _news(frame, data)


def _news(frame: Mapping[str, Any], data: Mapping[str, Any]) -> News:
    return News(
        sequence=frame["sequence"],
        timestamp=int(frame["timestamp"]),
        type=data["messageType"],
        portfolio_id=data["portfolioId"],
        account_id=data["accountId"],
        status=data["portfolioStatus"],
        version=data["version"],
        reason=data.get("reason"),
        detail=data.get("detail") or {},
        portfolio=data["portfolio"],
    )


class OpenOrdersStream(_PortfolioStream):
    """Iterates over `OpenOrders`, `Listening` and `Disconnected`."""

    def __init__(self, client: Client, account_id: Id) -> None:
        super().__init__(client, {"data": [{"channel": "order.change.any"}], "accountId": account_id})

    def __enter__(self) -> OpenOrdersStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Union[OpenOrders, Listening, Disconnected]]:
        for frame in self._frames():
            if isinstance(frame, Disconnected):
                yield frame
            elif frame.get("op") == "subscribe":
                yield Listening(None)
            elif frame.get("op") == "push":
                data = decimals(frame["data"])
                yield OpenOrders(int(frame["timestamp"]), data["accountId"], data["orders"], data.get("changed", []))


# ---- requests and channels over one connection ----


@dataclass(frozen=True)
class Notification:
    """A message of a channel. `kind` is subscription, or gap or resync: the channel may have missed something."""

    kind: str
    channel: str
    data: Any
    sequence: Optional[str] = None
    account_id: Optional[str] = None


_WAITING_MAX = 10_000
_S = TypeVar("_S", bound="_RpcSocket")


class _RpcSocket:
    """Requests with an id, and notifications between the answers. For one thread."""

    _id_field = "id"

    def __init__(self, web_socket: WebSocket, timeout: float) -> None:
        self._web_socket, self._timeout = web_socket, timeout
        self._waiting: Deque[Notification] = deque()
        self._count = 0

    def __enter__(self: _S) -> _S:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._web_socket.close()

    def call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Sends one request and returns its result; notifications that arrive before it wait for `notifications`."""
        self._count += 1
        self._web_socket.send(self._request(self._count, method, params))
        deadline = time.monotonic() + self._timeout
        try:
            while True:
                text = self._web_socket.receive(max(0.0, deadline - time.monotonic()))
                if text is None:
                    raise OutcomeUnknown(f"{method} was not answered within {self._timeout:g} seconds")
                frame = _frame(self._web_socket, text)
                if frame.get(self._id_field) == self._count and "method" not in frame:
                    return self._result(frame)
                self._keep(frame)
        except Closed as end:
            raise OutcomeUnknown(f"{method}: {end}") from end

    def notifications(self, timeout: Optional[float] = None) -> Iterator[Notification]:
        """Notifications as they come; ends when none came for `timeout` seconds, raises `Closed` with the connection."""
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            text = self._web_socket.receive(timeout)
            if text is None:
                return
            self._keep(_frame(self._web_socket, text))

    def _keep(self, frame: Mapping[str, Any]) -> None:
        method, params = frame.get("method"), frame.get("params") or {}
        if method == "heartbeat":
            if params.get("type") == "test_request":
                self._web_socket.send(self._request(0, "public/test", {}))
            return
        if "channel" not in params:
            return
        if len(self._waiting) >= _WAITING_MAX:
            self._web_socket.close()
            raise Closed(_ABNORMAL, f"{_WAITING_MAX} notifications wait to be taken")
        data = self._data(params.get("data"))
        self._waiting.append(Notification(str(method), params["channel"], data, params.get("sequence"), params.get("accountId")))

    def _request(self, number: int, method: str, params: Mapping[str, Any]) -> str:
        raise NotImplementedError

    def _data(self, data: Any) -> Any:
        return data

    def _result(self, frame: Mapping[str, Any]) -> Any:
        error = frame.get("error")
        if error is None:
            return self._data(frame.get("result"))
        refusal = _method_refusal(200, error)
        if refusal.code == OUTCOME_UNKNOWN_CODE:
            raise OutcomeUnknown(str(refusal))
        raise refusal


class MethodSocket(_RpcSocket):
    """The order methods over /ws/api: `private`, `public` and `block`, with subscriptions."""

    _id_field = "rid"

    def __init__(self, client: Client) -> None:
        super().__init__(client._method_socket(), client._timeout)
        self.private, self.public, self.block = PrivateSession(self.call), PublicSession(self.call), Block(self.call)

    def _request(self, number: int, method: str, params: Mapping[str, Any]) -> str:
        return _json_text({"rid": number, "method": method, "params": params}, True)

    def _data(self, data: Any) -> Any:
        return decimals(data)


class DeribitSocket(_RpcSocket):
    """Deribit's JSON-RPC over WebSocket. Numbers are int or Decimal in both directions, never float.

    `call("private/buy", {...})` is any method of that wire. With `client_id` it is logged in by signature: the secret is not sent.
    """

    def __init__(
        self,
        url: str,
        client_id: Optional[str] = None,
        secret: str = "",
        *,
        path: str = "/ws/api/v2",
        timeout: float = 15.0,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        address = re.sub("^http", "ws", url.rstrip("/")) + path
        super().__init__(WebSocket(address, timeout=timeout, context=context), timeout)
        self._address, self._client_id, self._secret, self._context = address, client_id, secret, context
        self._channels: List[str] = []
        self._log_in()

    def _log_in(self) -> None:
        if self._client_id is None:
            return
        timestamp, nonce = int(time.time() * 1000), uuid.uuid4().hex
        made = hmac.new(self._secret.encode(), f"{timestamp}\n{nonce}\n".encode(), hashlib.sha256).hexdigest()
        stamp = {"client_id": self._client_id, "timestamp": timestamp, "nonce": nonce, "data": "", "signature": made}
        self.call("public/auth", {"grant_type": "client_signature", **stamp})

    def subscribe(self, channels: Sequence[str]) -> List[str]:
        """Returns the channels that were granted; they are subscribed again by `reconnect`."""
        granted: List[str] = []
        for scope in ("private", "public"):
            wanted = [one for one in channels if one.startswith("user.") == (scope == "private")]
            if wanted:
                granted += self.call(f"{scope}/subscribe", {"channels": wanted})
        self._channels += [one for one in granted if one not in self._channels]
        return granted

    def unsubscribe(self, channels: Sequence[str]) -> None:
        for scope in ("private", "public"):
            wanted = [one for one in channels if one.startswith("user.") == (scope == "private")]
            if wanted:
                self.call(f"{scope}/unsubscribe", {"channels": wanted})
        self._channels = [one for one in self._channels if one not in channels]

    def reconnect(self) -> List[str]:
        """Connects, logs in and subscribes again; query orders and trades afterwards, as some may have been missed."""
        self._web_socket.close()
        self._waiting.clear()
        self._web_socket = WebSocket(self._address, timeout=self._timeout, context=self._context)
        self._log_in()
        return self.subscribe(list(self._channels)) if self._channels else []

    def _request(self, number: int, method: str, params: Mapping[str, Any]) -> str:
        return _json_text({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, False)


# ---- tables ----


def flat(record: Mapping[str, Any], before: str = "") -> Dict[str, Any]:
    """A record with nested objects as fields `outer.inner`; lists stay as they are."""
    row: Dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            row.update(flat(value, f"{before}{name}."))
        else:
            row[before + name] = value
    return row


def frame(records: Iterable[Mapping[str, Any]], *, floats: bool = False) -> Any:
    """A pandas DataFrame with a row for each record. Decimals are kept; with `floats` they become float64, for statistics only."""
    try:
        import pandas  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError as error:
        raise ImportError("frame() needs pandas, which is not installed; flat() gives plain rows") from error
    rows = [flat(one) for one in records]
    if floats:
        rows = [{name: float(one) if isinstance(one, Decimal) else one for name, one in row.items()} for row in rows]
    return pandas.DataFrame(rows)
