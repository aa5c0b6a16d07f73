// The orders of a trader, from the acts of a plan.

import type { CancelOrders, NewOrder } from '../../../src/ports/trading-desk.ts';
import { type Price, type Quantity, steps } from '../../../src/values/amounts.ts';
import type { AccountId, InstrumentName } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { Instrument, InstrumentKind } from '../../../src/values/instrument.ts';
import type { OrderTerms, OrderType } from '../../../src/values/order-terms.ts';
import type { InstrumentPick } from '../plan/plan.ts';
import { ACCOUNTS } from '../plan/simulated-accounts.ts';
import { INSTRUMENTS, mid } from '../world/simulated-market.ts';
import type { ActOf } from './wire-acts.ts';

export type EntryAct = ActOf<'place' | 'trigger' | 'linked' | 'combo' | 'trip'>;

interface Entry {
  readonly act: EntryAct;
  readonly label: string;
  readonly validUntil: Instant;
  /** Of a combo. */
  readonly combo?: InstrumentName | undefined;
}

export const accountOf = (act: { readonly account: number }): AccountId =>
  ACCOUNTS[act.account] as AccountId;

/** So many of the smallest sizes of the instrument. */
export const sized = ({ minAmount }: Instrument, lots: number): Quantity =>
  minAmount.mul(lots) as Quantity;

/** So many ticks above where the market begins; an option's in steps of five. */
export const priceAbove = (of: InstrumentPick, ticks: number): Price => {
  const unit = of === 'option' ? 5 : 1;
  return steps(INSTRUMENTS[of].tickSize, Math.max(5, mid(of) + ticks * unit)) as Price;
};

/** In which the spread of a future and the perpetual is priced. */
const COMBO_TICK = steps(INSTRUMENTS.perpetual.tickSize, 5);
/** Between where the walks of the two begin. */
const SPREAD_TICKS = 400;

export function orderOf({ act, label, validUntil, combo }: Entry): NewOrder {
  const { side, lots } = act;
  const way = side === 'buy' ? 1 : -1;
  const common = {
    account: accountOf(act),
    side,
    label,
    validUntil,
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    mmp: false,
  } as const;
  const of = act.kind === 'place' || act.kind === 'trigger' ? act.instrument : 'perpetual';
  const { name: instrument } = INSTRUMENTS[of];
  const quantity = sized(INSTRUMENTS[of], lots);
  switch (act.kind) {
    case 'place':
      return {
        ...common,
        instrument,
        quantity,
        type: 'limit',
        price: priceAbove(of, way * act.offsetTicks),
        timeInForce: act.timeInForce,
        postOnly: act.postOnly && act.timeInForce === 'good_til_cancelled',
      };
    case 'trip':
      return {
        ...common,
        instrument: INSTRUMENTS.option.name,
        quantity: sized(INSTRUMENTS.option, lots),
        type: 'limit',
        price: priceAbove('option', way * 15),
        mmp: true,
      };
    case 'trigger':
      return { ...common, instrument, quantity, ...triggerTerms(act, of) };
    case 'linked': {
      const price = priceAbove(of, way * act.offsetTicks);
      const { link: kind, fillCondition } = act;
      const others = othersOf(act, label);
      const link = { kind, fillCondition, others };
      return { ...common, instrument, quantity, type: 'limit', price, link };
    }
    case 'combo':
      return {
        ...common,
        instrument: combo as InstrumentName,
        quantity,
        type: 'limit',
        price: steps(COMBO_TICK, SPREAD_TICKS + way * act.offsetTicks) as Price,
        timeInForce: act.timeInForce,
      };
  }
}

function triggerTerms(
  { type, source, awayTicks }: ActOf<'trigger'>,
  of: InstrumentPick,
): Pick<OrderTerms, 'type' | 'price' | 'trigger' | 'triggerPrice' | 'triggerOffset'> {
  const triggerPrice = priceAbove(of, awayTicks);
  if (type === 'trailing_stop') {
    const triggerOffset = steps(INSTRUMENTS[of].tickSize, 5 * (1 + Math.abs(awayTicks))) as Price;
    return { type, trigger: source, triggerOffset };
  }
  const hasPrice = type === 'stop_limit' || type === 'take_limit';
  const price = hasPrice ? triggerPrice : undefined;
  return { type, trigger: source, triggerPrice, price };
}

/** On the other side of the first for one that it triggers, on its own side for one that it cancels. */
function othersOf(act: ActOf<'linked'>, label: string): readonly OrderTerms[] {
  const { link, side, lots, awayTicks } = act;
  const opposite = side === 'buy' ? 'sell' : 'buy';
  const of = link === 'one_cancels_other' ? side : opposite;
  const count = link === 'one_triggers_one_cancels_other' ? 2 : 1;
  return Array.from({ length: count }, (_, place) => ({
    side: of,
    type: 'limit',
    quantity: sized(INSTRUMENTS.perpetual, lots),
    price: priceAbove('perpetual', (of === 'buy' ? -1 : 1) * (awayTicks + 3 * place)),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    label: `${label}-${place}`,
  }));
}

/** Every label of an order and of those that are linked to it. */
export const labelsOf = ({ label, link }: NewOrder): readonly string[] => [
  label,
  ...(link?.others.map((other) => other.label) ?? []),
];

const STOPS: readonly OrderType[] = ['stop_limit', 'stop_market'];
const PLAIN: readonly OrderType[] = ['limit', 'market', 'market_limit'];
const FUTURES: readonly InstrumentKind[] = ['perpetual', 'future'];

/** `label`: of the order that the act names. */
export function massCancel(
  act: ActOf<'mass_cancel'>,
  label: string | undefined,
): CancelOrders | undefined {
  const account = accountOf(act);
  const { name: instrument } = INSTRUMENTS[act.instrument];
  switch (act.of) {
    case 'instrument':
      return { account, instrument };
    case 'kind':
      return { account, kinds: act.instrument === 'option' ? ['option'] : FUTURES };
    case 'type':
      return { account, types: act.instrument === 'spot' ? PLAIN : STOPS };
    case 'currency':
      return { account, currency: INSTRUMENTS.perpetual.settlement };
    case 'label':
      return label === undefined ? undefined : { account, label };
  }
}
