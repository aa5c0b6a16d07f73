// The turns and news of some portfolios as an engine committed and published them, for replay piece by piece.
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import type { Turn } from '../../../src/ports/ledger.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { BY, form, submitted, world } from '../engine/engine-world.ts';
import { NOON, perpetual, quote } from '../engine/markets.ts';

const PERP = perpetual();

export interface Told {
  readonly turn: Turn;
  readonly news: readonly PortfolioNews[];
}

/** The history of two portfolios: one waits for a quote and is filled, one is cancelled. */
export async function lives(): Promise<readonly Told[]> {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const turns: Turn[] = [];
  const commit = ledger.commit.bind(ledger);
  ledger.commit = (given) => {
    turns.push(...given);
    return commit(given);
  };
  const w = world({ clock, ledger });
  const news: PortfolioNews[] = [];
  w.bus.subscribe((one) => news.push(one));
  await w.engine.start();
  await submitted(w, form());
  await w.run(15_000);
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  const taken = await submitted(w, form());
  await w.run(22_000);
  await w.operations.cancel(taken, BY);
  await w.run(120_000);
  w.engine.stop();
  return turns.map((turn) => ({ turn, news: news.filter((one) => isOf(one, turn)) }));
}

const isOf = ({ portfolio, version }: PortfolioNews, turn: Turn): boolean =>
  portfolio === turn.portfolio &&
  version > turn.fromVersion &&
  version <= turn.fromVersion + turn.events.length;
