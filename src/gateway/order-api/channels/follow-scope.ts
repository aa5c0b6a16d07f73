// Follows the markets of a scope: one instrument, or all of some kinds and a currency, including those listed later.
import type { MarketNews, MarketReads } from '../../../ports/market-reads.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { findInstrument } from '../find-instrument.ts';
import type { Scope } from './channel.ts';
import type { Leave } from './market-feeds.ts';

interface Listed {
  readonly market: MarketReads;
  readonly instrument: Instrument;
}

export interface Markets {
  markets(): readonly MarketReads[];
}

const FOLLOWED_AT_ONCE = 5;
/** How often new instruments of a kind are added. */
const RELIST_MS = 60_000;

/** Active instruments, each with the market that lists it. */
export function inScope(of: Markets, scope: Scope): readonly Listed[] {
  if (scope.instrument !== undefined) {
    const found = findInstrument(of.markets(), scope.instrument);
    return found === undefined ? [] : [found];
  }
  const { kinds, currency } = scope;
  return of.markets().flatMap((market) =>
    market
      .listed({ expired: false })
      .filter((one) => kinds.includes(one.kind))
      .filter((one) => currency === undefined || one.settlement === currency)
      .map((instrument) => ({ market, instrument })),
  );
}

/** What is traded in a pair that is matched on another exchange is not published, and neither is a scope with one in it. */
export const isTapeRefused = (of: Markets, scope: Scope): boolean =>
  inScope(of, scope).some(({ instrument }) => instrument.isRouted === true);

/** Subscribing to a market takes a moment, so many are subscribed a few at a time. */
export function followScope(
  of: Markets,
  scope: Scope,
  listener: (news: MarketNews) => void,
): Leave {
  const leaves = new Map<string, Leave>();
  let next: NodeJS.Immediate | undefined;
  const follow = (wanted: readonly Listed[]): void => {
    for (const { market, instrument } of wanted.slice(0, FOLLOWED_AT_ONCE)) {
      if (leaves.has(instrument.name)) continue;
      leaves.set(instrument.name, market.follow(instrument.name, listener));
    }
    const rest = wanted.slice(FOLLOWED_AT_ONCE);
    next = rest.length > 0 ? setImmediate(() => follow(rest)) : undefined;
  };
  follow(inScope(of, scope));
  const relist = (): void => follow(inScope(of, scope));
  const again = scope.instrument === undefined ? setInterval(relist, RELIST_MS) : undefined;
  again?.unref();
  return () => {
    clearInterval(again);
    clearImmediate(next);
    for (const leave of leaves.values()) leave();
  };
}
