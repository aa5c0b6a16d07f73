import { describe, expect, it } from 'vitest';
import { rfqScene } from '../../../src/adapters/paper/rfq/rfq-scene.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { RefusedAnswer } from '../../../src/exchange/exchange-command.ts';
import { RFQ_DESKS } from '../../../src/exchange/market/block-makers/rfq-desks.ts';
import { RfqMakers } from '../../../src/exchange/market/block-makers/rfq-makers.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import type { Rfq } from '../../../src/exchange/rfq/rfq.ts';
import { money, quantity, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, currency } from '../../../src/values/ids.ts';
import { DAY_MS, type Instant, later, utcInstant } from '../../../src/values/instant.ts';
import { type Instrument, type Side, signOf } from '../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';

const NOON = utcInstant({ year: 2026, month: 11, day: 20, hour: 12 });
const TAKER = accountId('10001');
const STEP_MS = 250;

/** The exchange with the seeded market and all simulated makers, without the adapter. */
class Floor {
  readonly market = seededMarket({ seed: 'floor', startAt: NOON });
  readonly makers = new RfqMakers({ seed: 'floor', desks: RFQ_DESKS.length });
  readonly exchange = new Exchange({
    instruments: [],
    accounts: [{ account: TAKER, balances: new Map([[currency('BTC'), money('100000')]]) }],
  });
  readonly scene = rfqScene(this.exchange, this.market);
  readonly refusals: RefusedAnswer[] = [];
  readonly seen = new Set<string>();
  now: Instant = NOON;

  constructor() {
    this.exchange.handle(this.makers.seats(this.now));
  }

  use(instruments: readonly Instrument[]): void {
    for (const { name } of instruments) {
      if (this.exchange.instrument(name) !== undefined) continue;
      for (const command of this.market.start(name, this.now)) this.exchange.handle(command);
    }
  }

  pass(steps: number, check: (rfq: Rfq) => void): void {
    for (let step = 0; step < steps; step += 1) {
      this.now = later(this.now, STEP_MS);
      for (const command of this.market.step(this.now)) this.exchange.handle(command);
      this.exchange.handle({ kind: 'advance_rfqs', now: this.now });
      for (const command of this.makers.answers(this.now, this.scene)) {
        const answer = this.exchange.handle(command);
        if (answer.kind === 'refused') this.refusals.push(answer);
      }
      for (const rfq of this.exchange.rfqs.live()) check(rfq);
    }
  }
}

/** One to three options of one expiry, or sometimes a perpetual and a future. */
function structure(floor: Floor, random: Rng): readonly Instrument[] {
  const listed = floor.market.instruments(floor.now).filter(({ base }) => String(base) === 'BTC');
  if (random.next() < 0.2) {
    return listed.filter(
      ({ kind, marginKind }) => kind === 'perpetual' && marginKind === 'inverse',
    );
  }
  const near = listed.filter(({ kind, expiresAt = 0, option }) => {
    const strike = option === undefined ? 0 : toNumber(option.strike);
    const isNear = strike > 75_000 && strike < 110_000;
    return (
      kind === 'option' && isNear && expiresAt > NOON + 5 * DAY_MS && expiresAt < NOON + 90 * DAY_MS
    );
  });
  const first = must(near[random.below(near.length)], 'an option near the money');
  const same = near.filter(
    ({ expiresAt, name }) => expiresAt === first.expiresAt && name !== first.name,
  );
  const more = Math.min(random.below(3), same.length);
  return [
    first,
    ...Array.from({ length: more }, () =>
      must(same.splice(random.below(same.length), 1)[0], 'left'),
    ),
  ];
}

function createRfq(floor: Floor, random: Rng): void {
  const instruments = structure(floor, random);
  floor.use(instruments);
  const size = 25 * (1 + random.below(12));
  const answer = floor.exchange.handle({
    kind: 'create_rfq',
    now: floor.now,
    account: TAKER,
    legs: instruments.map((instrument) => ({
      instrument: instrument.name,
      quantity: quantity(String(instrument.kind === 'option' ? size : size * 10_000)),
      side: random.next() < 0.5 ? ('buy' as const) : ('sell' as const),
    })),
    makers: [],
    disclosed: true,
    label: '',
    allocations: [],
  });
  expect(answer.kind).toBe('rfq');
}

/**
 * What a taker receives or pays for the structure in the books at the best prices; NaN if that is not known.
 */
