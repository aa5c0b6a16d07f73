// The durability points by kind, i.e. messages on a daemon's connections with which something becomes durable or is
// sent; and a stage that kills the daemon before or after a message of one kind.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../../src/gateway/client/client.ts';
import { makerAt, staysFrozen, tradeByHand } from '../engine/manual-orders.ts';
import { course } from '../engine/two-legs.ts';
import { FaultStage } from './fault-stage.ts';
import { bindsOf, commandsOf, requestsOf } from './line-senses.ts';

export interface DurabilityPoint {
  readonly name: string;
  /** A check on the next daemon. */
  readonly leaves?: (client: Client) => Promise<void>;
  readonly line: 'database' | 'venue' | 'redis';
  readonly isMeant: (message: Buffer) => boolean;
}

/** A turn with an event of the kind, in flight to the ledger. */
export const turn = (name: string, kind: string): DurabilityPoint => ({
  name,
  line: 'database',
  isMeant: (message) => isBindOf(message, 'commit') && message.includes(`"kind":"${kind}"`),
});

const write = (name: string, statement: string): DurabilityPoint => ({
  name,
  line: 'database',
  isMeant: (message) => isBindOf(message, statement),
});

export const send = (name: string, methods: RegExp): DurabilityPoint => ({
  name,
  line: 'venue',
  isMeant: (message) => methods.test(message.toString()),
});

/** Every run reaches these points, whatever the market does. */
export const POINTS: readonly DurabilityPoint[] = [
  turn('a submit', 'submitted'),
  turn('a slice and the intent of its order', 'child_intended'),
  turn('the reply of the venue', 'child_live'),
  turn('a fill', 'fill_booked'),
  turn('the end of an order', 'child_closed'),
  turn('the end of a portfolio', 'filled'),
  turn('a pause', 'paused'),
  turn('an amend', 'amended'),
  turn('a cancel', 'cancelling'),
  write('a nonce', 'claim once'),
  write('a trading switch', 'set switch'),
  write('an audit trail record', 'record actions'),
  write('the stored first reply of a request', 'keep answer'),
  write('a seal of the auditor', 'put seal'),
  {
    name: 'a freeze of market maker protection',
    line: 'database',
    isMeant: (message) => isBindOf(message, 'move mmp') && message.includes('tripped'),
    leaves: staysFrozen,
  },
  send('an order', /private\/(buy|sell)"/),
  send('an edit', /private\/edit/),
  send('a cancel of an order', /private\/cancel"/),
  {
    name: 'a wake-up request to the queue',
    line: 'redis',
    isMeant: (message) => message.includes('wakes') && message.includes('w-'),
  },
];

const IS_EVERY_POINT = process.env['TWAPD_DURABILITY'] === 'all';

/**
 * What a test file kills the daemon at: with TWAPD_DURABILITY=all every point, as `npm run test:long` does; otherwise
 * every second one, so that `npm test` kills it once at each point, before or after.
 */
export const pointsFor = <P extends DurabilityPoint>(
  points: readonly P[],
  when: 'before' | 'after',
): readonly P[] =>
  points.filter((_, index) => IS_EVERY_POINT || index % 2 === (when === 'before' ? 0 : 1));

/**
 * Whether it is a Bind message of the statement: after its type and length comes the portal name, then the
 * statement's.
 */
function isBindOf(message: Buffer, statement: string): boolean {
  const from = message.indexOf(0, 5) + 1;
  return message.toString('latin1', from, from + statement.length + 1) === `${statement}\0`;
}

const COURSE_SECONDS = 1;
const ROUND_MS = 1_500;

export class MortalStage {
  readonly #stage: FaultStage;
  readonly #meant: { is: (message: Buffer) => boolean };
  readonly #running: Promise<string>[] = [];
  #rounds = 0;

  private constructor(stage: FaultStage, meant: { is: (message: Buffer) => boolean }) {
    this.#stage = stage;
    this.#meant = meant;
  }

  static async open(deployment: string): Promise<MortalStage> {
    const meant = { is: (_message: Buffer): boolean => false };
    const isMeant = (message: Buffer): boolean => meant.is(message);
    const counted = {
      database: bindsOf(isMeant),
      venue: requestsOf(isMeant),
      redis: commandsOf(isMeant),
    };
    return new MortalStage(await FaultStage.open({ deployment, counted }), meant);
  }

  /** Trades until the point is reached, where the daemon is killed, and then restarts it. */
  async dieAt(
    { name, line, isMeant, leaves }: DurabilityPoint,
    when: 'before' | 'after',
  ): Promise<void> {
    let isDead = false;
    this.#meant.is = isMeant;
    const act = async (): Promise<void> => {
      isDead = true;
      await this.#stage.kill();
    };
    const death = this.#stage.lines[line].strike({ nth: 1, when, act });
    while (!isDead) {
      this.#rounds += 1;
      const key = `${when} ${name} ${this.#rounds}`;
      const taken = this.#stage.submit(course(COURSE_SECONDS), key);
      taken.catch(() => 'reported by judge()');
      this.#running.push(taken);
      void this.#interfere().catch(() => 'the daemon died, as intended');
      await Promise.race([death, sleep(ROUND_MS)]);
    }
    await death;
    await this.#stage.start();
    await leaves?.(makerAt(this.#stage.daemon));
  }

  /** What users do meanwhile: pause, amend and cancel a portfolio, set a switch, place manual orders. */
  async #interfere(): Promise<void> {
    const { client } = this.#stage.daemon;
    await tradeByHand(this.#stage.daemon, this.#rounds);
    const state = this.#rounds % 2 === 0 ? 'active' : 'reducing';
    await client.setSwitch({ scope: 'account', of: '20001', state, reason: 'drill' });
    const made = await client.submit(course(2 * COURSE_SECONDS));
    if (made.kind !== 'done') return;
    const id = String(made.value.portfolioId);
    await client.pause(id);
    await client.amend({ portfolioId: id, durationSec: 3 * COURSE_SECONDS });
    await client.cancel(id);
  }

  /** Waits until everything has ended, and checks the result. */
  async judge(): Promise<void> {
    for (const id of await Promise.all(this.#running)) await this.#stage.filled(id);
    const open = 'SELECT id FROM portfolio WHERE status IN (1, 4)';
    while ((await this.#stage.query(open)).length > 0) await sleep(100);
    await this.#stage.ready();
    await this.#stage.expectSameBooks();
  }

  close(): Promise<void> {
    return this.#stage.close();
  }
}
