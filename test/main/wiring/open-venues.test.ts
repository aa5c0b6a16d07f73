// A paper venue treats its accounts as the configuration specifies.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { loadConfig } from '../../../src/main/config/load-config.ts';
import { faultText } from '../../../src/main/fault.ts';
import { openVenues } from '../../../src/main/wiring/open-venues.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { assert, must } from '../../../src/values/assert.ts';
import { accountId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { anOrder, BTC, NOON } from '../../adapters/paper/paper-stage.ts';

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

  async function open(): Promise<PaperVenue> {
    const path = join(folder, 'config.yaml');
    writeFileSync(path, CONFIG);
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

  /** Joins the asks, then sweeps them, with orders of the same account. */
  async function meetsItself(venue: PaperVenue, account: string) {
    venue.watch(BTC);
    const { price } = must(venue.quote(BTC)?.ask, 'somebody sells');
    const terms = { price, account: accountId(account) };
    await venue.place(anOrder(venue, { ...terms, side: 'sell', postOnly: true }));
    const sweep = anOrder(venue, { ...terms, side: 'buy', quantity: quantity('3000000') });
    return await venue.place(sweep);
  }

  it("an account's own self-trade mode applies, or else that of the venue", async () => {
    const venue = await open();
    expect(await meetsItself(venue, '1')).toMatchObject({ kind: 'done' });
    expect(await meetsItself(venue, '2')).toMatchObject({ kind: 'refused', code: 10003 });
  });
});
