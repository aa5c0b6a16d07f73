// Block RFQs: the quotes on them as they arrive, against the mark, and trading; quoting on those of others; and asking makers
// for quotes on a structure.

import { useEffect } from 'preact/hooks';
import { atPlaces, grouped } from '../../../values/text/written-figures.ts';
import { areChannelsLive } from '../../link/channel-socket.ts';
import { askCancelQuote, askCancelRfq, askTrade, legText } from '../../model/desk/rfq-actions.ts';
import {
  followRfqs,
  isOpen,
  type Quote,
  quotesShown,
  type Rfq,
  type RfqLevel,
  rfqsShown,
  wholePrice,
} from '../../model/desk/rfqs.ts';
import { distanceFrom, structureMark } from '../../model/desk/structure-mark.ts';
import { bpsText, durationText, NOT_KNOWN, significant } from '../../model/formatting.ts';
import type { Ticker } from '../../model/instruments/option-chain.ts';
import { tickerFigure } from '../../model/instruments/ticker-figure.ts';
import { tickers, useTickers } from '../../model/instruments/tickers.ts';
import { current } from '../../model/panel-state.ts';
import { SideWord } from '../bars.tsx';
import { mayQuote } from '../operations/session-rights.ts';
import { type Column, Sheet, Time } from '../operations/sheet.tsx';
import { nowMs } from '../page-clock.ts';
import { None, PanelFreshness } from '../panel-freshness.tsx';
import { EditQuoteDialog, editedQuote, QuoteForm } from './quote-form.tsx';
import { RfqForm } from './rfq-form.tsx';

export function RfqScreen() {
  useEffect(() => followRfqs(), []);
  const shown = rfqsShown.value;
  const known = shown.kind === 'unread' ? [] : shown.value;
  const own = known.filter(({ role }) => role === 'taker');
  const incoming = known.filter((one) => one.role === 'maker' && isOpen(one));
  const open = [...own.filter(isOpen), ...incoming];
  useTickers([
    ...new Set(open.flatMap(({ legs }) => legs.map(({ instrumentName }) => instrumentName))),
  ]);
  const className = shown.kind === 'stale' ? 'sheet stale' : 'sheet';
  return (
    <div class="screen desk">
      <h1>Block RFQ</h1>
      {!areChannelsLive.value && <p class="bad">▲ Block RFQs are not live</p>}
      <div class="pair">
        <div>
          <section class={className} aria-labelledby="own-rfqs">
            <h2 id="own-rfqs">Asked</h2>
            <PanelFreshness shown={shown} />
            {own.length === 0 && <None shown={shown}>No Block RFQs.</None>}
            {own.map((rfq) => (
              <Asked key={`${rfq.account}/${rfq.blockRfqId}`} rfq={rfq} />
            ))}
          </section>
          <section class={className} aria-labelledby="incoming-rfqs">
            <h2 id="incoming-rfqs">To quote on</h2>
            <PanelFreshness shown={shown} />
            {incoming.length === 0 && <None shown={shown}>No maker is asked here.</None>}
            {incoming.map((rfq) => (
              <article key={`${rfq.account}/${rfq.blockRfqId}`} class="rfq">
                <Structure rfq={rfq} />
                {mayQuote() && <QuoteForm rfq={rfq} />}
              </article>
            ))}
          </section>
        </div>
        {mayQuote() ? (
          <RfqForm />
        ) : (
          <p>Asking and quoting need a session with the scope blockRfq.</p>
        )}
      </div>
      <Sheet
        title="Own quotes"
        shown={quotesShown.value}
        none="No quotes."
        keyOf={({ account, quoteId }) => `${account}/${quoteId}`}
        columns={QUOTES}
      />
      {editedQuote.value !== undefined && <EditQuoteDialog quote={editedQuote.value} />}
    </div>
  );
}

type Leg = Rfq['legs'][number];

/** Prices in dollars to the cent. */
const MARK_DIGITS = 7;

const tickerOf = ({ instrumentName }: Leg): Ticker | undefined => tickers.value.get(instrumentName);

function ivsText(leg: Leg): string {
  const figures = [
    ({ bidIv }: Ticker) => bidIv,
    ({ markIv }: Ticker) => markIv,
    ({ askIv }: Ticker) => askIv,
  ];
  return figures
    .map((figure) => tickerFigure(tickerOf(leg), figure, (iv) => atPlaces(iv, 1)))
    .join(' / ');
}

const LEGS: readonly Column<Leg>[] = [
  { head: 'Leg', cell: ({ ratio, instrumentName }) => `${ratio} × ${instrumentName}` },
  { head: 'Side', cell: ({ side }) => <SideWord side={side} /> },
  {
    head: 'Mark',
    isNumber: true,
    cell: (leg) => tickerFigure(tickerOf(leg), ({ markPrice }) => markPrice, grouped),
  },
  { head: 'IV bid, mark, ask', isNumber: true, cell: ivsText },
  {
    head: 'Delta',
    isNumber: true,
    cell: (leg) =>
      tickerFigure(
        tickerOf(leg),
        ({ greeks }) => greeks?.delta,
        (delta) => atPlaces(delta, 2),
      ),
  },
];

