// Asking, trading and cancelling a Block RFQ, and quoting on one: with what it will do, and what the records say afterwards.
import { callMethod } from '../../link/page-session.ts';
import { isOpen, knownRfqs, ownQuotes, type Quote, type Rfq } from './rfqs.ts';
import { openAction } from './sending.ts';

export interface AskedLeg {
  readonly instrumentName: string;
  readonly quantity: string;
  readonly side: 'buy' | 'sell';
}

export interface RfqWish {
  readonly account: string;
  readonly legs: readonly AskedLeg[];
  /** Empty: all. */
  readonly makers: readonly string[];
  readonly disclosed: boolean;
}

export function askRfq({ account, legs, makers, disclosed }: RfqWish): void {
  openAction({
    title: 'Ask for quotes',
    effects: [
      ...legs.map(({ side, quantity, instrumentName }) => `${side} ${quantity} ${instrumentName}`),
      `Sent for account ${account} to ${makers.length === 0 ? 'every maker' : makers.join(', ')}, ${disclosed ? 'with' : 'without'} your name.`,
      'Makers see the structure and its size, not whether you will buy or sell it. Nothing trades until you do.',
    ],
    act: 'Ask now',
    send: ({ key }) =>
      callMethod('block/rfqs/create_rfq', {
        accountId: account,
        legs,
        disclosed,
        idempotencyKey: key,
        ...(makers.length > 0 && { makers }),
      }),
    outcome: (value) => {
      const { blockRfqId } = value as Rfq;
      const known = rfqOf(account, 'taker', blockRfqId);
      return known && `Block RFQ ${blockRfqId} is ${known.status}.`;
    },
  });
}

const rfqOf = (account: string, role: Rfq['role'], id: string): Rfq | undefined =>
  knownRfqs.value.find(
    (one) => one.account === account && one.role === role && one.blockRfqId === id,
  );

export const legText = ({ side, ratio, instrumentName }: Rfq['legs'][number]): string =>
  `${side} ${ratio} × ${instrumentName}`;

export function askTrade(rfq: Rfq, side: 'buy' | 'sell', price: string): void {
  const { account, blockRfqId, quantity, legs } = rfq;
  const reversed = side === 'buy' ? 'as listed' : 'with every side reversed';
  openAction({
    title: `${side === 'buy' ? 'Buy' : 'Sell'} the structure`,
    effects: [
      `${side === 'buy' ? 'Buys' : 'Sells'} ${quantity} of the structure at ${price} or better, at once and whole, or not at all.`,
      ...legs.map(
        (leg) =>
          `${legText(side === 'buy' ? leg : { ...leg, side: leg.side === 'buy' ? 'sell' : 'buy' })}`,
      ),
      `The legs trade ${reversed}, for account ${account}. A block trade is final.`,
    ],
    act: `${side === 'buy' ? 'Buy' : 'Sell'} at ${price}`,
    send: ({ key, headers }) =>
      callMethod(
        'block/rfqs/trade',
        { accountId: account, blockRfqId, side, quantity, price, idempotencyKey: key },
        headers,
      ),
    outcome: () => {
      const known = rfqOf(account, 'taker', blockRfqId);
      if (known === undefined || isOpen(known)) return undefined;
      const fills = (known.trades ?? []).map((one) => `${one.quantity} at ${one.price}`).join(', ');
      return `Block RFQ ${blockRfqId} is ${known.status}${fills === '' ? '' : `: ${fills}`}.`;
    },
  });
}

export function askCancelRfq({ account, blockRfqId }: Rfq): void {
  openAction({
    title: `Cancel Block RFQ ${blockRfqId}`,
    act: 'Cancel it now',
    isStop: true,
    effects: ['It ends, and its quotes with it. Nothing trades.'],
    send: () => callMethod('block/rfqs/cancel_rfq', { accountId: account, blockRfqId }),
    outcome: () => {
      const known = rfqOf(account, 'taker', blockRfqId);
      return known !== undefined && !isOpen(known)
        ? `Block RFQ ${blockRfqId} is ${known.status}.`
        : undefined;
    },
  });
}

