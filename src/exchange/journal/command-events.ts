// The events of one command, which belong together: what happened, then the orders, positions and balances it left.
import type { Currency, OrderId } from '../../values/ids.ts';
import { holdsPosition } from '../../values/instrument.ts';
import type { AccountEvent } from '../exchange-event.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { ExchangeTrade } from '../order.ts';
import { applyEvent } from './rebuild.ts';

/** A trade of part of a command: without its order, the order's id and quantity would be given out again. */
export class HalfCommand extends Error {
  override readonly name = 'HalfCommand';
}

/** Throws {@link HalfCommand}, and applies nothing, if a trade comes without its order. */
export function applyCommand(state: ExchangeState, events: readonly AccountEvent[]): void {
  const orphan = events.find((event) => event.kind === 'trade' && !hasOrder(event.trade, events));
  if (orphan?.kind === 'trade') {
    const { tradeId, orderId } = orphan.trade;
    throw new HalfCommand(`trade ${tradeId} comes without its order ${orderId}`);
  }
  for (const event of events) applyEvent(state, event);
}

/**
 * Applies what versions before the checksums wrote, where nothing says which events belong to one command. The last
 * command is left out if part of it is missing.
 */
export function applyUnmarked(state: ExchangeState, events: readonly AccountEvent[]): void {
  const commands = commandsIn(events);
  const last = commands.pop();
  for (const command of commands) applyCommand(state, command);
  // Instruments may be listed by the commands before.
  if (last !== undefined && isWhole(state, last)) applyCommand(state, last);
}

const PLACES: Partial<Readonly<Record<AccountEvent['kind'], number>>> = {
  trailing_moved: 1,
  order_changed: 2,
  position_changed: 3,
  balance_changed: 4,
};

const placeOf = ({ kind }: AccountEvent): number => PLACES[kind] ?? 0;

/** By the order in which the exchange writes the events of a command, all at one instant. */
function commandsIn(events: readonly AccountEvent[]): AccountEvent[][] {
  const commands: AccountEvent[][] = [];
  let last: AccountEvent | undefined;
  for (const event of events) {
    const isNext = last === undefined || event.at !== last.at || placeOf(event) < placeOf(last);
    if (isNext) commands.push([event]);
    else commands.at(-1)?.push(event);
    last = event;
  }
  return commands;
}

/** Whether everything is there that the trades of the command entail. */
function isWhole(state: ExchangeState, events: readonly AccountEvent[]): boolean {
  return events.every((event) => event.kind !== 'trade' || isBooked(state, event.trade, events));
}

function isBooked(
  state: ExchangeState,
  trade: ExchangeTrade,
  events: readonly AccountEvent[],
): boolean {
  const { account, legs } = trade;
  const instrument = state.listings.get(trade.instrument)?.instrument;
  if (instrument === undefined || !hasOrder(trade, events)) return false;
  // The legs of a combo have trades of their own.
  if (legs !== undefined) return true;
  const hasBalance = (currency: Currency): boolean =>
    events.some(
      (event) =>
        event.kind === 'balance_changed' &&
        event.balance.account === account &&
        event.balance.currency === currency,
    );
  if (instrument.kind === 'spot')
    return hasBalance(instrument.base) && hasBalance(instrument.quote);
  const hasPosition = events.some(
    (event) =>
      event.kind === 'position_changed' &&
      event.position.account === account &&
      event.position.instrument === trade.instrument,
  );
  const isPaid = isUnpaid(state, trade) || hasBalance(trade.feeCurrency);
  return isPaid && (hasPosition || !holdsPosition(instrument));
}

/** Whether the trade left the account's cash as it was before the command. */
function isUnpaid(state: ExchangeState, trade: ExchangeTrade): boolean {
  const { account, balanceAfter, fee, feeCurrency } = trade;
  // Not recorded by the earliest versions.
  if (balanceAfter === undefined) return fee.isZero();
  return state.accounts.get(account)?.balance(feeCurrency).eq(balanceAfter) === true;
}

/** Legs of a block are traded without an order. */
function hasOrder(trade: ExchangeTrade, events: readonly AccountEvent[]): boolean {
  if (trade.block !== undefined) return true;
  const orderId = trade.ofCombo === undefined ? trade.orderId : orderOfLeg(trade.orderId);
  return events.some((event) => event.kind === 'order_changed' && event.order.orderId === orderId);
}

const orderOfLeg = (id: OrderId): string => id.replace(/-L\d+$/, '');