function Structure({ rfq }: { readonly rfq: Rfq }) {
  const { account, blockRfqId, quantity, legs, status, expiresAt, hedge, closedReason } = rfq;
  const mark = structureMark(legs, tickers.value);
  return (
    <>
      <h3>
        {blockRfqId} · {account} · {status}
        {closedReason !== null && `: ${closedReason}`}
        {isOpen(rfq) && ` · ${durationText(Math.max(expiresAt - nowMs.value, 0))} left`}
      </h3>
      <p class="structure">
        quantity {grouped(quantity)}
        {isOpen(rfq) &&
          ` · mark ${mark === undefined ? NOT_KNOWN : significant(mark, MARK_DIGITS)}`}
        {hedge !== undefined &&
          ` · hedge: ${hedge.side} ${grouped(hedge.quantity)} ${hedge.instrumentName} at ${grouped(hedge.price)}`}
      </p>
      {isOpen(rfq) ? (
        <Sheet
          title={`Legs of ${blockRfqId}`}
          shown={current(legs)}
          none=""
          keyOf={({ instrumentName }) => instrumentName}
          columns={LEGS}
        />
      ) : (
        <ul>
          {legs.map((leg) => (
            <li key={leg.instrumentName}>{legText(leg)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Asked({ rfq }: { readonly rfq: Rfq }) {
  const { blockRfqId, asks = [], bids = [], quantity, trades = [], legs } = rfq;
  const mark = structureMark(legs, tickers.value);
  return (
    <article class="rfq">
      <Structure rfq={rfq} />
      {trades.map(({ side, price, quantity: size, maker = 'ANONYMOUS' }, index) => (
        <p key={index} class="good">
          {side === 'buy' ? '▲ Bought' : '▼ Sold'} {grouped(size)} at {grouped(price)} with {maker}
        </p>
      ))}
      {isOpen(rfq) && (
        <>
          <Levels title={`▼ Asks of ${blockRfqId}`} levels={asks} mark={mark} />
          <Levels title={`▲ Bids of ${blockRfqId}`} levels={bids} mark={mark} />
          {mayQuote() && (
            <p class="acts">
              <Trade rfq={rfq} side="buy" price={wholePrice(asks, quantity)} />
              <Trade rfq={rfq} side="sell" price={wholePrice(bids, quantity)} />
              <button
                type="button"
                aria-label={`Cancel Block RFQ ${blockRfqId}`}
                onClick={() => askCancelRfq(rfq)}
              >
                Cancel…
              </button>
            </p>
          )}
        </>
      )}
    </article>
  );
}

const levels = (mark: number | undefined): readonly Column<RfqLevel>[] => [
  { head: 'Price', isNumber: true, cell: ({ price }) => grouped(price) },
  {
    head: 'From the mark',
    isNumber: true,
    cell: ({ price }) => (mark === undefined ? NOT_KNOWN : distanceText(mark, price)),
  },
  { head: 'Quantity', isNumber: true, cell: ({ quantity }) => grouped(quantity) },
  { head: 'Makers', cell: ({ makers }) => makers.join(', ') },
  {
    head: 'Kind',
    cell: ({ executionInstruction }) =>
      executionInstruction === 'all_or_none' ? 'whole only' : 'any part',
  },
];

/** Such as `+12.5, +1.39 bp`. */
function distanceText(mark: number, price: string): string {
  const { price: difference, bps } = distanceFrom(mark, price);
  const sign = difference > 0 ? '+' : '';
  return `${sign}${significant(difference, 4)}${bps === undefined ? '' : `, ${bpsText(bps)}`}`;
}

interface LevelsProps {
  readonly title: string;
  readonly levels: readonly RfqLevel[];
  /** Of the structure; `undefined`: not known. */
  readonly mark: number | undefined;
}

function Levels({ title, levels: quoted, mark }: LevelsProps) {
  return (
    <Sheet
      title={title}
      shown={current(quoted)}
      none="No quotes yet."
      keyOf={({ price, executionInstruction }) => `${price}/${executionInstruction}`}
      columns={levels(mark)}
    />
  );
}

function Trade({
  rfq,
  side,
  price,
}: {
  readonly rfq: Rfq;
  readonly side: 'buy' | 'sell';
  readonly price: string | undefined;
}) {
  const word = side === 'buy' ? 'Buy' : 'Sell';
  return (
    <button
      type="button"
      disabled={price === undefined}
      onClick={() => price !== undefined && askTrade(rfq, side, price)}
    >
      {price === undefined
        ? `${word}: not the whole quantity quoted`
        : `${word} at ${grouped(price)}…`}
    </button>
  );
}

const QUOTES: readonly Column<Quote>[] = [
  { head: 'Account', cell: ({ account }) => account },
  { head: 'Quote', cell: ({ quoteId }) => quoteId },
  { head: 'Block RFQ', cell: ({ blockRfqId }) => blockRfqId },
  { head: 'Side', cell: ({ side }) => (side === 'buy' ? '▲ bid' : '▼ offer') },
  { head: 'State', cell: ({ status }) => status },
  { head: 'Price', isNumber: true, cell: ({ price }) => grouped(price) },
  { head: 'Quantity', isNumber: true, cell: ({ quantity }) => grouped(quantity) },
  { head: 'Filled', isNumber: true, cell: ({ filledQuantity }) => grouped(filledQuantity) },
  { head: 'Changed', cell: ({ lastUpdatedAt }) => <Time ms={lastUpdatedAt} /> },
  {
    head: 'Act',
    cell: (quote) =>
      isOpen(quote) && mayQuote() ? (
        <span class="acts">
          <button
            type="button"
            aria-label={`Edit quote ${quote.quoteId}`}
            onClick={() => {
              editedQuote.value = quote;
            }}
          >
            Edit…
          </button>
          <button
            type="button"
            aria-label={`Cancel quote ${quote.quoteId}`}
            onClick={() => askCancelQuote(quote)}
          >
            Cancel…
          </button>
        </span>
      ) : (
        ''
      ),
  },
];
