// A seeded paper market in virtual time behind Deribit's public methods, called without a network: answers are given as
// their JSON text, so that numbers can be compared token by token.

import type { PaperVenue } from '../../../../src/adapters/paper/paper-venue.ts';
import { methodApi } from '../../../../src/engine/api/method-api.ts';
import type { OrderOperations } from '../../../../src/engine/order-entry/order-operations.ts';
import { DERIBIT_MARKET_METHODS } from '../../../../src/gateway/deribit/market/deribit-market-methods.ts';
import { Desks } from '../../../../src/gateway/desks/desks.ts';
import { ReadyJson } from '../../../../src/gateway/wire/ready-json.ts';
import type { Reply } from '../../../../src/ports/trading-desk.ts';
import { must } from '../../../../src/values/assert.ts';
import type { Instant } from '../../../../src/values/instant.ts';
import { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { NOON, paperStage, type StageOptions } from '../../../adapters/paper/paper-stage.ts';
import { NO_DESKS } from '../../../doubles/lone-api.ts';
import { ungated } from '../../../support/engine/venue-records.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Json = any;

export class DeribitMarketStage {
  readonly clock: VirtualClock;
  readonly venue: PaperVenue;
  readonly desks: Desks;
  readonly pass: (forMs: number) => Promise<void>;

  constructor(options: StageOptions = {}, at: Instant = NOON) {
    const stage = paperStage(options, new VirtualClock(at));
    this.clock = stage.clock;
    this.venue = stage.venue;
    this.pass = stage.pass;
    const { clock, venue } = stage;
    const desk = ungated(venue);
    const orders: OrderOperations = {
      ...NO_DESKS,
      venues: () => [venue],
      forAccount: () => desk,
      rfqsFor: () => venue.rfqs,
    };
    this.desks = new Desks(methodApi({ orders, clock, notReady: () => [] }));
  }

  /** The result as text; throws a refusal. */
  async text(method: string, params: object = {}): Promise<string> {
    const reply = await this.#reply(method, params);
    if (reply.kind !== 'done') throw new Error(`${method}: ${JSON.stringify(reply)}`);
    const { value } = reply;
    return value instanceof ReadyJson ? value.bytes.toString() : JSON.stringify(value);
  }

  async get(method: string, params: object = {}): Promise<Json> {
    return JSON.parse(await this.text(method, params));
  }

  async refusal(method: string, params: object): Promise<Json> {
    const reply = await this.#reply(method, params);
    if (reply.kind === 'refused') return reply;
    throw new Error(`${method} was not refused: ${JSON.stringify(reply)}`);
  }

  async close(): Promise<void> {
    this.desks.close();
    await this.venue.close();
  }

  async #reply(name: string, params: object): Promise<Reply<unknown>> {
    const method = must(
      DERIBIT_MARKET_METHODS.find((one) => one.name === name),
      () => `${name} is a method`,
    );
    const read = method.read(params);
    if ('refusal' in read) return read.refusal;
    const call = {
      orders: this.desks,
      now: () => this.clock.now(),
      version: '1',
      from: 'test',
      logins: NO_LOGINS,
    };
    return await method.run(call, read.value);
  }
}

const unreachableLogin = (): never => {
  throw new Error('a public method asks for no login');
};
const NO_LOGINS = {
  authenticate: unreachableLogin,
  exchange: unreachableLogin,
  fork: unreachableLogin,
};
