// What the blotter needs to know of instruments and coins to write figures: the tick size of each instrument, read once, and
// the index of each coin, read again while it is shown. One request after the other, because programs of the same key share
// its limits. What is refused or too old is not known.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { access, callMethod } from '../../link/page-session.ts';

const REST_MS = 100;
const INDEX_EVERY_MS = 30_000;
const INDEX_OLD_MS = 120_000;

interface Index {
  readonly price: number;
  /** By `performance.now()`. */
  readonly readMs: number;
}

const ticks = signal<ReadonlyMap<string, string>>(new Map());
const indexes = signal<ReadonlyMap<string, Index>>(new Map());
/** Requested, answered or not: a gateway that does not know an instrument does not learn it. */
const askedTicks = new Set<string>();

/** `undefined`: not known. */
export const tickOf = (instrument: string): string | undefined => ticks.value.get(instrument);

/** Dollars for one of the coin; `undefined`: not known. */
export function indexOf(coin: string): number | undefined {
  const known = indexes.value.get(coin);
  if (known === undefined || performance.now() - known.readMs > INDEX_OLD_MS) return undefined;
  return known.price;
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function readTicks(names: readonly string[], isWanted: () => boolean): Promise<void> {
  for (const name of names) {
    if (askedTicks.has(name)) continue;
    if (!isWanted()) return;
    askedTicks.add(name);
    const answer = await callMethod('public/get_instrument', { instrumentName: name });
    if (answer.kind === 'done') ticks.value = new Map(ticks.value).set(name, answer.value.tickSize);
    if (answer.kind === 'unknown') askedTicks.delete(name);
    await rest(REST_MS);
  }
}

async function readIndexes(coins: readonly string[], isWanted: () => boolean): Promise<void> {
  for (const coin of coins) {
    if (!isWanted()) return;
    const indexName = `${coin.toLowerCase()}_usd`;
    const answer = await callMethod('public/get_index_price', { indexName });
    const price = answer.kind === 'done' ? Number(answer.value.indexPrice) : Number.NaN;
    if (price > 0) {
      indexes.value = new Map(indexes.value).set(coin, { price, readMs: performance.now() });
    }
    await rest(REST_MS);
  }
}

/** Reads what is missing as long as the component is shown. */
export function useReferenceData(names: readonly string[], coins: readonly string[]): void {
  useEffect(() => {
    let isShown = true;
    const isWanted = (): boolean => isShown && access.value.kind === 'open';
    void readTicks(names, isWanted);
    return () => {
      isShown = false;
    };
  }, [names.join(' ')]);
  useEffect(() => {
    let isShown = true;
    const isWanted = (): boolean => isShown && access.value.kind === 'open';
    const follow = async (): Promise<void> => {
      while (isWanted()) {
        if (!document.hidden) await readIndexes(coins, isWanted);
        await rest(INDEX_EVERY_MS);
      }
    };
    if (coins.length > 0) void follow();
    return () => {
      isShown = false;
    };
  }, [coins.join(' ')]);
}
