import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SequencedNews } from '../../../src/engine/interface/news-api.ts';
import { NewsFeed } from '../../../src/engine/news/news-feed.ts';
import { serveNews } from '../../../src/engine/news/serve-news.ts';
import { NewsHub } from '../../../src/gateway/stream/news-hub.ts';
import {
  type NewsReader,
  NewsSubscription,
} from '../../../src/gateway/stream/news-subscription.ts';
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { must } from '../../../src/values/assert.ts';
import { type AccountId, accountId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Sequence } from '../../../src/values/sequence.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { MemoryTurnLog } from '../../../src/virtual/memory/memory-turn-log.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { lives, type Told } from '../../support/daemon/lives.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { type Witness, witness } from '../../support/engine/quiet-observer.ts';

const ACCOUNT = accountId('10001');

/** The fields that a client sees. */
const words = ({ portfolio, version, messageType, at, reason, record, detail }: PortfolioNews) =>
  JSON.parse(JSON.stringify({ portfolio, version, messageType, at, reason, record, detail }));

interface Stage {
  readonly clock: VirtualClock;
  readonly ledger: MemoryLedger;
  readonly bus: MemoryEventBus;
  readonly observer: Witness;
  readonly feed: NewsFeed;
  run(forMs: number): Promise<void>;
}

function stage(log?: TurnLog): Stage {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const observer = witness();
  const bus = new MemoryEventBus((error) =>
    observer.observe({ event: 'failed', where: 'bus', error }),
  );
  const feed = new NewsFeed({ bus, ledger, log: log ?? ledger.turnLog, clock, observer });
  const run = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  return { clock, ledger, bus, observer, feed, run };
}

interface Opening {
  readonly hub?: NewsHub;
  readonly missedMax?: number;
  readonly accounts?: readonly AccountId[];
}

const hubOf = (feed: NewsFeed): NewsHub =>
  new NewsHub({
    news: serveNews(feed),
    report: (error) => {
      throw error;
    },
  });

class Reader {
  readonly heard: SequencedNews[] = [];
  readonly resyncs: { readonly from: Sequence; readonly why: string }[] = [];
  subscription: NewsSubscription | undefined;

  async open(
    feed: NewsFeed,
    { hub = hubOf(feed), missedMax = 10_000, accounts = [ACCOUNT] }: Opening = {},
  ): Promise<this> {
    const reader: NewsReader = {
      notify: (news) => this.heard.push(news),
      resync: (from, why) => this.resyncs.push({ from, why }),
      room: () => Promise.resolve(),
    };
    this.subscription = await NewsSubscription.open({ hub, missedMax, reader }, accounts);
    return this;
  }

  get last(): Sequence | undefined {
    return this.heard.at(-1)?.sequence;
  }
}

const LIVES = await lives();
const WORDS = LIVES.flatMap(({ news }) => news.map(words));

async function commitAll({ ledger, bus }: Stage, told: readonly Told[]): Promise<void> {
  for (const { turn, news } of told) {
    await ledger.commit([turn]);
    bus.publish(news);
  }
}

