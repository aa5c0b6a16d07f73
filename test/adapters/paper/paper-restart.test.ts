import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournalFile } from '../../../src/adapters/paper/journal/journal-file.ts';
import { JournalDamaged } from '../../../src/adapters/paper/journal/journal-text.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { tradesSince } from '../../../src/ports/trades-since.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, childLabelOf, currency } from '../../../src/values/ids.ts';
import { DAY_MS, later } from '../../../src/values/instant.ts';
import { value } from '../../conformance/venue-act.ts';
import { balancesOf, keyOf } from '../../support/engine/venue-records.ts';
import {
  ACCOUNT,
  anOrder,
  BTC,
  MemoryStore,
  NOON,
  OTHER,
  type PaperStage,
  paperStage,
  paperVenue,
} from './paper-stage.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});
const path = (): string => join(folder, 'data', 'exchange.journal');

/** Everything an account can query, as text. */
async function seen(venue: PaperVenue, account = ACCOUNT): Promise<string> {
  const open = await venue.openOrders({ account });
  const trades = await tradesSince(venue, account, later(NOON, -DAY_MS));
  const found = value(await venue.positions({ account }));
  // Profits and margins follow the mark price, which a restart may see at another moment.
  const positions = found.map(({ instrument, quantity: size, averagePrice }) => {
    return { instrument, size, averagePrice };
  });
  const balances = await balancesOf(venue, account);
  return JSON.stringify({ open, trades, positions, balances }, null, 1);
}

/** Fills, resting orders, cancels and edits on both accounts. */
async function traded(stage: PaperStage): Promise<void> {
  const { venue } = stage;
  venue.watch(BTC);
  for (let round = 0; round < 10; round += 1) {
    const { bid, ask } = must(venue.quote(BTC), 'a quote');
    const account = round % 3 === 0 ? OTHER : ACCOUNT;
    await venue.place(anOrder(venue, { account, price: must(ask, 'ask').price }));
    await venue.place(anOrder(venue, { account, side: 'sell', price: must(bid, 'bid').price }));
    const resting = anOrder(venue, { account });
    await venue.place(resting);
    if (round % 2 === 0) await venue.cancel({ account, of: keyOf(resting) });
    else await venue.edit({ account, of: keyOf(resting), price: price('88500') });
    await stage.pass(700);
  }
}

describe('a paper venue after a restart', () => {
  it('orders, trades, positions and balances of every account are restored', async () => {
    const first = paperStage({ journal: { store: new JournalFile(path()) } });
    await traded(first);
    const before = [await seen(first.venue), await seen(first.venue, OTHER)];
    expect(before[0]).toContain('"open"');
    expect(before[0]).toContain('"tradeId"');
    const second = paperStage({ journal: { store: new JournalFile(path()) } }, first.clock);
    expect([await seen(second.venue), await seen(second.venue, OTHER)]).toEqual(before);
    const third = paperStage({ journal: { store: new JournalFile(path()) } }, first.clock);
    expect([await seen(third.venue), await seen(third.venue, OTHER)]).toEqual(before);
  });

  it('no id is ever issued twice', async () => {
    const store = new MemoryStore();
    const ids = new Set<string>();
    let placed = 0;
    let clock = paperStage().clock;
    for (let life = 0; life < 4; life += 1) {
      const stage = paperStage({ journal: { store } }, clock);
      clock = stage.clock;
      stage.venue.watch(BTC);
      for (let number = 0; number < 5; number += 1) {
        const ask = must(stage.venue.quote(BTC)?.ask, 'ask').price;
        const answer = await stage.venue.place(anOrder(stage.venue, { price: ask }));
        const { order, trades } = value(answer);
        placed += 1 + trades.length;
        ids.add(order.orderId);
        for (const { tradeId } of trades) ids.add(`trade ${tradeId}`);
      }
    }
    expect(ids.size).toBe(placed);
  });

  it('a resting order is filled if the market has traded through it in the meantime', async () => {
    const store = new MemoryStore();
    const first = paperStage({ journal: { store } });
    first.venue.watch(BTC);
    const bid = must(first.venue.quote(BTC)?.bid, 'bid').price;
    for (const side of ['buy', 'sell'] as const) {
      const away = price(String(Math.round(Number(text(bid))) + (side === 'buy' ? -20 : 20)));
      await first.venue.place(anOrder(first.venue, { side, price: away, postOnly: true }));
    }
    await first.venue.close();
    await first.pass(3 * DAY_MS);
    const second = paperStage({ journal: { store } }, first.clock);
    const trades = value(await tradesSince(second.venue, ACCOUNT, NOON));
    expect(trades.length).toBeGreaterThan(0);
  });

  it('the market continues with the same listings and prices as without the restart', async () => {
    const store = new MemoryStore();
    const first = paperStage({ journal: { store } });
    await first.pass(DAY_MS);
    const second = paperStage({ journal: { store } }, first.clock);
    for (const { venue } of [first, second]) venue.watch(BTC);
    expect(second.venue.quote(BTC)).toEqual(first.venue.quote(BTC));
    expect(second.venue.instruments()).toEqual(first.venue.instruments());
  });

  it('instruments that expired in the meantime are settled at the restart', async () => {
    const store = new MemoryStore();
    const first = paperStage({ journal: { store } });
    const option = must(
      first.venue.instruments().find(({ kind, expiresAt }) => {
        return kind === 'option' && (expiresAt ?? 0) < later(NOON, DAY_MS);
      }),
      'an option of tomorrow',
    );
    first.venue.watch(option.name);
    const ask = must(first.venue.quote(option.name)?.ask, 'ask').price;
    const order = anOrder(first.venue, {
      instrument: option.name,
      quantity: quantity('1'),
      price: ask,
    });
    expect(await first.venue.place(order)).toMatchObject({ value: { order: { state: 'filled' } } });
    await first.venue.close();
    await first.pass(2 * DAY_MS);
    const second = paperStage({ journal: { store } }, first.clock);
    expect(value(await second.venue.positions({ account: ACCOUNT }))).toEqual([]);
    expect(second.venue.instrument(option.name)).toBeUndefined();
  });

  it('a new account gets its starting balances, and existing accounts keep theirs', async () => {
    const store = new MemoryStore();
    const first = paperStage({ journal: { store } });
    await traded(first);
    const before = await seen(first.venue);
    const [newcomer, usdc] = [accountId('10009'), currency('USDC')];
    const accounts = [
      { account: ACCOUNT },
      { account: newcomer, balances: new Map([[usdc, money('7')]]) },
    ];
    const second = paperStage({ journal: { store }, accounts }, first.clock);
    expect(await seen(second.venue)).toBe(before);
    expect(await balancesOf(second.venue, newcomer)).toMatchObject({ USDC: '7' });
  });
});

