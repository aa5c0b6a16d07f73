// What a restart must keep, and one more after it: all that a snapshot holds, of which the state hash covers a part.
import { expect } from 'vitest';
import { Exchange, type ExchangeOptions } from '../../src/exchange/exchange.ts';
import type { ExchangeSnapshot, JournalRecord } from '../../src/exchange/journal/plain.ts';

/** Through text and back, as in a file. */
export const written = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Bots use up trade numbers that are not journaled, and the market sets references again; all else must be the same. */
export function comparable(snapshot: ExchangeSnapshot) {
  const { at: _at, references: _references, counters, ...rest } = written(snapshot);
  const { orders, rank } = counters;
  const positions = rest.positions
    .filter((p) => p.quantity !== '0' || p.realised !== '0')
    .sort((a, b) => (`${a.account}${a.instrument}` < `${b.account}${b.instrument}` ? -1 : 1));
  return { ...rest, positions, orders, rank };
}

interface Begun {
  readonly snapshot: ExchangeSnapshot;
  /** What happened since. */
  readonly journal: readonly JournalRecord[];
  readonly options: ExchangeOptions;
}

/** Restores the exchange from the snapshot and its journal, and that one from a snapshot of its own, which is returned. */
export function expectSameAfterRestarts(exchange: Exchange, begun: Begun): Exchange {
  const { snapshot, journal, options } = begun;
  const restored = Exchange.restore(written(snapshot), options);
  restored.applyJournal(written(journal));
  const again = Exchange.restore(written(restored.snapshot()), options);
  for (const one of [restored, again]) {
    expect(comparable(one.snapshot())).toEqual(comparable(exchange.snapshot()));
    expect(one.stateHash()).toBe(exchange.stateHash());
  }
  return again;
}
