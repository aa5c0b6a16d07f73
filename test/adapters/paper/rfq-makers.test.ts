import { describe, expect, it } from 'vitest';
import type { RfqDesk } from '../../../src/ports/block-rfq.ts';
import { isLess, type Quantity, quantity, text, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { RfqRecord } from '../../../src/values/block-rfq-record.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/values/instant.ts';
import type { Instrument, OptionType } from '../../../src/values/instrument.ts';
import { value } from '../../conformance/venue-act.ts';
import {
  ACCOUNT,
  NOON,
  OTHER,
  type PaperStage,
  paperStage,
  type StageOptions,
} from './paper-stage.ts';

const DESKS = { seed: 'desks', desks: 5 };
const stage = (more: StageOptions = {}) => paperStage({ rfqMakers: DESKS, ...more });
const rfqsOf = ({ venue }: PaperStage): RfqDesk => must(venue.rfqs, 'paper has Block RFQs');

/** Near the money, at least three weeks to expiry. */
function nearMoney({ venue }: PaperStage, type: OptionType = 'call'): Instrument {
  const index = 90_000;
  const options = venue.instruments().filter(({ kind, base, expiresAt = 0, option }) => {
    const isMonths = expiresAt > NOON + 20 * DAY_MS && expiresAt < NOON + 60 * DAY_MS;
    return kind === 'option' && String(base) === 'BTC' && isMonths && option?.type === type;
  });
  const off = ({ option }: Instrument) => Math.abs(toNumber(option?.strike as never) - index);
  return must(options.sort((a, b) => off(a) - off(b))[0], 'an option is listed');
}

async function createRfq(on: PaperStage, size: Quantity, instruments = [nearMoney(on)]) {
  const reply = await rfqsOf(on).create({
    account: ACCOUNT,
    legs: instruments.map(({ name }) => ({
      instrument: name,
      quantity: size,
      side: 'buy' as const,
    })),
    makers: [],
    disclosed: true,
    allocations: [],
  });
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  return reply.value;
}

async function seen(on: PaperStage, id: string): Promise<RfqRecord> {
  const reply = await rfqsOf(on).rfqs({ account: ACCOUNT, id, count: 1 });
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  return must(reply.value.rfqs[0], 'the RFQ is there');
}

describe('simulated RFQ makers of the paper market', () => {
  it('a single taker can complete an RFQ with simulated makers', async () => {
    const on = stage();
    const { id, quantity: size } = await createRfq(on, quantity('50'));
    await on.pass(12 * SECOND_MS);
    const { asks, bids, status } = await seen(on, id);
    expect(status).toBe('open');
    const [ask1, bid] = [must(asks[0], 'an offer'), must(bids[0], 'a bid')];
    expect(isLess(bid.price, ask1.price)).toBe(true);
    const accepted = await rfqsOf(on).accept({
      account: ACCOUNT,
      rfqId: id,
      quantity: size,
      side: 'buy',
      price: ask1.price,
      timeInForce: 'fill_or_kill',
    });
    if (accepted.kind !== 'done') throw new Error(JSON.stringify(accepted));
    expect(accepted.value.rfq.status).toBe('filled');
    const held = value(await on.venue.positions({ account: ACCOUNT }));
    expect(held.map((position) => text(position.quantity))).toEqual(['50']);
  });

  it('makers quote after a delay around the mark price, move with it, and end with the RFQ', async () => {
    const on = stage();
    const option = nearMoney(on);
    const { id } = await createRfq(on, quantity('25'), [option]);
    await on.pass(SECOND_MS / 2);
    expect((await seen(on, id)).bids).toEqual([]);
    const asks = new Set<string>();
    for (let round = 0; round < 28; round += 1) {
      await on.pass(10 * SECOND_MS);
      const rfq = await seen(on, id);
      const mark = toNumber(must(on.venue.quote(option.name)?.mark, 'it is marked'));
      for (const { price } of rfq.bids) expect(toNumber(price)).toBeLessThan(mark + 0.0005);
      for (const { price } of rfq.asks) {
        asks.add(text(price));
        expect(toNumber(price)).toBeGreaterThan(mark - 0.0005);
        expect(toNumber(price)).toBeLessThan(mark * 1.2 + 0.001);
      }
    }
    expect(asks.size).toBeGreaterThan(2);
    await on.pass(MINUTE_MS);
    expect((await seen(on, id)).status).toBe('expired');
    expect(on.clock.now()).toBeGreaterThan(NOON);
  });

  it('makers quote a straddle as a whole, within their limits', async () => {
    const on = stage();
    const legs = [nearMoney(on), nearMoney(on, 'put')];
    const straddle = await createRfq(on, quantity('25'), legs);
    await on.pass(15 * SECOND_MS);
    expect((await seen(on, straddle.id)).asks).toHaveLength(1);
    const huge = await createRfq(on, quantity('20000'), legs);
    await on.pass(30 * SECOND_MS);
    const { asks, bids } = await seen(on, huge.id);
    expect([...asks, ...bids]).toEqual([]);
  });

  it('makers are the same for the same seed, differ for others, and can be turned off', async () => {
    const run = async (options: StageOptions) => {
      const on = stage(options);
      const { id } = await createRfq(on, quantity('30'));
      const shown: string[] = [];
      for (let round = 0; round < 6; round += 1) {
        await on.pass(7 * SECOND_MS);
        const { bids, asks } = await seen(on, id);
        shown.push([...bids, ...asks].map((l) => `${text(l.price)} ${l.makers}`).join(', '));
      }
      return shown;
    };
    const first = await run({});
    expect(await run({})).toEqual(first);
    expect(await run({ rfqMakers: { ...DESKS, seed: 'others' } })).not.toEqual(first);
    expect(await run({ rfqMakers: { ...DESKS, desks: 0 } })).toEqual(Array(6).fill(''));
    expect(await run({ rfqMakers: undefined })).toEqual(Array(6).fill(''));
  });

  it('simulated makers quote next to users, each under its own alias', async () => {
    const on = stage({ accounts: [{ account: ACCOUNT }, { account: OTHER, makerAlias: 'ME' }] });
    const makers = await rfqsOf(on).makers(ACCOUNT);
    expect(makers).toMatchObject({ value: ['ALDER', 'BIRCH', 'CEDAR', 'LARCH', 'ME', 'ROWAN'] });
  });
});