describe('the journal of the paper venue', () => {
  it('any other damage refuses the start and names the line', async () => {
    const first = paperStage({ journal: { store: new JournalFile(path()) } });
    await traded(first);
    const lines = readFileSync(path(), 'utf8').split('\n');
    const start = (): PaperStage =>
      paperStage({ journal: { store: new JournalFile(path()) } }, first.clock);
    const spoilt = (number: number, by: string): void =>
      writeFileSync(path(), lines.with(number - 1, by).join('\n'));
    for (const damage of ['{"kind":"trade","at":1', 'null', '{"kind":"rumour"}', '', '7']) {
      spoilt(5, damage);
      expect(start).toThrow(JournalDamaged);
      expect(start).toThrow('line 5 of the paper exchange');
    }
    spoilt(1, '{"kind":"snapshot","bornAt":1,"savedAt":1,"snapshot":{"version":2}}');
    expect(start).toThrow('line 1 of the paper exchange');
    expect(start).toThrow('version 1 is expected, found 2');
    writeFileSync(path(), 'no line feed');
    expect(start).toThrow('the snapshot is cut short');
  });

  it('the journal is rewritten as a snapshot at every start and when it is full', async () => {
    const store = new MemoryStore();
    const stage = paperStage({ journal: { store, rotateBytes: 4_000 } });
    expect(store.text.split('\n')).toHaveLength(2);
    await traded(stage);
    expect(store.replaced).toBeGreaterThan(5);
    const before = await seen(stage.venue);
    const again = paperStage({ journal: { store } }, stage.clock);
    expect(await seen(again.venue)).toBe(before);
    expect(store.text.split('\n')).toHaveLength(2);
  });

  it('a snapshot that cannot be written is reported, and the venue continues with the journal it has', async () => {
    class FullStore extends MemoryStore {
      override replaceBefore(): Promise<void> {
        return Promise.reject(new Error('ENOSPC'));
      }
    }
    const [handled, fatal]: [unknown[], unknown[]] = [[], []];
    const stage = paperStage({
      journal: { store: new FullStore(), rotateBytes: 4_000 },
      onSnapshotFault: (error: unknown) => handled.push(error),
      onFault: (error: unknown) => fatal.push(error),
    });
    await traded(stage);
    expect(handled.length).toBeGreaterThan(0);
    expect(fatal).toEqual([]);
    const answer = await stage.venue.place(anOrder(stage.venue));
    expect(answer.kind).toBe('done');
  });

  it('the journal contains the events of an answer before the answer is given', async () => {
    const store = new MemoryStore();
    const stage = paperStage({ journal: { store } });
    const order = anOrder(stage.venue);
    await stage.venue.place(order);
    expect(store.text).toContain(order.label);
  });

  it('answers wait for the disk if fsync is configured', async () => {
    class Disk extends MemoryStore {
      readonly waiting: (() => void)[] = [];
      override sync(): Promise<void> {
        return new Promise((resolve) => this.waiting.push(resolve));
      }
    }
    const store = new Disk();
    const stage = paperStage({ journal: { store, sync: 'fsync' } });
    let answered = false;
    const heard: string[] = [];
    stage.venue.subscribe(({ kind }) => heard.push(kind));
    void stage.venue.place(anOrder(stage.venue)).then(() => {
      answered = true;
    });
    await stage.pass(100);
    expect([answered, heard]).toEqual([false, []]);
    for (const done of store.waiting.splice(0)) done();
    await stage.pass(100);
    expect([answered, heard]).toEqual([true, ['order']]);
  });

  it('a real file is flushed once for many waiting answers', async () => {
    const store = new JournalFile(path());
    const stage = paperStage({ journal: { store, sync: 'fsync' } });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => stage.venue.place(anOrder(stage.venue))),
    );
    expect(answers.every(({ kind }) => kind === 'done')).toBe(true);
    await stage.venue.close();
    expect(readFileSync(path(), 'utf8').match(/order_changed/g)).toHaveLength(50);
  });
});

