// What the venue's own market-maker protection holds back, as values: which indexes are frozen and until when, and which
// configurations are in force.
//
// Decided where the documents are silent: a named group is of mass quotes, which are not sent from here, so that a freeze of
// one holds no order back; the protection of Block RFQ quotes is another one, and does not either.
import type { Freeze } from '../../../ports/deribit-wire/protection-rows.ts';
import { equals, type Quantity } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';

/** A protection as it is to be configured for each account of the venue. */
export interface ProtectionSetup {
  /** `btc_usd`. */
  readonly index: string;
  /** Mass quotes of that group; without it the orders with the flag `mmp`. */
  readonly group?: string | undefined;
  /** Length of a window; 1 to 3600. */
  readonly intervalSec: number;
  /** How long a freeze lasts; 0: until it is reset. */
  readonly frozenTimeSec: number;
  readonly quantityLimit?: Quantity | undefined;
  readonly deltaLimit?: Quantity | undefined;
  readonly vegaLimit?: Quantity | undefined;
  /** Largest open size on one side of an instrument. Absent: as the venue has it, else the limit of the quantity. */
  readonly maxQuoteQuantity?: Quantity | undefined;
}

/** A protection as the venue has it. */
export interface ProtectionInForce extends ProtectionSetup {
  readonly isForRfqs: boolean;
}

/** Freezes of one account, by what they hold back. */
export type Freezes = ReadonlyMap<string, Freeze>;

const keyOf = ({ index, group, isForRfqs }: Omit<Freeze, 'until'>): string =>
  `${isForRfqs ? 'rfq' : 'order'} ${index} ${group}`;

export const withFreeze = (freezes: Freezes, freeze: Freeze): Freezes =>
  new Map([...freezes, [keyOf(freeze), freeze]]);

/** The venue lists every freeze there is; those of notices that came after the question stay. */
export const listedFreezes = (listed: readonly Freeze[], since: readonly Freeze[]): Freezes =>
  new Map([...listed, ...since].map((freeze) => [keyOf(freeze), freeze]));

/** Where a protection of orders applies. */
type Place = Pick<ProtectionSetup, 'index' | 'group'>;

/** The freeze of a place, while it lasts. */
export function freezeOf(
  freezes: Freezes,
  { index, group = '' }: Place,
  now: Instant,
): Freeze | undefined {
  const found = freezes.get(keyOf({ index, group, isForRfqs: false }));
  return found !== undefined && (found.until === 0 || now < found.until) ? found : undefined;
}

/** The configuration of the same place, if there is one. */
export const inForce = (
  { index, group = '' }: Place,
  found: readonly ProtectionInForce[],
): ProtectionInForce | undefined =>
  found.find((one) => !one.isForRfqs && one.index === index && (one.group ?? '') === group);

const isSame = (one: Quantity | undefined, other: Quantity | undefined): boolean =>
  one === undefined || other === undefined ? one === other : equals(one, other);

const LIMITS = ['quantityLimit', 'deltaLimit', 'vegaLimit'] as const;

/** Whether the venue protects exactly as it is meant to. */
export const isAsSetUp = (setup: ProtectionSetup, found: ProtectionSetup | undefined): boolean =>
  found !== undefined &&
  covers(setup, found) &&
  LIMITS.every((limit) => isSame(found[limit], setup[limit]));

/** Whether the venue protects at least as it is meant to; it may keep limits that are not stated any more. */
export const covers = (setup: ProtectionSetup, found: ProtectionSetup): boolean =>
  found.intervalSec === setup.intervalSec &&
  found.frozenTimeSec === setup.frozenTimeSec &&
  [...LIMITS, 'maxQuoteQuantity' as const].every(
    (limit) => setup[limit] === undefined || isSame(found[limit], setup[limit]),
  );
