// The durability points by kind, i.e. messages on a daemon's connections with which something becomes durable or is
// sent; and a stage that kills the daemon before or after a message of one kind.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../../src/gateway/client/client.ts';
import { makerAt, staysFrozen, tradeByHand } from '../engine/manual-orders.ts';
import { course } from '../engine/two-legs.ts';
import { EventKinds } from './event-kinds.ts';
import { FaultStage } from './fault-stage.ts';
import { bindsOf, commandsOf, requestsOf } from './line-senses.ts';

/** Before the message arrives, or after it has been answered. */
export type Side = 'before' | 'after';

export interface DurabilityPoint {
  readonly name: string;
  /** The side of it at which `npm test` kills; without one only `npm run test:long` kills at this point. */
  readonly always?: Side;
  /** Which of the messages meant, counted in each life of the daemon; default: the first. */
  readonly nth?: number;
  /** A check on the next daemon. */
  readonly leaves?: (client: Client) => Promise<void>;
  readonly line: 'database' | 'venue' | 'redis';
  readonly isMeant: (message: Buffer, kinds: EventKinds) => boolean;
}

/** A turn with an event of the kind, in flight to the ledger. */
export const turn = (name: string, kind: string): DurabilityPoint => ({
  name,
  line: 'database',
  isMeant: (message, kinds) => isBindOf(message, 'commit') && kinds.isIn(message, kind),
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

/** Statements with which a nonce is claimed: one for each table and the table before or after it. */
const CLAIMS = [0, 1, 2, 3].flatMap((table) => [
  `claim once ${table} ${(table + 1) % 4}`,
  `claim once ${table} ${(table + 3) % 4}`,
]);

/** Every run reaches these points, whatever the market does. */
const KINDS: readonly DurabilityPoint[] = [
  { ...turn('a submit', 'submitted'), always: 'before' },
  { ...turn('a slice and the intent of its order', 'child_intended'), always: 'after' },
  turn('the reply of the venue', 'child_live'),
  { ...turn('a fill', 'fill_booked'), always: 'before' },
  turn('the end of an order', 'child_closed'),
  turn('the end of a portfolio', 'filled'),
  turn('a pause', 'paused'),
  turn('an amend', 'amended'),
  turn('a cancel', 'cancelling'),
  {
    name: 'a nonce',
    always: 'before',
    line: 'database',
    isMeant: (message) => CLAIMS.some((statement) => isBindOf(message, statement)),
  },
  { ...write('a trading switch', 'set switch'), always: 'after' },
  { ...write('an audit trail record', 'record actions'), always: 'after' },
  { ...write('the stored first reply of a request', 'keep answer'), always: 'after' },
  { ...write('a seal of the auditor', 'put seal'), always: 'before' },
  {
    name: 'a freeze of market maker protection',
    always: 'after',
    line: 'database',
    isMeant: (message) => isBindOf(message, 'move mmp') && message.includes('tripped'),
    leaves: staysFrozen,
  },
  { ...send('an order', /private\/(buy|sell)"/), always: 'after' },
  { ...send('an edit', /private\/edit/), always: 'before' },
  { ...send('a cancel of an order', /private\/cancel"/), always: 'after' },
  {
    name: 'a wake-up request to the queue',
    always: 'before',
    line: 'redis',
    isMeant: (message) => message.includes('wakeAt'),
  },
];

/** Later commits and orders of a life, whatever they are, those of the portfolios it recovered included. */
const LATER: readonly DurabilityPoint[] = [2, 4, 8].flatMap((nth) => [
  { ...write(`commit ${nth} of its life`, 'commit'), nth },
  { ...send(`order ${nth} of its life`, /private\/(buy|sell)"/), nth },
]);

export const POINTS: readonly DurabilityPoint[] = [...KINDS, ...LATER];

const IS_EVERY_POINT = process.env['TWAPD_DURABILITY'] === 'all';

/**
 * The kills of a test file: with TWAPD_DURABILITY=all on both sides of every point, as `npm run test:long` does. `npm test`
 * kills once at each statement and request; the events that share the ledger's one statement are represented by some.
 */
export const killsAt = (
  points: readonly DurabilityPoint[],
): readonly (DurabilityPoint & { readonly when: Side })[] =>
  points.flatMap((point) =>
    (['before', 'after'] as const)
      .filter((when) => IS_EVERY_POINT || when === point.always)
      .map((when) => ({ ...point, when })),
  );

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
    { name, line, isMeant, leaves, nth = 1 }: DurabilityPoint,
    when: Side,
  ): Promise<void> {
    let isDead = false;
    const kinds = new EventKinds((text) => this.#stage.query(text));
    await kinds.read();
    this.#meant.is = (message) => isMeant(message, kinds);
    const act = async (): Promise<void> => {
      isDead = true;
      await this.#stage.kill();
    };
    const death = this.#stage.lines[line].strike({ nth, when, act });
    while (!isDead) {
      this.#rounds += 1;
      const key = `${when} ${name} ${this.#rounds}`;
      const taken = this.#stage.submit(course(COURSE_SECONDS), key);
      taken.catch(() => 'reported by judge()');
      this.#running.push(taken);
      void this.#interfere().catch(() => 'the daemon died, as intended');
      await Promise.race([death, sleep(ROUND_MS)]);
      await kinds.read();
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