describe('the file of a journal', () => {
  it('requests of one turn are answered after their lines have been written together', async () => {
    const stage = paperStage({ journal: { store: new JournalFile(path()) } });
    const lines = (): number => readFileSync(path(), 'utf8').match(/order_changed/g)?.length ?? 0;
    const seenAt: number[] = [];
    const asked = Array.from({ length: 20 }, async () => {
      const answer = await stage.venue.place(anOrder(stage.venue));
      seenAt.push(lines());
      return answer.kind;
    });
    expect(lines()).toBe(0);
    // Nobody reads an order of which a crash could still leave nothing.
    const open = stage.venue.openOrders({ account: ACCOUNT }).then((reply) => {
      seenAt.push(lines());
      return value(reply).length;
    });
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['done']));
    expect(await open).toBe(20);
    expect(seenAt).toEqual(Array.from({ length: 21 }, () => 20));
    await stage.venue.close();
  });

  it('after a write that has failed, nothing more is appended', async () => {
    mkdirSync(dirname(path()), { recursive: true });
    symlinkSync('/dev/full', path());
    const store = new JournalFile(path());
    store.append('a line\n');
    await expect(store.written()).rejects.toThrow('ENOSPC');
    expect(store.written()).toBeUndefined();
    expect(() => store.append('another\n')).toThrow('ENOSPC');
    await expect(store.sync()).rejects.toThrow('ENOSPC');
    store.close();
  });
});

describe('a killed process with a paper venue', () => {
  it('everything the process had answered is restored', { timeout: 240_000 }, async () => {
    const script = fileURLToPath(new URL('./paper-process.ts', import.meta.url));
    const child = spawn(process.execPath, [script, path()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const answered: string[][] = [];
    for await (const line of createInterface({ input: must(child.stdout, 'stdout') })) {
      answered.push(line.split(' '));
      if (answered.length === 150) child.kill('SIGKILL');
    }
    const venue = paperVenue(new SystemClock(), { journal: { store: new JournalFile(path()) } });
    try {
      let filled = 0;
      for (const [label = '', orderId, state] of answered) {
        const query = { account: ACCOUNT, instrument: BTC, label: childLabelOf(label) };
        const { orders } = value(await venue.reconcile(query));
        expect(orders.map((order) => order.orderId as string)).toEqual([orderId]);
        if (state === 'filled') filled += 1;
        if (state === 'filled') expect(orders[0]?.state).toBe('filled');
      }
      expect(answered.length).toBeGreaterThanOrEqual(150);
      expect(filled).toBeGreaterThan(30);
    } finally {
      await venue.close();
    }
  });
});

describe('the market of a paper venue', () => {
  it('market time starts at the first start of the exchange', () => {
    const store = new MemoryStore();
    const starts: number[] = [];
    const market: Parameters<typeof paperStage>[0] = {
      journal: { store },
      market: (bornAt) => {
        starts.push(bornAt);
        return seededMarket({ seed: 'stage', startAt: bornAt });
      },
    };
    const first = paperStage(market);
    first.clock.advanceTo(later(NOON, DAY_MS));
    paperStage(market, first.clock);
    expect(starts).toEqual([NOON, NOON]);
  });
});
