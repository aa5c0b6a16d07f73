// A paper exchange on live prices: it shows the market of another exchange, and nothing it does reaches that one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { marketSection } from '../../../src/main/config/sections/market-section.ts';
import { rulesSection } from '../../../src/main/config/sections/rules-section.ts';
import type { PaperVenueSection } from '../../../src/main/config/sections/venues-section.ts';
import { openMarket } from '../../../src/main/wiring/open-market.ts';
import { OtherMarket } from '../../../src/main/wiring/recorded/recording-start.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { isCombo, passiveTick } from '../../../src/values/instrument.ts';
import { type ServedDeribit, serveDeribit } from '../../adapters/deribit/deribit-stage.ts';
import { ACCOUNT, anOrder, BTC, OTHER, paperVenue } from '../../adapters/paper/paper-stage.ts';

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const section = (market: object): PaperVenueSection => ({
  kind: 'paper',
  seed: 1,
  latencyMs: 0,
  rfqMakers: 5,
  quietWindows: [],
  market: marketSection.parse(market),
  rules: rulesSection.parse({}),
  journalSync: false,
  startingBalances: {},
});

interface Rehearsal {
  readonly live: ServedDeribit;
  readonly paper: PaperVenue;
  readonly folder: string;
}

async function rehearsal(market: object = {}): Promise<Rehearsal> {
  const live = await serveDeribit();
  let isServed = true;
  const stop = async (): Promise<void> => {
    if (isServed) await live.close();
    isServed = false;
  };
  closers.push(stop);
  const folder = mkdtempSync(join(tmpdir(), 'twapd-live-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const opened = await openMarket(section({ from: 'deribit', url: live.url, ...market }), {
    clock: live.clock,
    folder,
    report: () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  closers.push(() => opened.close());
  const { market: source, trouble: marketTrouble } = opened;
  const paper = paperVenue(live.clock, { market: source, marketTrouble, latencyMs: 0 });
  closers.push(() => paper.close());
  return { live: { ...live, close: stop }, paper, folder };
}

/** Both markets, once the paper one shows the book of the other. */
async function quoted({ live, paper }: Rehearsal) {
  live.venue.watch(BTC);
  paper.watch(BTC);
  await expect.poll(() => paper.quote(BTC)?.ask).toBeDefined();
  return must(paper.quote(BTC), 'a quote');
}

describe('a paper exchange on live prices', () => {
  test('the instruments of the live venue are listed with the same terms, its combos excepted', async () => {
    const { live, paper } = await rehearsal();
    const theirs = live.venue.instruments().filter((one) => !isCombo(one));
    expect(theirs.length).toBeGreaterThan(100);
    expect(paper.instruments()).toHaveLength(theirs.length);
    for (const one of theirs.slice(0, 50)) expect(paper.instrument(one.name)).toEqual(one);
  });

  test('its book follows the live one, level by level', async () => {
    const scene = await rehearsal();
    await quoted(scene);
    const best = (venue: PaperVenue) => venue.quote(BTC)?.bid?.price.toString();
    const seen = new Set<string | undefined>();
    await expect.poll(() => seen.add(best(scene.paper)).size).toBeGreaterThan(3);
    const theirs = must(scene.live.venue.quote(BTC)?.mark, 'a mark').toNumber();
    const ours = must(scene.paper.quote(BTC)?.mark, 'a mark').toNumber();
    expect(Math.abs(ours - theirs) / theirs).toBeLessThan(0.01);
  });

  test('an order fills at the price that is shown, and none reaches the live venue', async () => {
    const scene = await rehearsal();
    const quote = await quoted(scene);
    const { paper, live } = scene;
    const ask = must(quote.ask, 'somebody sells');
    const terms = must(paper.instrument(BTC), 'listed');
    const reply = await paper.place(
      anOrder(paper, {
        quantity: terms.minAmount,
        timeInForce: 'immediate_or_cancel',
        price: passiveTick(terms, 'buy', ask.price.mul('1.005') as typeof ask.price),
        validUntil: later(paper.venueNow(), 5_000),
      }),
    );
    expect(reply).toMatchObject({ kind: 'done', value: { order: { state: 'filled' } } });
    const positions = await live.venue.positions({ account: ACCOUNT });
    expect(positions).toMatchObject({ kind: 'done', value: [] });
  });

  test('an order resting at the touch is filled by the trades of the live market', async () => {
    const scene = await rehearsal();
    const quote = await quoted(scene);
    const { paper, live } = scene;
    const bid = must(quote.bid, 'somebody buys');
    const terms = must(paper.instrument(BTC), 'listed');
    const { minAmount } = terms;
    const placed = await paper.place(
      anOrder(paper, {
        quantity: minAmount,
        price: bid.price,
        postOnly: true,
        validUntil: later(paper.venueNow(), 5_000),
      }),
    );
    if (placed.kind !== 'done') throw new Error(JSON.stringify(placed));
    const { orderId } = placed.value.order;
    // A user of the live venue sells through the price at which our order rests.
    const below = passiveTick(terms, 'sell', bid.price.mul('0.99') as typeof bid.price);
    const sold = await live.venue.place(
      anOrder(live.venue, {
        account: OTHER,
        side: 'sell',
        price: below,
        quantity: quantity('2000000'),
        timeInForce: 'immediate_or_cancel',
        validUntil: later(live.venue.venueNow(), 5_000),
      }),
    );
    expect(sold).toMatchObject({ kind: 'done' });
    const stateNow = async () => {
      const found = await paper.order(ACCOUNT, orderId);
      return found.kind === 'done' ? found.value.state : found.kind;
    };
    await expect.poll(stateNow).toBe('filled');
  });

  test('a book is withdrawn when the live venue is gone, after the gap that is configured, and the reason is known', async () => {
    const scene = await rehearsal({ maxGapSec: 1 });
    await quoted(scene);
    // A busy machine may itself cause a gap of a second.
    await expect.poll(() => scene.paper.trouble()).toBeUndefined();
    await scene.live.close();
    await expect.poll(() => scene.paper.trouble()).toContain('live prices of 127.0.0.1');
    await expect.poll(() => scene.paper.quote(BTC)?.ask).toBeUndefined();
  });

  test('an exchange that traded on live prices does not continue on generated ones', async () => {
    const { folder, live } = await rehearsal();
    const seeded = openMarket(section({ kind: 'seeded' }), {
      clock: live.clock,
      folder,
      onFault: () => undefined,
      report: () => undefined,
    });
    await expect(seeded).rejects.toThrow(OtherMarket);
  });
});
