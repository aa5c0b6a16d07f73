// The channels of Block RFQs: those of an account, subscribed to at each login, and the public tape. An account without the
// scope of Block RFQs, or without the rights of a maker, is granted less, which is no fault.

import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { AccountId, Currency } from '../../../values/ids.ts';
import { resultOf, type SendRequest } from '../outcome.ts';
import type { Greeting } from '../session/sessions.ts';

export type RfqGreeting = Pick<Greeting, 'account' | 'request' | 'granted'>;

export type RfqSubject = 'taker' | 'maker' | 'quotes' | 'tape';

const PREFIXES: Readonly<Record<RfqSubject, string>> = {
  quotes: 'block_rfq.maker.quotes.',
  taker: 'block_rfq.taker.',
  maker: 'block_rfq.maker.',
  tape: 'block_rfq.trades.',
};
const SUBJECTS: readonly RfqSubject[] = ['quotes', 'taker', 'maker', 'tape'];

/** `undefined` for a channel of another subject. */
export const subjectOf = (channel: string): RfqSubject | undefined =>
  SUBJECTS.find((subject) => channel.startsWith(PREFIXES[subject]));

export interface RfqChannelsOptions {
  /**
   * For a venue that has no channel for all currencies at once; `undefined` until it has listed its instruments.
   */
  readonly currencies: () => readonly Currency[] | undefined;
  /** The venue's number of the account; `undefined` if it did not say. */
  readonly userIdOf: (account: AccountId) => string | undefined;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

const SCOPE = /(?:^|[ ,])block_rfq:read/;

export class RfqChannels {
  readonly #parts: RfqChannelsOptions;
  readonly #aliases = new Map<AccountId, string>();
  readonly #strangers = new Set<AccountId>();
  /** Subscriptions per currency, of accounts that were connected before the instruments were listed. */
  readonly #unlisted = new Set<(currencies: readonly Currency[]) => Promise<void>>();

  constructor(parts: RfqChannelsOptions) {
    this.#parts = parts;
  }

  aliasOf(account: AccountId): string | undefined {
    return this.#aliases.get(account);
  }

  /** Whether the last login of the account was granted nothing of Block RFQs. */
  isStranger(account: AccountId): boolean {
    return this.#strangers.has(account);
  }

  async greet({ account, request, granted }: RfqGreeting): Promise<void> {
    this.#aliases.delete(account);
    this.#strangers.delete(account);
    const scope = granted?.scope ?? '';
    if (scope !== '' && !SCOPE.test(scope)) {
      this.#strangers.add(account);
      return;
    }
    const info = await request('private/get_block_rfq_user_info', {});
    // An account that takes no part in Block RFQs is refused.
    if (info.kind === 'error') return;
    this.#noteAlias(account, resultOf(info, 'private/get_block_rfq_user_info'));
    await this.#subscribe('private/subscribe', ['taker', 'maker', 'quotes'], request);
  }

  /** The instruments are listed by now: accounts that were connected earlier subscribe to what is left. */
  async greetMarket(request: SendRequest): Promise<void> {
    const currencies = this.#parts.currencies() ?? [];
    const waiting = [...this.#unlisted];
    this.#unlisted.clear();
    for (const subscribe of waiting) subscribe(currencies).catch(this.#parts.onFault);
    await this.#subscribe('public/subscribe', ['tape'], request);
  }

  /** For all currencies at once, or where that is not granted for each. */
  async #subscribe(
    method: string,
    subjects: readonly RfqSubject[],
    request: SendRequest,
  ): Promise<void> {
    const wanted = subjects.map((subject) => PREFIXES[subject]);
    const any = wanted.map((prefix) => `${prefix}any`);
    const granted = await this.#granted(method, any, request);
    const missing = wanted.filter((prefix) => !granted.has(`${prefix}any`));
    if (missing.length === 0) return;
    const eachOf = (currencies: readonly Currency[]) =>
      missing.flatMap((prefix) => currencies.map((currency) => `${prefix}${currency}`));
    const currencies = this.#parts.currencies();
    if (currencies !== undefined) await this.#granted(method, eachOf(currencies), request);
    else
      this.#unlisted.add(
        async (listed) => void (await this.#granted(method, eachOf(listed), request)),
      );
  }

  async #granted(
    method: string,
    channels: readonly string[],
    request: SendRequest,
  ): Promise<ReadonlySet<unknown>> {
    const outcome = await request(method, { channels });
    if (outcome.kind === 'error') return new Set();
    const granted = resultOf(outcome, method);
    return new Set(Array.isArray(granted) ? granted : []);
  }

  /** That of the account itself, else of the group of accounts it belongs to. */
  #noteAlias(account: AccountId, value: unknown): void {
    const { tally, userIdOf, onFault } = this.#parts;
    try {
      const info = new Fields('the answer to get_block_rfq_user_info', value, tally);
      const id = userIdOf(account) ?? account;
      const users = info.has('users') ? info.each('users') : [];
      const own = users.find((user) => user.textIf('user_id') === id);
      const maker = [own, info.inIf('parent')].find((one) => one?.flag('is_maker'));
      const alias = maker?.textIf('identity');
      if (alias !== undefined) this.#aliases.set(account, alias);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      onFault(error);
    }
  }
}
