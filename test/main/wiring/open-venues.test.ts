// A paper venue treats its accounts as the configuration specifies.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { faultText } from '../../../src/main/fault.ts';
import { mainAccounts, openVenues } from '../../../src/main/wiring/open-venues.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { assert, must } from '../../../src/values/assert.ts';
import { accountId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { anOrder, BTC, NOON } from '../../adapters/paper/paper-stage.ts';
import { value } from '../../conformance/venue-act.ts';

const CONFIG = `venues:
  paper: { kind: paper, latencyMs: 0, market: { kind: seeded }, rules: { selfTrade: cancel_maker } }
accounts:
  - { id: "1", name: follows the venue, venue: paper }
  - { id: "2", name: refuses, venue: paper, selfTrade: reject_taker }
keys:
  - { id: desk, secret: env:SECRET, uid: "7", nickname: desk, accounts: ["1"], scopes: [trade] }
`;

describe('an account of a paper venue', () => {
  const closers: (() => Promise<unknown> | unknown)[] = [];
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'twapd-venues-'));
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(config = CONFIG): Promise<PaperVenue> {
    const path = join(folder, 'config.yaml');
    writeFileSync(path, config);
    const secret = Buffer.from('a secret of this test').toString('base64');
    const read = loadConfig(path, {
      environment: (name) => (name === 'SECRET' ? secret : undefined),
    });
    if (read.kind === 'faulty') throw new Error(read.faults.map(faultText).join('\n'));
    const fail = (error: unknown): never => {
      throw error;
    };
    const venues = await openVenues({
      config: read.value,
      dataDir: { venue: () => folder } as never,
      clock: new VirtualClock(NOON),
      onFault: fail,
      allowsLive: false,
      report: () => fail,
      keys: { all: () => [], watch: () => () => undefined },
      closers,
    });
    const [venue] = venues.all();
    assert(venue instanceof PaperVenue, 'a paper venue is configured');
    closers.push(() => venue.close());
    return venue;
  }

  /** Joins the asks with an order of `maker`, then sweeps them with one of the account. */
  async function meetsItself(venue: PaperVenue, account: string, maker = account) {
    venue.watch(BTC);
    const { price } = must(venue.quote(BTC)?.ask, 'somebody sells');
    const rests = { price, account: accountId(maker), side: 'sell', postOnly: true } as const;
    await venue.place(anOrder(venue, rests));
    const terms = { price, account: accountId(account), side: 'buy' } as const;
    return await venue.place(anOrder(venue, { ...terms, quantity: quantity('3000000') }));
  }

  it("an account's own self-trade mode applies, or else that of the venue", async () => {
    const venue = await open();
    expect(await meetsItself(venue, '1')).toMatchObject({ kind: 'done' });
    expect(await meetsItself(venue, '2')).toMatchObject({ kind: 'refused', code: 10003 });
  });

  it('an extended mode covers the accounts that a key has together, and no others', async () => {
    const key = (id: string, accounts: string) =>
      `  - { id: ${id}, secret: env:SECRET, uid: "7", nickname: desk, accounts: ${accounts}, scopes: [trade] }\n`;
    const [venues = '', keys = ''] = CONFIG.split('keys:\n');
    const extended = venues.replace('cancel_maker', 'cancel_taker_extended');
    expect(keys).toBe(key('desk', '["1"]'));
    const apart = await open(`${extended}keys:\n${key('one', '["1"]')}${key('two', '["2"]')}`);
    const traded = value(await meetsItself(apart, '1', '2')).trades;
    expect(traded.length).toBeGreaterThan(0);
    for (const close of closers.splice(0).reverse()) await close();
    rmSync(folder, { recursive: true, force: true });
    folder = mkdtempSync(join(tmpdir(), 'twapd-venues-'));
    const together = await open(`${extended}keys:\n${key('both', '["1", "2"]')}`);
    expect(await meetsItself(together, '1', '2')).toMatchObject({
      kind: 'done',
      value: { order: { state: 'cancelled', cancelReason: 'order_overlap_another_sub' } },
    });
  });
});

describe('the main account of an account', () => {
  it.each([
    [[['1', '2'], ['3']], { 1: '1', 2: '1', 3: '3' }],
    [[['2', '1']], { 1: '2', 2: '2' }],
    // Two families that a later key joins.
    [
      [
        ['1', '2'],
        ['3', '4'],
        ['4', '2'],
      ],
      { 1: '3', 2: '3', 3: '3', 4: '3' },
    ],
  ])('keys with the accounts %j give %j', (keys, expected) => {
    const mainOf = mainAccounts(keys.map((accounts) => ({ accounts })));
    const found = Object.keys(expected).map((account) => [account, mainOf(account)]);
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(mainOf('9')).toBeUndefined();
  });
});
