// News that publishes nothing, for benches that do not need any.
import { NewsFeed } from '../src/engine/news/news-feed.ts';
import type { Clock } from '../src/ports/clock.ts';
import { MemoryEventBus } from '../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../src/virtual/memory/memory-ledger.ts';
import { witness } from '../test/support/engine/quiet-observer.ts';

export function silentNews(clock: Clock, onFault: (error: unknown) => never): NewsFeed {
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const bus = new MemoryEventBus(onFault);
  return new NewsFeed({ bus, ledger, log: ledger.turnLog, clock, observer: witness() });
}
