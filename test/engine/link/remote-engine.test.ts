// The engine's interface over a line: what a caller gets where the engine is away, who may change something, and what
// followers hear across two connections.

import { setImmediate } from 'node:timers';
import { beforeEach, expect, test } from 'vitest';
import type { EngineApi } from '../../../src/engine/interface/engine-api.ts';
import { RULE_OF } from '../../../src/engine/link/interface-rules.ts';
import { remoteEngine } from '../../../src/engine/link/remote-engine.ts';
import { serveLine } from '../../../src/engine/link/serve-line.ts';
import type { Asker } from '../../../src/ports/deployment/engine-line.ts';
import { PeerUnanswered, PeerUnreached } from '../../../src/ports/deployment/engine-peers.ts';
import type { Scope } from '../../../src/ports/key-records.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import type { CancelOrder, NewOrder } from '../../../src/ports/trading-desk.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { accountId, instrumentName, venueName } from '../../../src/values/ids.ts';
import { BELIEVING, UNPACED } from '../../doubles/lone-api.ts';
import { MemoryEngineLine } from '../../doubles/memory/memory-engine-line.ts';
import { CROSSING } from '../../gateway/text-boundary.ts';

const TRADER: Asker = { rid: '1', method: 'private/buy', uid: '7', scopes: ['trade'] };
const READER: Asker = { ...TRADER, uid: '8', scopes: ['read'] };
const ACCOUNT = accountId('10001');
const BTC = instrumentName('BTC-PERPETUAL');
const PAPER = venueName('paper');
const ORDER = {
  account: ACCOUNT,
  instrument: BTC,
  side: 'buy',
  type: 'market',
  quantity: quantity('10'),
  timeInForce: 'immediate_or_cancel',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: '',
  mmp: false,
} as const satisfies NewOrder;
const CANCEL: CancelOrder = { account: ACCOUNT, of: { label: 'x', instrument: BTC } };

let line: MemoryEngineLine;
let asker: Asker | undefined;
let called: string[];
let engine: EngineApi;
let followers: ((notice: unknown) => void)[];

/** Every method answers with its name, every subscription keeps its listener. */
function everything(): EngineApi {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [name, { kind }] of RULE_OF) {
    const [group = '', method = ''] = name.split('.');
    groups[group] ??= {};
    groups[group][method] =
      kind === 'call'
        ? () => {
            called.push(name);
            return Promise.resolve(name);
          }
        : (...args: readonly unknown[]) => {
            followers.push(args.at(-1) as (notice: unknown) => void);
            return () => undefined;
          };
  }
  return groups as unknown as EngineApi;
}

const fail = (error: unknown): never => {
  throw error;
};

beforeEach(() => {
  called = [];
  followers = [];
  asker = TRADER;
  line = new MemoryEngineLine({ carry: (act) => setImmediate(act) });
  engine = remoteEngine({ line, asker: () => asker, openReads: UNPACED, onFault: fail });
});

const connect = (): void =>
  line.connect(serveLine({ ...BELIEVING, engine: everything(), onFault: fail }));

test('the rules name every method of the interface and no other', () => {
  expect([...RULE_OF.keys()].sort()).toEqual([...CROSSING].sort());
});

test('an order that was not passed on is refused as one to send again later', async () => {
  expect(await engine.orders.place(ORDER)).toMatchObject({ kind: 'refused', class: 'later' });
});

test('the outcome of an order whose connection is lost is unknown', async () => {
  line.connect({ call: () => new Promise(() => undefined), follow: () => () => undefined });
  const placed = engine.orders.place(ORDER);
  line.disconnect();
  expect(await placed).toEqual({ kind: 'unknown', reason: expect.stringContaining('lost') });
});

test('a submit that was not passed on fails as not made, and one without an answer as possibly made', async () => {
  const submit = () =>
    engine.portfolios.cancelAll({ account: ACCOUNT }, { uid: '7', nickname: '' });
  await expect(submit()).rejects.toBeInstanceOf(PeerUnreached);
  line.connect({ call: () => new Promise(() => undefined), follow: () => () => undefined });
  const asked = submit();
  line.disconnect();
  await expect(asked).rejects.toBeInstanceOf(PeerUnanswered);
});

test('market data fail as those of a silent venue', async () => {
  await expect(engine.market.ticker(PAPER, BTC)).rejects.toBeInstanceOf(MarketUnanswered);
});

test('a key without the scope changes nothing, even if its gateway lets it through', async () => {
  connect();
  asker = READER;
  expect(await engine.orders.place(ORDER)).toMatchObject({ kind: 'refused', class: 'later' });
  expect(called).toEqual([]);
  expect(await engine.orders.openOrders({ account: ACCOUNT })).toBe('orders.openOrders');
});

