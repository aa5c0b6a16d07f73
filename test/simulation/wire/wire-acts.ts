// What a trader requests of the adapter in one run, and what happens to the processes and at the venue.

import {
  FILL_CONDITIONS,
  type FillCondition,
  LINK_KINDS,
  type LinkKind,
  type TimeInForce,
} from '../../../src/values/order-terms.ts';
import type { Rng } from '../../../src/values/rng.ts';
import { pick } from '../plan/pick.ts';
import type { InstrumentPick } from '../plan/plan.ts';

type Side = 'buy' | 'sell';

/** An act at an instant of the run. */
interface At<K extends string> {
  readonly kind: K;
  readonly atMs: number;
}

interface OfAccount<K extends string> extends At<K> {
  readonly account: number;
}

interface Entered<K extends string> extends OfAccount<K> {
  readonly side: Side;
  readonly lots: number;
  readonly validMs: number;
}

export interface PlaceAct extends Entered<'place'> {
  readonly instrument: InstrumentPick;
  /** From where the market begins, in ticks; towards the market where positive. */
  readonly offsetTicks: number;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
}

export interface TriggerAct extends Entered<'trigger'> {
  readonly instrument: InstrumentPick;
  readonly type: 'stop_limit' | 'stop_market' | 'take_limit' | 'take_market' | 'trailing_stop';
  readonly source: 'mark_price' | 'last_price';
  /** Of the trigger from where the market begins, in ticks, whichever way. */
  readonly awayTicks: number;
}

export interface LinkedAct extends Entered<'linked'> {
  readonly link: LinkKind;
  readonly fillCondition: FillCondition;
  readonly offsetTicks: number;
  readonly awayTicks: number;
}

export interface ComboAct extends Entered<'combo'> {
  readonly offsetTicks: number;
  readonly timeInForce: TimeInForce;
}

export type MassCancelScope = 'instrument' | 'kind' | 'type' | 'currency' | 'label';

export type WireAct =
  | PlaceAct
  | TriggerAct
  | LinkedAct
  | ComboAct
  /** Another size and price of the trader's n-th order. */
  | (At<'edit'> & {
      readonly order: number;
      readonly lots: number;
      readonly ticks: number;
      readonly isByLabel: boolean;
      readonly validMs: number;
    })
  | (At<'cancel'> & { readonly order: number; readonly isByLabel: boolean })
  | OfAccount<'cancel_all'>
  | (OfAccount<'mass_cancel'> & {
      readonly of: MassCancelScope;
      readonly instrument: InstrumentPick;
      readonly order: number;
    })
  | (OfAccount<'look_up'> & {
      readonly what: 'open' | 'order' | 'label' | 'positions' | 'trades' | 'history' | 'balance';
      readonly order: number;
    })
  /** Protection trips at the venue while an order of the account waits in its speed bump. */
  | (Entered<'trip'> & { readonly afterMs: number })
  | (At<'rfq_create'> & { readonly side: Side; readonly blocks: number })
  | (At<'rfq_quote'> & { readonly side: Side; readonly awayTicks: number })
  | (At<'rfq_accept'> & { readonly side: Side; readonly waits: boolean })
  | At<'rfq_cancel'>
  | At<'quotes_cancel'>
  /** The gateway's process ends, and the next one begins after a rest. */
  | (At<'restart_gateway'> & { readonly restMs: number })
  /** The adapter's process ends, and the next one begins at once. */
  | At<'restart_client'>;

export type ActOf<K extends WireAct['kind']> = Extract<WireAct, { readonly kind: K }>;

const SIDES = ['buy', 'sell'] as const;

export function drawAct(draw: Rng, stormMs: number): WireAct {
  const atMs = draw.below(stormMs);
  const account = draw.below(2);
  const order = draw.below(12);
  const validMs = pick(draw, [300, 1_000, 1_000, 3_000]);
  const kind = draw.next();
  if (kind < 0.5) {
    return {
      kind: 'place',
      atMs,
      account,
      validMs,
      instrument: pick(draw, ['perpetual', 'perpetual', 'spot', 'option'] as const),
      side: pick(draw, SIDES),
      lots: 1 + draw.below(40),
      offsetTicks: draw.below(60) - 40,
      timeInForce: pick(draw, [
        'good_til_cancelled',
        'good_til_cancelled',
        'good_til_cancelled',
        'immediate_or_cancel',
        'fill_or_kill',
      ] as const),
      postOnly: draw.next() < 0.2,
    };
  }
  if (kind < 0.65) {
    const ticks = draw.below(60) - 40;
    return {
      kind: 'edit',
      atMs,
      order,
      ticks,
      validMs,
      lots: 1 + draw.below(40),
      isByLabel: draw.next() < 0.5,
    };
  }
  if (kind < 0.75) return { kind: 'cancel', atMs, order, isByLabel: draw.next() < 0.5 };
  if (kind < 0.8) return { kind: 'cancel_all', atMs, account };
  const what = pick(draw, ['open', 'order', 'label', 'positions', 'trades', 'history'] as const);
  return { kind: 'look_up', atMs, account, what, order };
}

