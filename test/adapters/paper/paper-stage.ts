// A paper venue in virtual time with a seeded market, which tests can abandon and reopen.
import type {
  JournalPart,
  JournalStore,
} from '../../../src/adapters/paper/journal/journal-store.ts';
import { sealed } from '../../../src/adapters/paper/journal/journal-text.ts';
import {
  openPaperVenue,
  type PaperVenueOptions,
} from '../../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { NewOrder } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { type Price, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, childLabelOf, instrumentName, venueName } from '../../../src/values/ids.ts';
import { type Instant, later, utcInstant } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { settle } from '../../simulation/settle.ts';

export { settle };
export const NOON: Instant = utcInstant({ year: 2026, month: 11, day: 20, hour: 12 });
export const ACCOUNT = accountId('10001');
export const OTHER = accountId('10002');
export const BTC = instrumentName('BTC-PERPETUAL');

export interface PaperStage {
  readonly clock: VirtualClock;
  readonly venue: PaperVenue;
  pass(forMs: number): Promise<void>;
}

export type StageOptions = Partial<Omit<PaperVenueOptions, 'clock'>> & { readonly seed?: string };

/** A paper venue on the given clock, with two accounts and a seeded market. */
export function paperVenue(clock: Clock, { seed = 'stage', ...options }: StageOptions): PaperVenue {
  return openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }, { account: OTHER }],
    market: (bornAt) => seededMarket({ seed, startAt: bornAt }),
    ...options,
  });
}

/** `clock`: from an earlier stage, to continue its time. */
export function paperStage(
  options: StageOptions = {},
  clock: VirtualClock = new VirtualClock(NOON),
): PaperStage {
  const venue = paperVenue(clock, options);
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  return { clock, venue, pass };
}

let labels = 0;

export interface StageOrder extends NewOrder {
  readonly price: Price;
  readonly validUntil: Instant;
}

export const anOrder = (venue: Venue, changes: Partial<StageOrder> = {}): StageOrder => {
  labels += 1;
  return {
    account: ACCOUNT,
    instrument: BTC,
    side: 'buy',
    type: 'limit',
    quantity: quantity('1000'),
    price: price('89000'),
    label: childLabelOf(`tw1-test-1-0-0-${labels}`),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: changes.postOnly === true,
    reduceOnly: false,
    mmp: false,
    validUntil: later(venue.venueNow(), 10_000),
    ...changes,
  };
};

/** A journal in memory; `parts` is what a process that starts now would read. */
export class MemoryStore implements JournalStore {
  parts: JournalPart[] = [{ segment: undefined, text: '' }];
  replaced = 0;

  get text(): string {
    return this.parts.map(({ text }) => text).join('');
  }
  read(): readonly JournalPart[] {
    return this.parts;
  }
  append(text: string): void {
    const { segment, text: before } = must(this.parts.at(-1), 'a base');
    this.parts = this.parts.with(-1, { segment, text: before + sealed(text).toString() });
  }
  written(): Promise<void> | undefined {
    return undefined;
  }
  replace(text: string): void {
    this.parts = [{ segment: undefined, text }];
    this.replaced += 1;
  }
  continueIn(segment: number): void {
    this.parts = [...this.parts, { segment, text: '' }];
  }
  async replaceBefore(segment: number, pieces: Iterable<string>): Promise<void> {
    let text = '';
    for (const piece of pieces) {
      text += piece;
      await Promise.resolve();
    }
    const kept = this.parts.filter((part) => (part.segment ?? 0) >= segment);
    this.parts = [{ segment: undefined, text }, ...kept];
    this.replaced += 1;
  }
  sync(): Promise<void> {
    return Promise.resolve();
  }
  close(): void {
    this.parts = [...this.parts];
  }
}
