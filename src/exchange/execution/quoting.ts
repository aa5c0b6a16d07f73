// The two operations of bots. A refresh of quotes first removes the levels that are no longer listed, so that
// a bot never trades with itself; each remaining level then keeps its place, moves to the end, or is added
// and may trade.
import type { Side } from '../../values/instrument.ts';
import { bookFill } from '../accounting/booking.ts';
import { type Incoming, match } from '../book/matching.ts';
import type {
  CountReply,
  MakeQuotesCommand,
  QuoteLevel,
  TakeCommand,
} from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { type Bot, BotQuote, type QuotedSide } from '../model/bot.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { partyOf } from './execute-order.ts';

export function makeQuotes(state: ExchangeState, command: MakeQuotesCommand): CountReply {
  const { account, bids, asks } = command;
  const listing = openListing(state, account, command.instrument);
  if ('code' in listing) return listing;
  const wrong = checkLevels(listing, command);
  if (wrong !== undefined) return wrong;
  const bot = state.bot(account);
  const quoted = bot.quoted(command.instrument);
  quoted.refresh += 1;
  withdraw(listing, 'buy', quoted.buy, named(quoted.buy, bids, quoted.refresh));
  withdraw(listing, 'sell', quoted.sell, named(quoted.sell, asks, quoted.refresh));
  const maker: Maker = { state, listing, bot, refresh: quoted.refresh };
  let traded = 0;
  for (const level of bids) traded += stand(maker, 'buy', quoted.buy, level);
  for (const level of asks) traded += stand(maker, 'sell', quoted.sell, level);
  return { kind: 'count', count: traded };
}

export function take(state: ExchangeState, command: TakeCommand): CountReply {
  const { account, side, lots, limitTicks } = command;
  const listing = openListing(state, account, command.instrument);
  if ('code' in listing) return listing;
  if (!isCount(lots)) return refusal.invalidParam('lots', 'must be a whole number above 0');
  const left = trade(state, listing, state.bot(account), { side, lots, limitTicks });
  return { kind: 'count', count: lots - left };
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

const isPrice = ({ grid }: Listing, ticks: number): boolean =>
  Number.isSafeInteger(ticks) && ticks >= grid.lowestTicks;

function openListing(
  state: ExchangeState,
  account: MakeQuotesCommand['account'],
  name: MakeQuotesCommand['instrument'],
): Listing | Refusal {
  if (state.accounts.has(account))
    return refusal.invalidParam('account', 'is a user account; accepted: a bot');
  const listing = state.listings.get(name);
  if (listing === undefined) return refusal.invalidParam('instrument_name', 'instrument not found');
  return listing.isExpired(state.now) ? refusal.bookClosed() : listing;
}

function checkLevels(listing: Listing, { bids, asks }: MakeQuotesCommand): Refusal | undefined {
  const isWrong = ({ priceTicks, lots }: QuoteLevel): boolean =>
    !isPrice(listing, priceTicks) || !isCount(lots) || !listing.grid.isValid(priceTicks);
  if (bids.some(isWrong))
    return refusal.invalidParam('bids', 'prices and lots must be on the grid');
  if (asks.some(isWrong))
    return refusal.invalidParam('asks', 'prices and lots must be on the grid');
  let bid = Number.NEGATIVE_INFINITY;
  for (const { priceTicks } of bids) if (priceTicks > bid) bid = priceTicks;
  return asks.some(({ priceTicks }) => priceTicks <= bid)
    ? refusal.invalidParam('asks', 'must be above the bids of the same bot')
    : undefined;
}

/** Marks the levels that stay with the refresh number, and returns it. */
function named(quoted: QuotedSide, levels: readonly QuoteLevel[], refresh: number): number {
  for (const { priceTicks } of levels) {
    const known = quoted.get(priceTicks);
    if (known !== undefined) known.refresh = refresh;
  }
  return refresh;
}

function withdraw(listing: Listing, side: Side, quoted: QuotedSide, refresh: number): void {
  for (const [ticks, quote] of quoted) {
    if (quote.refresh === refresh) continue;
    listing.book.remove(quote, side);
    quoted.delete(ticks);
  }
}

interface Maker {
  readonly state: ExchangeState;
  readonly listing: Listing;
  readonly bot: Bot;
  readonly refresh: number;
}

/** Updates one level to the requested size and returns the lots that traded. */
function stand(maker: Maker, side: Side, quoted: QuotedSide, level: QuoteLevel): number {
  const { state, listing, bot } = maker;
  const { book } = listing;
  const { priceTicks, lots } = level;
  const known = quoted.get(priceTicks);
  if (known?.level !== undefined && lots <= known.lots) {
    if (lots < known.lots) book.reduce(known, side, known.lots - lots);
    return 0;
  }
  if (known !== undefined) book.remove(known, side);
  const left = trade(state, listing, bot, { side, lots, limitTicks: priceTicks });
  if (left === 0) return lots;
  const quote = known ?? new BotQuote(bot, left);
  quote.lots = left;
  quote.refresh = maker.refresh;
  quoted.set(priceTicks, quote);
  book.rest(quote, side, priceTicks);
  return lots - left;
}

/** Returns the untraded lots. */
function trade(state: ExchangeState, listing: Listing, bot: Bot, incoming: Incoming): number {
  if (!listing.book.wouldTrade(incoming.side, incoming.limitTicks)) return incoming.lots;
  const taker = { bot };
  return match(listing.book, incoming, (maker, lots, ticks, part) => {
    const takerSide = incoming.side;
    bookFill(state, { listing, maker: partyOf(maker), taker, takerSide, lots, ticks, part });
  });
}
