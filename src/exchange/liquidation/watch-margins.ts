// Liquidation: an account whose maintenance margin exceeds its margin balance in a currency is locked in that currency, its
// orders are cancelled, and its positions are reduced round by round until the margin is covered or none is left.
//
// Source: the venue's support page on liquidations: no margin call; a part of the position in each round, one round a second;
// the account takes no orders meanwhile. What it leaves open is in docs/decisions/0029-contract-rules-and-liquidations.md.
import { type Currency, orderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { holdsPosition } from '../../values/instrument.ts';
import { cancel } from '../accounting/working-order.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { afterMatch } from '../execution/after-match.ts';
import { work } from '../execution/execute-order.ts';
import type { Account } from '../model/account.ts';
import { LIQUIDATION } from '../model/instruments/contract-rules.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { LiveOrder } from '../model/live-order.ts';
import { handleRfq } from '../rfq/actions/handle-rfq.ts';
import { isShort, positionsIn, shortfallOf } from './account-margins.ts';
import { chooseStep, type LiquidationStep } from './choose-step.ts';
import { spentIn } from './refuse-locked.ts';

const roundOf = (at: Instant): number => Math.floor(at / LIQUIDATION.roundMs);

/**
 * To be called with each new reference; acts once a round for each account that has a position in the instrument. `before` is
 * the time at which the reference was previously set.
 */
export function watchMargins(
  state: ExchangeState,
  listing: Listing,
  before: Instant | undefined,
): void {
  const { name, settlement } = listing.instrument;
  const round = roundOf(state.now);
  if (!holdsPosition(listing.instrument)) return;
  if (before !== undefined && roundOf(before) === round) return;
  for (const account of state.accounts.values()) {
    const isHolder = (account.known(name)?.lots ?? 0) !== 0;
    if (!isHolder && !account.liquidating.has(settlement)) continue;
    if (account.marginRounds.get(settlement) === round) continue;
    account.marginRounds.set(settlement, round);
    compare(state, account, settlement);
  }
}

function compare(state: ExchangeState, account: Account, currency: Currency): void {
  const shortfall = shortfallOf(account, currency);
  if (isShort(shortfall)) {
    if (!account.liquidating.has(currency)) begin(state, account, currency);
    const step = chooseStep(positionsIn(account, currency), shortfall, state.now);
    if (step !== undefined) reduce(state, account, step);
  }
  if (!account.liquidating.has(currency)) return;
  const isOver =
    !isShort(shortfallOf(account, currency)) || positionsIn(account, currency).length === 0;
  if (isOver) setActive(state, account, { currency, isActive: false });
}

/** Locks the account, then cancels what it has in the market. */
function begin(state: ExchangeState, account: Account, currency: Currency): void {
  setActive(state, account, { currency, isActive: true });
  const orders = [...account.exposures()]
    .filter(({ listing }) => spentIn(listing.instrument).includes(currency))
    .flatMap(({ openOrders, dormantOrders }) => [...openOrders, ...dormantOrders]);
  // An order may have been cancelled with one before it that it was linked to.
  for (const order of orders) if (order.isLive) cancel(state, order, 'autoliquidation');
  afterMatch(state);
  if (!state.rfqs.makers.has(account.id)) return;
  handleRfq(state, { kind: 'cancel_rfq_quotes', now: state.now, account: account.id });
}

function setActive(
  state: ExchangeState,
  account: Account,
  { currency, isActive }: { readonly currency: Currency; readonly isActive: boolean },
): void {
  if (isActive) account.liquidating.add(currency);
  else account.liquidating.delete(currency);
  const { id } = account;
  state.outbox.emit({
    kind: 'liquidation_changed',
    at: state.now,
    account: id,
    currency,
    isActive,
  });
}

/** An immediate order as far as the price band; what does not trade is left to the next round. */
function reduce(
  state: ExchangeState,
  account: Account,
  { exposure: { listing }, side, lots }: LiquidationStep,
): void {
  const ticks = listing.bandTicks(side) ?? listing.book.against(side).best?.ticks;
  if (ticks === undefined) return;
  const identity = {
    orderId: orderId(state.orderIds.next(listing.instrument)),
    listing,
    side,
    label: '',
    originalType: 'limit' as const,
    timeInForce: 'immediate_or_cancel' as const,
    mmp: false,
    createdAt: state.now,
    isLiquidation: true,
  };
  const terms = {
    ticks,
    totalLots: lots,
    reduceOnly: true,
    postOnly: false,
    rejectPostOnly: false,
  };
  const order = new LiveOrder(identity, account, terms);
  order.rank = state.nextRank();
  state.orders.add(order);
  work(state, order);
}