export interface QuoteWish {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  /** Of the legs, in their order. */
  readonly prices: readonly string[];
}

export function askQuote(rfq: Rfq, { side, quantity, prices }: QuoteWish): void {
  const { account, blockRfqId } = rfq;
  const legs = rfq.legs.map((leg, index) => ({ ...leg, price: prices[index] ?? '' }));
  openAction({
    title: side === 'buy' ? 'Bid for the structure' : 'Offer the structure',
    effects: [
      `${side === 'buy' ? 'Bids for' : 'Offers'} ${quantity} of the structure as listed, for account ${account}.`,
      ...legs.map((leg) => `${legText(leg)} at ${leg.price}`),
      'The taker may trade it at any moment until the RFQ ends or you cancel it.',
    ],
    act: 'Quote now',
    send: ({ key, headers }) =>
      callMethod(
        'block/rfqs/create_quote',
        {
          accountId: account,
          blockRfqId,
          side,
          quantity,
          legs,
          idempotencyKey: key,
          ...(rfq.hedge !== undefined && { hedge: rfq.hedge }),
        },
        headers,
      ),
    outcome: (value) => quoteState(account, (value as Quote).quoteId),
  });
}

/** What of a quote is edited. */
export type QuoteChange = Omit<QuoteWish, 'side'>;

/** Edits an open quote in place; what the change leaves out stays as it is. */
export function askEditQuote(quote: Quote, { quantity, prices }: QuoteChange): void {
  const { account, quoteId, filledQuantity, executionInstruction } = quote;
  const legs = quote.legs.map((leg, index) => ({ ...leg, price: prices[index] ?? leg.price }));
  openAction({
    title: `Edit quote ${quoteId}`,
    effects: [
      `It becomes a ${quote.side === 'buy' ? 'bid for' : 'quote that offers'} ${quantity} of the structure; ${filledQuantity} of that are filled.`,
      ...legs.map((leg, index) => {
        const before = quote.legs[index]?.price;
        const change = before === leg.price ? 'as before' : `before: ${before}`;
        return `${legText(leg)} at ${leg.price}, ${change}`;
      }),
      'It keeps its id and loses its place among quotes of the same price. Until the edit arrives, the taker may trade it as it is.',
    ],
    act: 'Edit now',
    send: ({ headers }) =>
      callMethod(
        'block/rfqs/edit_quote',
        {
          accountId: account,
          quoteId,
          quantity,
          legs,
          executionInstruction,
          ...(quote.hedge !== undefined && { hedge: quote.hedge }),
        },
        headers,
      ),
    outcome: (value) => {
      const { lastUpdatedAt } = value as Quote;
      const known = ownQuotes.value.find((one) => one.quoteId === quoteId);
      if (known === undefined || known.lastUpdatedAt < lastUpdatedAt) return undefined;
      return quoteState(account, quoteId);
    },
  });
}

export function askCancelQuote({ account, quoteId }: Quote): void {
  openAction({
    title: `Cancel quote ${quoteId}`,
    act: 'Cancel it now',
    isStop: true,
    effects: ['The taker can no longer trade it.'],
    send: () => callMethod('block/rfqs/cancel_quote', { accountId: account, quoteId }),
    outcome: () => {
      const known = ownQuotes.value.find((one) => one.quoteId === quoteId);
      return known !== undefined && !isOpen(known) ? quoteState(account, quoteId) : undefined;
    },
  });
}

function quoteState(account: string, id: string): string | undefined {
  const known = ownQuotes.value.find((one) => one.account === account && one.quoteId === id);
  return (
    known &&
    `Quote ${id} is ${known.status} at ${known.price}, ${known.filledQuantity} of ${known.quantity} filled.`
  );
}
