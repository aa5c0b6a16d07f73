// Block RFQs: asking makers for quotes on a structure, their quotes as they arrive, trading; and quoting on what others ask.

import { useEffect } from 'preact/hooks';
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
import { durationText } from '../../model/formatting.ts';
import { current } from '../../model/panel-state.ts';
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
  const className = shown.kind === 'stale' ? 'sheet stale' : 'sheet';
  return (
    <div class="screen desk">
      <h1>Block RFQ</h1>
      {!areChannelsLive.value && <p class="bad">▲ Block RFQs are not live</p>}
      {mayQuote() ? <RfqForm /> : <p>Asking and quoting need a session with the scope blockRfq.</p>}
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

function Structure({ rfq }: { readonly rfq: Rfq }) {
  const { account, blockRfqId, quantity, legs, status, expiresAt, hedge, closedReason } = rfq;
  return (
    <>
      <h3>
        {blockRfqId} · {account} · {status}
        {closedReason !== null && `: ${closedReason}`}
        {isOpen(rfq) && ` · ${durationText(Math.max(expiresAt - nowMs.value, 0))} left`}
      </h3>
      <ul>
        {legs.map((leg) => (
          <li key={leg.instrumentName}>{legText(leg)}</li>
        ))}
        {hedge !== undefined && (
          <li>
            hedge: {hedge.side} {hedge.quantity} {hedge.instrumentName} at {hedge.price}
          </li>
        )}
        <li>quantity {quantity}</li>
      </ul>
    </>
  );
}

function Asked({ rfq }: { readonly rfq: Rfq }) {
  const { blockRfqId, asks = [], bids = [], quantity, trades = [] } = rfq;
  return (
    <article class="rfq">
      <Structure rfq={rfq} />
      {trades.map(({ side, price, quantity: size, maker = 'ANONYMOUS' }, index) => (
        <p key={index} class="good">
          {side === 'buy' ? 'Bought' : 'Sold'} {size} at {price} with {maker}
        </p>
      ))}
      {isOpen(rfq) && (
        <>
          <Levels title={`Bids of ${blockRfqId}`} levels={bids} />
          <Levels title={`Asks of ${blockRfqId}`} levels={asks} />
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

const LEVELS: readonly Column<RfqLevel>[] = [
  { head: 'Price', isNumber: true, cell: ({ price }) => price },
  { head: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
  { head: 'Makers', cell: ({ makers }) => makers.join(', ') },
  {
    head: 'Kind',
    cell: ({ executionInstruction }) =>
      executionInstruction === 'all_or_none' ? 'whole only' : 'any part',
  },
];

function Levels({
  title,
  levels,
}: {
  readonly title: string;
  readonly levels: readonly RfqLevel[];
}) {
  return (
    <Sheet
      title={title}
      shown={current(levels)}
      none="No quotes yet."
      keyOf={({ price, executionInstruction }) => `${price}/${executionInstruction}`}
      columns={LEVELS}
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
      {price === undefined ? `${word}: not the whole quantity quoted` : `${word} at ${price}…`}
    </button>
  );
}

const QUOTES: readonly Column<Quote>[] = [
  { head: 'Account', cell: ({ account }) => account },
  { head: 'Quote', cell: ({ quoteId }) => quoteId },
  { head: 'Block RFQ', cell: ({ blockRfqId }) => blockRfqId },
  { head: 'Side', cell: ({ side }) => (side === 'buy' ? '▲ bid' : '▼ offer') },
  { head: 'State', cell: ({ status }) => status },
  { head: 'Price', isNumber: true, cell: ({ price }) => price },
  { head: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
  { head: 'Filled', isNumber: true, cell: ({ filledQuantity }) => filledQuantity },
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
