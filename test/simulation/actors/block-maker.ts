// The maker that quotes the Block RFQs of portfolios: polls its open requests and quotes one or more times, near
// the market or far from it.

import type { RfqApi } from '../../../src/engine/interface/order-api.ts';
import { type Price, steps } from '../../../src/values/amounts.ts';
import type { RfqRecord } from '../../../src/values/block-rfq-record.ts';
import type { InstrumentName } from '../../../src/values/ids.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { chance, pick } from '../plan/pick.ts';
import { ACCOUNTS, DUMMY } from '../plan/simulated-accounts.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { instrumentOf, type SimulatedMarket } from '../world/simulated-market.ts';

const MAKER = ACCOUNTS[1] ?? DUMMY;
const QUOTES_MAX = 3;
const OPEN_MAX = 10;

export class BlockMaker {
  readonly #draw: Rng;
  readonly #market: SimulatedMarket;
  /** Quotes given to each RFQ. */
  readonly #quotes = new Map<string, number>();

  constructor(seed: string, market: SimulatedMarket) {
    this.#draw = rng(`${seed}/block-maker`);
    this.#market = market;
  }

  act(alive: readonly SimulatedDaemon[]): void {
    const served = alive[this.#draw.below(Math.max(1, alive.length))];
    const desk = served?.desk.rfqsFor(MAKER) && served.methods.rfqs;
    if (desk !== undefined && chance(this.#draw, 0.5)) void this.#quoteOpen(desk);
  }

  async #quoteOpen(desk: RfqApi): Promise<void> {
    const filter = { account: MAKER, role: 'maker', status: 'open', count: OPEN_MAX } as const;
    const open = await desk.rfqs(filter);
    if (open.kind !== 'done') return;
    for (const rfq of open.value.rfqs) {
      const given = this.#quotes.get(rfq.id) ?? 0;
      if (given >= QUOTES_MAX || chance(this.#draw, 0.5)) continue;
      this.#quotes.set(rfq.id, given + 1);
      await this.#quote(desk, rfq, given);
    }
  }

  async #quote(desk: RfqApi, rfq: RfqRecord, given: number): Promise<void> {
    const awayTicks = pick(this.#draw, [-1, 0, 0, 4, 40]);
    const { id: rfqId, quantity, hedge } = rfq;
    await desk.quote({
      account: MAKER,
      rfqId,
      quantity,
      side: 'sell',
      legs: rfq.legs.map((leg) => {
        const away = leg.side === 'buy' ? awayTicks : -awayTicks;
        return { ...leg, price: this.#near(leg.instrument, away) };
      }),
      ...(hedge && { hedge }),
      executionInstruction: chance(this.#draw, 0.4) ? 'all_or_none' : 'any_part_of',
      label: `block-${given}`,
    });
  }

  #near(name: InstrumentName, away: number): Price {
    const { tickSize } = instrumentOf(name);
    const last = this.#market.shown(name).at(-1);
    const unit = last?.unit ?? 1;
    return steps(tickSize, Math.max(1, (last?.mark ?? 1) + away * unit));
  }
}