test('what a gateway says of a key is compared with the keys, which are read again before it is refused', async () => {
  const faults: unknown[] = [];
  const keys = new Map([[TRADER.uid, new Set<Scope>(['read'])]]);
  let reads = 0;
  const held = {
    of: (uid: string) => keys.get(uid) ?? new Set<Scope>(),
    refresh: () => {
      reads += 1;
      return Promise.resolve();
    },
  };
  const onFault = (error: unknown): void => void faults.push(error);
  line.connect(serveLine({ ...BELIEVING, engine: everything(), held, onFault }));
  for (const forged of [TRADER, { ...TRADER, uid: 'nobody' }]) {
    asker = forged;
    expect(await engine.orders.place(ORDER)).toMatchObject({ kind: 'refused', class: 'later' });
  }
  expect([called, reads, faults.length]).toEqual([[], 2, 2]);
  keys.set(TRADER.uid, new Set(['trade']));
  asker = READER;
  expect(await engine.orders.place(ORDER)).toMatchObject({ kind: 'refused' });
  asker = TRADER;
  expect(await engine.orders.place(ORDER)).toBe('orders.place');
  expect(await engine.orders.openOrders({ account: ACCOUNT })).toBe('orders.openOrders');
  expect([reads, faults.length]).toEqual([2, 2]);
});

test('an engine reads its keys again for a key that it does not know yet', async () => {
  const keys = new Set<Scope>();
  const refresh = (): Promise<void> => Promise.resolve(void keys.add('trade'));
  line.connect(
    serveLine({
      ...BELIEVING,
      engine: everything(),
      held: { of: () => keys, refresh },
      onFault: fail,
    }),
  );
  expect(await engine.orders.place(ORDER)).toBe('orders.place');
});

test('without a key a gateway may read and cancel, and nothing else', async () => {
  connect();
  asker = undefined;
  expect(await engine.orders.place(ORDER)).toMatchObject({ kind: 'refused' });
  await engine.orders.cancel(CANCEL);
  await engine.market.ticker(PAPER, BTC);
  expect(called).toEqual(['orders.cancel', 'market.ticker']);
});

test('what a change needs is the scope of the key, for every method that has one', async () => {
  connect();
  for (const [name, rule] of RULE_OF) {
    if (rule.kind !== 'call' || rule.scopes === undefined) continue;
    const [group = '', method = ''] = name.split('.');
    const call = (engine as unknown as Record<string, Record<string, () => Promise<unknown>>>)[
      group
    ]?.[method];
    const allowed = new Set<string>(rule.scopes);
    for (const scope of ['read', 'trade', 'blockRfq', 'admin'] as const) {
      asker = { ...TRADER, scopes: [scope] };
      called = [];
      await Promise.resolve(call?.()).catch(() => undefined);
      expect(called.length > 0, `${name} with ${scope}`).toBe(allowed.has(scope));
    }
  }
});

test('followers of orders, RFQs and markets are notified of the gap when the connection is made again', async () => {
  connect();
  const heard: unknown[] = [];
  engine.orders.follow(PAPER, (notice) => heard.push(notice));
  engine.rfqs.follow(PAPER, (notice) => heard.push(notice));
  engine.market.follow(PAPER, BTC, (notice) => heard.push(notice));
  await new Promise((done) => setImmediate(done));
  expect(heard).toEqual([]);
  line.disconnect();
  connect();
  expect(heard).toEqual([
    { kind: 'reconnected', accounts: [] },
    { kind: 'reconnected' },
    { kind: 'market', instrument: BTC },
  ]);
  await new Promise((done) => setImmediate(done));
  expect(followers).toHaveLength(6);
});

test('followers of one market share a subscription, and each hears every notice', async () => {
  connect();
  const heard: string[] = [];
  const leave = engine.market.follow(PAPER, BTC, () => heard.push('one'));
  engine.market.follow(PAPER, BTC, () => heard.push('other'));
  await new Promise((done) => setImmediate(done));
  expect(followers).toHaveLength(1);
  followers[0]?.({ kind: 'market', instrument: BTC });
  await new Promise((done) => setImmediate(done));
  leave();
  followers[0]?.({ kind: 'market', instrument: BTC });
  await new Promise((done) => setImmediate(done));
  expect(heard).toEqual(['one', 'other', 'other']);
});

test('news that begin again are announced as possibly lost up to there', async () => {
  connect();
  const heard: unknown[] = [];
  engine.news.follow(ACCOUNT, (notice) => heard.push(notice));
  await new Promise((done) => setImmediate(done));
  followers[0]?.({ kind: 'begun', from: 5n });
  await new Promise((done) => setImmediate(done));
  line.disconnect();
  connect();
  await new Promise((done) => setImmediate(done));
  followers[1]?.({ kind: 'begun', from: 9n });
  await new Promise((done) => setImmediate(done));
  expect(heard).toEqual([
    { kind: 'begun', from: 5n },
    { kind: 'lost', from: 9n },
  ]);
});

test('news cannot be followed without a connection', () => {
  const heard: unknown[] = [];
  engine.news.follow(ACCOUNT, (notice) => heard.push(notice));
  expect(heard).toEqual([{ kind: 'failed', reason: 'the engine is not connected' }]);
});
