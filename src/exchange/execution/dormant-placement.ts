// Places a trigger order: its form is checked like that of the order it will become, its trigger against the
// watched price. Funds and reduce-only are checked when it is triggered.
import { orderId } from '../../values/ids.ts';
import type { Side } from '../../values/instrument.ts';
import { startWaiting } from '../accounting/dormant-order.ts';
import { ALREADY_MET, armed, isMetNow, readTrigger } from '../checks/trigger-checks.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { Conditions } from '../model/conditions.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { LiveOrder } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { childTypeOf, type Trigger, type TriggerType } from '../model/triggers/trigger.ts';
import { checkForm, type Entered, type Entry } from './place-order.ts';

interface Dormant {
  readonly type: TriggerType;
  readonly conditions: Conditions | undefined;
}

export function enterDormant(
  state: ExchangeState,
  entry: Entry,
  { type, conditions }: Dormant,
): Entered | Refusal {
  const { account, listing, command } = entry;
  const read = checkDormant(state, entry, type);
  if ('code' in read) return read;
  const isOwners = conditions === undefined;
  const tooMany = isOwners ? checkTriggerCount(state, account, 1) : undefined;
  if (tooMany !== undefined) return tooMany;
  const trigger = armed(listing, read);
  if ('code' in trigger) return trigger;
  const isMet = isMetNow(listing, trigger);
  // A trigger order that the exchange itself places late is triggered at once, because its owner could not
  // choose the time.
  if (isMet && isOwners && !mayBeMet(state))
    return refusal.invalidTriggerPrice('trigger_price', ALREADY_MET);
  const id = triggerOrderId(state, listing, { type, side: command.side, trigger });
  const order = dormantOrder(state, entry, id);
  order.conditions = { ...conditions, trigger };
  state.orders.add(order);
  startWaiting(state, order);
  state.outbox.orderChanged(order);
  if (isMet) state.pending.met([order]);
  return { order, trades: [] };
}

/** Checks the form of a trigger order and of the order it will become. */
export function checkDormant(
  state: ExchangeState,
  { listing, command }: Entry,
  type: TriggerType,
): Trigger | Refusal {
  if (command.advanced !== undefined || command.displayQuantity !== undefined || command.mmp) {
    const param =
      command.advanced === undefined ? (command.mmp ? 'mmp' : 'display_amount') : 'advanced';
    const reason = `does not go with a ${type} order; accepted: leave it out`;
    return refusal.unsupportedCombination(param, reason);
  }
  const refused = checkForm(state, listing, { ...command, type: childTypeOf(type) });
  return refused ?? readTrigger(listing, type, command);
}

/** A new order in the state `untriggered`, in no book and not yet published. */
export function dormantOrder(
  state: ExchangeState,
  { account, listing, command }: Entry,
  id: string,
): LiveOrder {
  const { side, label, type, timeInForce, postOnly, rejectPostOnly, reduceOnly, price } = command;
  const identity = {
    orderId: orderId(id),
    listing,
    side,
    label,
    originalType: type,
    timeInForce,
    mmp: false,
    createdAt: state.now,
  };
  const hasLimit = type === 'limit' || type === 'stop_limit' || type === 'take_limit';
  const terms = {
    ticks: (hasLimit && price && listing.grid.ticksOf(price)) || 0,
    totalLots: listing.grid.lotsOf(command.quantity) ?? 0,
    postOnly,
    rejectPostOnly,
    reduceOnly,
  };
  const order = new LiveOrder(identity, account, terms);
  order.state = 'untriggered';
  order.rank = state.nextRank();
  return order;
}

const mayBeMet = ({ settings }: ExchangeState): boolean => settings.triggerAlreadyMet === 'fire';

/** Checks that the trigger of a new order can start to wait as intended. */
export function checkStart(
  state: ExchangeState,
  listing: Listing,
  trigger: Trigger,
): Refusal | undefined {
  const started = armed(listing, trigger);
  if ('code' in started) return started;
  const isRefused = isMetNow(listing, started) && !mayBeMet(state);
  return isRefused ? refusal.invalidTriggerPrice('trigger_price', ALREADY_MET) : undefined;
}

/** Whether the account may have this many more untriggered orders. */
export function checkTriggerCount(
  state: ExchangeState,
  account: Account,
  more: number,
): Refusal | undefined {
  const { triggersMax } = state.settings;
  if (more === 0) return undefined;
  let count = more;
  for (const { dormantOrders } of account.exposures()) {
    for (const order of dormantOrders) if (order.conditions?.trigger !== undefined) count += 1;
  }
  return count > triggersMax ? refusal.noMoreTriggers(triggersMax) : undefined;
}

const SOURCE_LETTERS = { index_price: 'I', last_price: 'T', mark_price: 'M' } as const;

/**
 * Modelled on the venue's ids: `SL` for a stop, then the watched price (index, last trade, mark), then the
 * side; `TP` for take-profit and `TS` for trailing are choices of ours. Never parsed.
 */
function triggerOrderId(
  state: ExchangeState,
  { instrument }: Listing,
  of: { readonly type: TriggerType; readonly side: Side; readonly trigger: Trigger },
): string {
  const { settlement } = instrument;
  const kind = { stop: 'SL', take: 'TP', trailing: 'TS' }[kindOf(of.type)];
  const code = `${kind}${SOURCE_LETTERS[of.trigger.source]}${of.side === 'buy' ? 'B' : 'S'}`;
  return state.orderIds.nextOf(settlement === 'BTC' ? code : `${settlement}-${code}`);
}

const kindOf = (type: TriggerType): 'stop' | 'take' | 'trailing' =>
  type.split('_')[0] as 'stop' | 'take' | 'trailing';
