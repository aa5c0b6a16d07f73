// The scene of the order methods, used through the methods of Deribit's wire without a network. Every answer is checked
// against the table of shapes.
import { isLosslessNumber, parse } from 'lossless-json';
import type { JournalStore } from '../../../src/adapters/paper/journal/journal-store.ts';
import type { ExchangeRules } from '../../../src/exchange/model/exchange-rules.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { UserFamily } from '../../../src/gateway/deribit/channels/user-family.ts';
import { DERIBIT_METHODS } from '../../../src/gateway/deribit/deribit-method-table.ts';
import type { Login, Scope } from '../../../src/gateway/deribit/method/deribit-login.ts';
import type { PrivateCall } from '../../../src/gateway/deribit/method/deribit-method.ts';
import type { LoginDesk } from '../../../src/gateway/deribit/method/login-desk.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import { SECOND_MAKER, STRANGER, TAKER } from '../gateway-under-test.ts';
import { type Fields, OrderScene } from '../order-api/order-scene.ts';
import { WireCheck } from './shapes/wire-check.ts';

const SCOPES: readonly Scope[] = [
  'account:read',
  'account:read_write',
  'trade:read',
  'trade:read_write',
  'block_rfq:read',
  'block_rfq:read_write',
];

const login = (key: ApiKey, account = must(key.accounts[0], 'an account')): Login => ({
  key,
  account,
  scopes: SCOPES,
});

export const TAKER_LOGIN = login(TAKER);
export const MAKER_LOGIN = login(STRANGER);
export const SECOND_LOGIN = login(SECOND_MAKER);
export const BOTH_LOGIN = login({ ...TAKER, accounts: [accountId('10001'), accountId('10003')] });

const STAMPS = '"usIn":1,"usOut":1,"usDiff":0,"testnet":true';

/** No method of an account logs in. */
const NO_LOGINS = {} as LoginDesk;

export interface SceneOptions {
  /** Default noon of a day in November 2026. */
  readonly at?: Instant | undefined;
  /** The journal of the exchange. */
  readonly store?: JournalStore | undefined;
}

export class DeribitScene {
  readonly rid: OrderScene;
  readonly check = new WireCheck();
  readonly faults: unknown[] = [];
  readonly family: UserFamily;

  constructor(rules: ExchangeRules = {}, { at, store }: SceneOptions = {}) {
    this.rid = new OrderScene(at, rules, store);
    this.family = new UserFamily({
      orders: this.rid.desks,
      report: (error) => this.faults.push(error),
    });
  }

  /** The reply of a method; params as a client writes them. */
  async reply(
    method: string,
    params: object = {},
    as: Login = TAKER_LOGIN,
  ): Promise<Reply<unknown>> {
    const known = must(DERIBIT_METHODS.get(method), `${method} is served`);
    const read = known.read(params);
    if ('refusal' in read) return read.refusal;
    const { desks, clock } = this.rid;
    const desk = must(desks.forAccount(as.account), 'a desk');
    const call: PrivateCall = {
      orders: desks,
      now: () => clock.now(),
      version: 'test',
      from: '127.0.0.1',
      login: as,
      account: as.account,
      desk,
      logins: NO_LOGINS,
    };
    return await known.run(call, read.value);
  }

  /** The JSON of the result, its numbers as they are written; throws a refusal. */
  async get(method: string, params: object = {}, as: Login = TAKER_LOGIN): Promise<Fields> {
    const reply = await this.reply(method, params, as);
    if (reply.kind !== 'done') {
      throw new Error(`${method} ${JSON.stringify(params)}: ${JSON.stringify(reply)}`);
    }
    const text = JSON.stringify(reply.value);
    this.check.answer(method, `{"jsonrpc":"2.0","id":1,"result":${text},${STAMPS}}`);
    return written(parse(text));
  }

  async refusal(method: string, params: object = {}, as: Login = TAKER_LOGIN): Promise<Fields> {
    const reply = await this.reply(method, params, as);
    if (reply.kind !== 'refused') throw new Error(`${method} was not refused`);
    return reply;
  }

  /** Subscribes, and returns what is published; `undefined` if the channel is not granted. */
  follow(channel: string, as: Login | undefined = TAKER_LOGIN): Fields[] | undefined {
    const frames: Fields[] = [];
    const opened = this.family.open(channel, {
      login: as,
      publish: (data) => {
        this.check.notification(
          `{"jsonrpc":"2.0","method":"subscription","params":{"channel":"${channel}","data":${data}}}`,
        );
        frames.push(written(parse(data)));
      },
    });
    return opened === undefined ? undefined : frames;
  }

  async close(): Promise<void> {
    this.family.close();
    await this.rid.close();
  }
}

/** Numbers as the text of their digits, without the zero behind the point of a whole one. */
function written(value: unknown): Fields {
  if (isLosslessNumber(value)) return value.value.replace(/\.0$/, '');
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, written(one)]));
}