describe('the news feed', () => {
  test('the news of a portfolio cover its whole course', () => {
    expect(new Set(WORDS.map(({ messageType }) => messageType))).toEqual(
      new Set([
        'PORTFOLIO_SUBMITTED',
        'PORTFOLIO_STARTED',
        'PORTFOLIO_SLICE',
        'PORTFOLIO_WAITING',
        'PORTFOLIO_PART_FILLED',
        'PORTFOLIO_FILLED',
        'PORTFOLIO_CANCELLING',
        'PORTFOLIO_CANCELLED',
      ]),
    );
    for (const { turn, news } of LIVES) expect(turn.tells).toBe(news.length);
  });

  test('a reader gets the news as published, with increasing numbers', async () => {
    const s = stage();
    const reader = await new Reader().open(s.feed);
    await reader.subscription?.begin();
    await commitAll(s, LIVES);
    await s.run(1_000);
    expect(reader.heard.map(words)).toEqual(WORDS);
    const numbers = reader.heard.map(({ sequence }) => sequence);
    for (const [index, number] of numbers.entries()) {
      if (index > 0) expect(number > (numbers[index - 1] ?? 0n)).toBe(true);
    }
    expect(s.observer.failures).toEqual([]);
  });

  test('news of a process that died between commit and publication arrive within a second', async () => {
    const s = stage();
    const reader = await new Reader().open(s.feed);
    await reader.subscription?.begin();
    for (const { turn } of LIVES) await s.ledger.commit([turn]);
    await s.run(1_000);
    expect(reader.heard.map(words)).toEqual(WORDS);
  });

  test('news have the same numbers for every reader at any time', async () => {
    const s = stage();
    const live = await new Reader().open(s.feed);
    const start = live.subscription?.sequence;
    await live.subscription?.begin();
    await commitAll(s, LIVES);
    await s.run(1_000);
    live.subscription?.leave();
    const again = await new Reader().open(s.feed);
    await again.subscription?.begin(start);
    expect(again.heard).toEqual(live.heard.map((one) => ({ ...one, ...words(one) })));
    expect(again.resyncs).toEqual([]);
  });

  test('news arrive once and in order, whatever the bus loses and whenever readers come and go', async () => {
    const acts = fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom('tell', 'die', 'half') },
        { weight: 2, arbitrary: fc.constant('wait') },
        { weight: 2, arbitrary: fc.constantFrom('leave', 'come back', 'come back at once') },
      ),
      { minLength: 5, maxLength: 80, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(acts, async (course) => {
        const s = stage();
        const todo = [...LIVES];
        const all: SequencedNews[] = [];
        const reader = await new Reader().open(s.feed);
        let last = reader.subscription?.sequence ?? 0n;
        await reader.subscription?.begin();
        let current: Reader | undefined = reader;
        const leave = (): void => {
          current?.subscription?.leave();
          all.push(...(current?.heard ?? []));
          last = current?.last ?? last;
          current = undefined;
        };
        const comeBack = async (): Promise<Promise<void> | undefined> => {
          leave();
          current = await new Reader().open(s.feed);
          return current.subscription?.begin(last);
        };
        for (const act of course) {
          if (act === 'wait') await s.run(1_000);
          else if (act === 'leave') leave();
          else if (act === 'come back') await comeBack();
          else if (act === 'come back at once') void comeBack();
          else {
            const next = todo.shift();
            if (next === undefined) break;
            await s.ledger.commit([next.turn]);
            if (act === 'tell') s.bus.publish(next.news);
            if (act === 'half') s.bus.publish(next.news.slice(1));
          }
        }
        if (current === undefined) await comeBack();
        await s.run(2_000);
        leave();
        const done = LIVES.length - todo.length;
        const expected = LIVES.slice(0, done).flatMap(({ news }) => news.map(words));
        expect(all.map(words)).toEqual(expected);
        expect(s.observer.failures).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a reader of the news', () => {
  test('a reader that missed too much has to resynchronize and gets the later news', async () => {
    const s = stage();
    const first = await new Reader().open(s.feed);
    const start = first.subscription?.sequence;
    await first.subscription?.begin();
    await commitAll(s, LIVES.slice(0, -1));
    await s.run(1_000);
    const late = await new Reader().open(s.feed, { missedMax: 5 });
    await late.subscription?.begin(start);
    expect(late.heard).toHaveLength(5);
    expect(late.resyncs).toEqual([{ from: s.feed.told, why: 'too_much' }]);
    await commitAll(s, LIVES.slice(-1));
    await s.run(1_000);
    expect(late.heard.slice(5).map(words)).toEqual(LIVES.at(-1)?.news.map(words));
  });

  test.for([
    ['that is no longer in the log', 1n],
    ['that was never assigned', 10n ** 25n],
  ] as const)(
    'a reader that continues from a number %s has to resynchronize',
    async ([_what, after]) => {
      const log = new MemoryTurnLog(5);
      const s = stage(log);
      const first = await new Reader().open(s.feed);
      await first.subscription?.begin();
      for (const { turn } of LIVES) {
        await s.ledger.commit([turn]);
        log.add([turn]);
      }
      await s.run(1_000);
      const late = await new Reader().open(s.feed);
      await late.subscription?.begin(after);
      expect(late.heard).toEqual([]);
      expect(late.resyncs).toEqual([{ from: s.feed.told, why: 'forgotten' }]);
    },
  );

  test('a reader gets no news of foreign accounts, and they are not read from the ledger', async () => {
    const s = stage();
    const loads: string[] = [];
    const load = s.ledger.load.bind(s.ledger);
    s.ledger.load = (portfolio) => {
      loads.push(portfolio);
      return load(portfolio);
    };
    const reader = await new Reader().open(s.feed);
    await reader.subscription?.begin();
    for (const { turn } of LIVES) {
      await s.ledger.commit([{ ...turn, row: { ...turn.row, account: accountId('10002') } }]);
    }
    await s.run(2_000);
    expect([reader.heard, loads]).toEqual([[], []]);
  });

  test('a reader that throws does not affect the others', async () => {
    const s = stage();
    const failures: unknown[] = [];
    const hub = new NewsHub({ news: serveNews(s.feed), report: (error) => failures.push(error) });
    const reader = await new Reader().open(s.feed, { hub });
    const room = () => Promise.resolve();
    const notify = () => {
      throw new Error('deaf');
    };
    const parts = { hub, missedMax: 10, reader: { notify, room, resync: () => undefined } };
    const deaf = await NewsSubscription.open(parts, [ACCOUNT]);
    await deaf.begin();
    await reader.subscription?.begin();
    await commitAll(s, LIVES);
    await s.run(1_000);
    expect(reader.heard.map(words)).toEqual(WORDS);
    expect(failures).toHaveLength(WORDS.length);
  });
});

describe('the readers of one process', () => {
  test('the readers of one process share one subscription per account, which ends with the last of them', async () => {
    const s = stage();
    const followed: string[] = [];
    const news = serveNews(s.feed);
    const hub = new NewsHub({
      report: () => undefined,
      news: {
        ...news,
        follow: (account, listener) => {
          followed.push(`+${account}`);
          const leave = news.follow(account, listener);
          return () => {
            followed.push(`-${account}`);
            leave();
          };
        },
      },
    });
    const readers = [new Reader(), new Reader()];
    for (const reader of readers) {
      await reader.open(s.feed, { hub });
      await reader.subscription?.begin();
    }
    await commitAll(s, LIVES);
    await s.run(1_000);
    for (const { heard } of readers) expect(heard.map(words)).toEqual(WORDS);
    for (const { subscription } of readers) {
      expect(followed).toEqual([`+${ACCOUNT}`]);
      subscription?.leave();
    }
    expect(followed).toEqual([`+${ACCOUNT}`, `-${ACCOUNT}`]);
  });

  test('the readers of one process get the news of an account from when they want it until they no longer do', async () => {
    const s = stage();
    const reader = await new Reader().open(s.feed, { accounts: [accountId('10002')] });
    await reader.subscription?.begin();
    const half = Math.floor(LIVES.length / 2);
    await commitAll(s, LIVES.slice(0, 2));
    await s.run(1_000);
    expect(reader.heard).toEqual([]);
    await reader.subscription?.want([ACCOUNT, accountId('10002')]);
    await commitAll(s, LIVES.slice(2, half));
    await s.run(1_000);
    const wanted = LIVES.slice(2, half).flatMap(({ news }) => news.map(words));
    expect(wanted.length).toBeGreaterThan(0);
    expect(reader.heard.map(words)).toEqual(wanted);
    await reader.subscription?.want([accountId('10002')]);
    await commitAll(s, LIVES.slice(half));
    await s.run(1_000);
    expect(reader.heard.map(words)).toEqual(wanted);
  });
});

describe('a turn log with a gap', () => {
  /** Has no entry at any position while `isBroken`. */
  function brokenLog() {
    const inner = new MemoryTurnLog();
    const state = { isBroken: true };
    const log: TurnLog = {
      newestPosition: () => inner.newestPosition(),
      groupsFrom: (from, limit) =>
        state.isBroken ? Promise.resolve(undefined) : inner.groupsFrom(from, limit),
    };
    return { inner, state, log };
  }

  test('repeated gaps in the log cause resynchronizations with exponential back-off', async () => {
    const { log } = brokenLog();
    const s = stage(log);
    const reader = await new Reader().open(s.feed);
    await reader.subscription?.begin();
    const { news } = must(LIVES[0], 'one turn');
    for (let ms = 0; ms < 600_000; ms += 100) {
      s.bus.publish(news);
      await s.run(100);
    }
    expect(reader.resyncs.length).toBeGreaterThan(5);
    expect(reader.resyncs.length).toBeLessThan(30);
    expect(s.observer.failures.map(({ where }) => where)).toEqual(reader.resyncs.map(() => 'news'));
    expect(String(s.observer.failures[0]?.error)).toContain('the turn log has no group at 0');
  });

  test('a gap is reported once to a reader of several accounts, and to every reader', async () => {
    const { log } = brokenLog();
    const s = stage(log);
    const accounts = [ACCOUNT, accountId('10002')];
    const hub = hubOf(s.feed);
    const [both, one] = [new Reader(), new Reader()];
    await both.open(s.feed, { hub, accounts });
    await one.open(s.feed, { hub });
    await both.subscription?.begin();
    await one.subscription?.begin();
    await s.run(120_000);
    expect(one.resyncs.length).toBeGreaterThan(1);
    expect(both.resyncs).toEqual(one.resyncs);
    expect(s.observer.failures).toHaveLength(one.resyncs.length);
  });

  test('a repaired log is followed again at once, and a later gap is reported without delay', async () => {
    const { inner, state, log } = brokenLog();
    const s = stage(log);
    const reader = await new Reader().open(s.feed);
    await reader.subscription?.begin();
    await s.run(120_000);
    state.isBroken = false;
    await s.run(31_000);
    const before = reader.resyncs.length;
    for (const { turn, news } of LIVES) {
      await s.ledger.commit([turn]);
      inner.add([turn]);
      s.bus.publish(news);
    }
    await s.run(1_000);
    expect(reader.heard.map(words)).toEqual(WORDS);
    expect(reader.resyncs).toHaveLength(before);
    await s.run(120_000);
    state.isBroken = true;
    await s.run(1_100);
    expect(reader.resyncs.length).toBeGreaterThan(before);
  });
});

describe('the news feed while the ledger cannot be read', () => {
  test('readers cannot start while the ledger cannot be read, and no news is lost', async () => {
    const inner = new MemoryTurnLog();
    let isUp = true;
    const whenUp = <T>(read: () => Promise<T>): Promise<T> =>
      isUp ? read() : Promise.reject(new Error('away'));
    const s = stage({
      newestPosition: () => whenUp(() => inner.newestPosition()),
      groupsFrom: (from, limit) => whenUp(() => inner.groupsFrom(from, limit)),
    });
    const reader = await new Reader().open(s.feed);
    await reader.subscription?.begin();
    isUp = false;
    for (const { turn, news } of LIVES) {
      await s.ledger.commit([turn]);
      inner.add([turn]);
      s.bus.publish(news);
    }
    await s.run(3_000);
    expect(reader.heard).toEqual([]);
    reader.subscription?.leave();
    await expect(new Reader().open(s.feed)).rejects.toThrow('away');
    isUp = true;
    const again = await new Reader().open(s.feed);
    await again.subscription?.begin(reader.subscription?.sequence);
    await s.run(1_000);
    expect(again.heard.map(words)).toEqual(WORDS);
    expect(s.observer.failures.length).toBeGreaterThan(0);
  });
});

describe('the lifetime of the news feed', () => {
  test('a drain waits for a read in progress, whose news is not published any more', async () => {
    const inner = new MemoryTurnLog();
    let slowly: Promise<void> | undefined;
    const s = stage({
      newestPosition: () => inner.newestPosition(),
      groupsFrom: async (from, limit) => {
        await slowly;
        return await inner.groupsFrom(from, limit);
      },
    });
    const reader = await new Reader().open(s.feed);
    await reader.subscription?.begin();
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    slowly = promise;
    for (const { turn, news } of LIVES) {
      await s.ledger.commit([turn]);
      inner.add([turn]);
      s.bus.publish(news);
    }
    await s.run(1_000);
    let isDrained = false;
    const drained = s.feed.drain().then(() => {
      isDrained = true;
    });
    await settle();
    expect(isDrained).toBe(false);
    answer();
    await drained;
    await s.run(5_000);
    expect(reader.heard).toEqual([]);
    await expect(
      s.feed.follow({ wants: () => true, notify: () => undefined, lost: () => undefined }),
    ).rejects.toThrow('the news feed has stopped');
  });
});
