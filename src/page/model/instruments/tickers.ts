// The latest prices of the instruments that are looked at: requested at a bounded rate, because programs of the same key share
// its limits, and again only once all were answered.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { access, callMethod } from '../../link/page-session.ts';
import type { Ticker } from './option-chain.ts';

/** By name of the instrument; also of those that were looked at before. */
export const tickers = signal<ReadonlyMap<string, Ticker>>(new Map());

const AT_ONCE = 4;
/** With this rest after each, at most 27 requests a second. */
const REST_MS = 150;
const EVERY_MS = 4_000;
const PAINT_EVERY = 8;

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function readTickers(names: readonly string[], isWanted: () => boolean): Promise<void> {
  const queue = [...names];
  const fresh = new Map<string, Ticker>();
  const paint = (): void => {
    tickers.value = new Map([...tickers.value, ...fresh]);
    fresh.clear();
  };
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined && isWanted(); name = queue.shift()) {
      const answer = await callMethod('public/ticker', { instrumentName: name });
      if (answer.kind === 'done') fresh.set(name, answer.value);
      if (fresh.size >= PAINT_EVERY) paint();
      if (queue.length > 0) await rest(REST_MS);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  paint();
}

/** Follows the prices of these instruments as long as the component is shown. */
export function useTickers(names: readonly string[]): void {
  useEffect(() => {
    let isShown = true;
    const isWanted = (): boolean => isShown && access.value.kind === 'open';
    const follow = async (): Promise<void> => {
      while (isWanted()) {
        if (!document.hidden) await readTickers(names, isWanted);
        await rest(EVERY_MS);
      }
    };
    if (names.length > 0) void follow();
    return () => {
      isShown = false;
    };
  }, [names.join(' ')]);
}