/** What waits for a trigger or for another order, structures, and cancels of many. */
export function drawConditional(draw: Rng, stormMs: number): WireAct {
  const entered = {
    atMs: draw.below(stormMs),
    account: draw.below(2),
    side: pick(draw, SIDES),
    lots: 1 + draw.below(20),
    validMs: pick(draw, [300, 1_000, 3_000]),
  };
  const awayTicks = draw.below(80) - 40;
  const offsetTicks = draw.below(60) - 40;
  const kind = draw.next();
  if (kind < 0.35) {
    const type = pick(draw, [
      'stop_limit',
      'stop_market',
      'take_limit',
      'take_market',
      'trailing_stop',
    ] as const);
    const source = pick(draw, ['mark_price', 'last_price'] as const);
    const instrument = pick(draw, ['perpetual', 'perpetual', 'option'] as const);
    return { kind: 'trigger', ...entered, instrument, type, source, awayTicks };
  }
  if (kind < 0.6) {
    const link = pick(draw, LINK_KINDS);
    const fillCondition = pick(draw, FILL_CONDITIONS);
    return { kind: 'linked', ...entered, link, fillCondition, offsetTicks, awayTicks };
  }
  if (kind < 0.75) {
    const timeInForce = pick(draw, ['good_til_cancelled', 'immediate_or_cancel'] as const);
    return { kind: 'combo', ...entered, offsetTicks, timeInForce };
  }
  const { atMs, account } = entered;
  const order = draw.below(12);
  if (kind < 0.85) return { kind: 'look_up', atMs, account, order, what: pick(draw, OF_ACCOUNT) };
  const instrument = pick(draw, ['perpetual', 'spot', 'option'] as const);
  return { kind: 'mass_cancel', atMs, account, instrument, order, of: pick(draw, SCOPES) };
}

const OF_ACCOUNT = ['positions', 'balance'] as const;
const SCOPES = ['instrument', 'kind', 'type', 'currency', 'label'] as const;

/** The order arrives within milliseconds, and so does the trip: before it, in its bump, or after it. */
export const drawTrip = (draw: Rng, stormMs: number): WireAct => ({
  kind: 'trip',
  atMs: draw.below(stormMs),
  account: draw.below(2),
  side: pick(draw, SIDES),
  lots: 1 + draw.below(20),
  validMs: 1_000,
  afterMs: draw.below(16),
});

/** From the creation of an RFQ on the venue refuses to accept quotes for this long. */
const GRACE_MS = 5_000;

/** The life of a Block RFQ or two, mostly in an order in which something comes of it. */
export function drawRfqActs(draw: Rng, stormMs: number): readonly WireAct[] {
  const createdMs = draw.below(Math.max(1, stormMs - GRACE_MS));
  const openMs = createdMs + GRACE_MS;
  const within = (fromMs: number, spreadMs: number): number => fromMs + draw.below(spreadMs);
  const acts: WireAct[] = [
    { kind: 'rfq_create', atMs: createdMs, side: pick(draw, SIDES), blocks: 1 + draw.below(3) },
  ];
  for (let quotes = 1 + draw.below(3); quotes > 0; quotes -= 1) {
    const atMs = within(createdMs + 100, GRACE_MS);
    acts.push({ kind: 'rfq_quote', atMs, side: pick(draw, SIDES), awayTicks: draw.below(9) - 4 });
  }
  for (let accepts = 1 + draw.below(2); accepts > 0; accepts -= 1) {
    const atMs = within(openMs, 4_000);
    acts.push({ kind: 'rfq_accept', atMs, side: pick(draw, SIDES), waits: draw.next() < 0.3 });
  }
  if (draw.next() < 0.3) acts.push({ kind: 'rfq_cancel', atMs: within(openMs, 4_000) });
  if (draw.next() < 0.3) acts.push({ kind: 'quotes_cancel', atMs: within(createdMs, 8_000) });
  return acts;
}