function inBooks({ exchange }: Floor, rfq: Rfq, side: Side): number {
  return rfq.legs.reduce((sum, leg) => {
    const sells = signOf(leg.side) * signOf(side) < 0;
    const touch = exchange.best(leg.instrument);
    const level = sells ? touch.bid : touch.ask;
    const at = level === undefined ? Number.NaN : toNumber(level.price);
    return sum + signOf(leg.side) * toNumber(leg.ratio) * at;
  }, 0);
}

describe('simulated RFQ makers on a moving market', () => {
  it("quotes are never refused, allow no arbitrage, and stay within the makers' limits", () => {
    const floor = new Floor();
    const random = rng('structures');
    let quotes = 0;
    let twoSided = 0;
    const check = (rfq: Rfq): void => {
      const shown = RFQ_DESKS.flatMap(({ account }) => floor.scene.ownQuotes(rfq, account));
      const ticksOf = (of: Side): number[] =>
        shown.flatMap(({ side, ticks }) => (side === of ? [ticks] : []));
      const [bids, offers] = [ticksOf('buy'), ticksOf('sell')];
      if (bids.length > 0 && offers.length > 0) {
        twoSided += 1;
        expect(Math.max(...bids)).toBeLessThan(Math.min(...offers));
      }
      for (const desk of RFQ_DESKS) {
        for (const quote of floor.scene.ownQuotes(rfq, desk.account)) {
          if (floor.seen.has(`${quote.id}/${quote.ticks}`) || quote.updatedAt !== floor.now)
            continue;
          floor.seen.add(`${quote.id}/${quote.ticks}`);
          quotes += 1;
          const at = quote.ticks * toNumber(rfq.resolution);
          // Sellers quote above the books' bid, buyers below the books' offer.
          if (quote.side === 'sell') expect(at).not.toBeLessThan(inBooks(floor, rfq, 'sell'));
          else expect(at).not.toBeGreaterThan(inBooks(floor, rfq, 'buy'));
          const size = quote.units * toNumber(rfq.unit);
          const risk = { delta: 0, vega: 0 };
          for (const { instrument, side, ratio } of rfq.legs) {
            const seen = must(floor.scene.outlook(instrument), 'they knew what it was worth');
            const amount = signOf(side) * toNumber(ratio) * size;
            risk.delta += amount * seen.delta * seen.index;
            risk.vega += amount * seen.vega;
          }
          expect(Math.abs(risk.delta)).toBeLessThanOrEqual(desk.deltaMaxUsd * 1.001);
          expect(Math.abs(risk.vega)).toBeLessThanOrEqual(desk.vegaMaxUsd * 1.001);
        }
      }
    };
    for (let round = 0; round < 25; round += 1) {
      createRfq(floor, random);
      floor.pass(60, check);
    }
    expect(floor.refusals).toEqual([]);
    expect(quotes).toBeGreaterThan(150);
    expect(twoSided).toBeGreaterThan(500);
  });

  it('makers keep selling until their limits are reached, and then stop', () => {
    const run = (trades: number): number => {
      const floor = new Floor();
      const options = floor.market
        .instruments(floor.now)
        .filter(({ kind, base, option, expiresAt = 0 }) => {
          const isNear =
            Math.abs(toNumber(option?.strike ?? (money('0') as never)) - 90_000) < 3_000;
          return (
            kind === 'option' && String(base) === 'BTC' && isNear && expiresAt > NOON + 30 * DAY_MS
          );
        });
      const { name: instrument } = must(options[0], 'an option near the money');
      floor.use(options.slice(0, 1));
      const create = () =>
        floor.exchange.handle({
          kind: 'create_rfq',
          now: floor.now,
          account: TAKER,
          legs: [{ instrument, quantity: quantity('300'), side: 'buy' }],
          makers: [],
          disclosed: true,
          label: '',
          allocations: [],
        });
      for (let trade = 0; trade < trades; trade += 1) {
        create();
        floor.pass(60, () => undefined);
        const rfq = must(floor.exchange.rfqs.page({ account: TAKER, count: 1 }).rfqs[0], 'asked');
        const price = rfq.asks[0]?.price;
        if (price === undefined) continue;
        const { now } = floor;
        const terms = { quantity: rfq.quantity, side: 'buy', price } as const;
        const accept = {
          kind: 'accept_rfq',
          now,
          account: TAKER,
          rfqId: rfq.id,
          ...terms,
        } as const;
        floor.exchange.handle({ ...accept, timeInForce: 'fill_or_kill' });
      }
      return RFQ_DESKS.reduce((sum, { account }) => sum + floor.scene.held(account, instrument), 0);
    };
    expect(run(2)).toBe(-600);
    const all = run(30);
    expect(all).toBeLessThan(-600);
    expect(all).toBeGreaterThan(-30 * 300);
  });
});
