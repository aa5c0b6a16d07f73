// The steps of a residual RFQ as messages on a daemon's connections, and a stage that kills the daemon before or
// after one of them. Each residual is traded once or not at all, whatever is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type DurabilityPoint, type Side, send, turn } from '../daemon/durability-points.ts';
import { EventKinds } from '../daemon/event-kinds.ts';
import { FaultStage } from '../daemon/fault-stage.ts';
import { bindsOf, requestsOf } from '../daemon/line-senses.ts';

export const BLOCK_POINTS: readonly DurabilityPoint[] = [
  { ...turn('the intent of a Block RFQ', 'rfq_intended'), always: 'before' },
  { ...send('a Block RFQ', /private\/create_block_rfq"/), always: 'after' },
  turn('the reply to a Block RFQ', 'rfq_opened'),
  turn('the intent of its accept', 'rfq_accept_intended'),
  { ...send('its accept', /private\/accept_block_rfq"/), always: 'after' },
  turn('its end', 'rfq_over'),
];

const SIZE = '250000';
const OVER = [2, 3];
/** Longer than a residual RFQ takes from its submit to its end. */
const ROUND_MS = 10_000;

const residual = {
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 1, frequencySec: 1 },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: SIZE,
      // So far below the market that no slice fills.
      priceOptions: { priceType: 'LIMIT', price: '20000', priceIn: 'USD' },
    },
  ],
  execution: { endAction: 'rfq', rfq: { limitBps: '500', collectSec: 1, waitSec: 60 } },
} as const;

export class BlockStage {
  readonly #stage: FaultStage;
  readonly #meant: { is: (message: Buffer) => boolean };
  readonly #taken: Promise<string>[] = [];
  #submits = 0;

  private constructor(stage: FaultStage, meant: { is: (message: Buffer) => boolean }) {
    this.#stage = stage;
    this.#meant = meant;
  }

  static async open(deployment: string): Promise<BlockStage> {
    const meant = { is: (_message: Buffer): boolean => false };
    const isMeant = (message: Buffer): boolean => meant.is(message);
    const counted = { database: bindsOf(isMeant), venue: requestsOf(isMeant) };
    return new BlockStage(await FaultStage.open({ deployment, counted, hasBlocks: true }), meant);
  }

  /** Submits until the point is reached, where the daemon is killed, and then restarts it. */
  async dieAt({ line, isMeant }: DurabilityPoint, when: Side): Promise<void> {
    let isDead = false;
    const kinds = new EventKinds((text) => this.#stage.query(text));
    await kinds.read();
    this.#meant.is = (message) => isMeant(message, kinds);
    const act = async (): Promise<void> => {
      isDead = true;
      await this.#stage.kill();
    };
    const death = this.#stage.lines[line].strike({ nth: 1, when, act });
    // One is enough, unless the shape of its events was stored only while it was under way.
    while (!isDead) {
      this.#submits += 1;
      const taken = this.#stage.submitAny(residual, `block-${this.#submits}`);
      taken.catch(() => 'reported by judge()');
      this.#taken.push(taken);
      await Promise.race([death, sleep(ROUND_MS)]);
      await kinds.read();
    }
    await death;
    await this.#stage.start();
  }

  /** Waits until all have ended, and compares their fills with the account's positions. */
  async judge(): Promise<void> {
    for (const id of await Promise.all(this.#taken)) await this.#over(id);
    await this.#stage.ready();
    const { client } = this.#stage.daemon;
    const page = await client.page({ accountId: '10001', pageSize: 50 });
    if (page.kind !== 'done') throw new Error(JSON.stringify(page));
    const filled = page.value.values.map(({ legs }) => Number(legs[0]?.filledQuantity));
    expect(filled).toHaveLength(this.#submits);
    const positions = await client.call('private/get_positions', { currency: 'BTC' });
    if (positions.kind !== 'done') throw new Error(JSON.stringify(positions));
    const held = positions.value.find(({ instrumentName }) => instrumentName === 'BTC-PERPETUAL');
    const sum = filled.reduce((total, one) => total + one, 0);
    expect(sum).toBeGreaterThan(0);
    expect(Number(held?.size)).toBe(sum);
    expect(this.#stage.alarms()).toEqual([]);
    expect(await this.#stage.terminate()).toBe(0);
  }

  close(): Promise<void> {
    return this.#stage.close();
  }

  async #over(id: string): Promise<void> {
    for (;;) {
      const info = await this.#stage.daemon.client.info(id);
      if (info.kind === 'done' && OVER.includes(info.value.portfolioStatus)) {
        expect(['0', SIZE]).toContain(info.value.legs[0]?.filledQuantity);
        return;
      }
      await sleep(100);
    }
  }
}
