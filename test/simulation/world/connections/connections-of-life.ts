// The private connections of one life of a daemon: requests of an account go out over its own, and what is published about
// it arrives over it. Without one a request is refused before it leaves. A login takes a moment.
import { unsent } from '../../../../src/core/order/answer-class.ts';
import type { RfqNews } from '../../../../src/ports/block-rfq.ts';
import { accountOfNotice, type VenueNotice } from '../../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../../src/ports/venue.ts';
import type { AccountId } from '../../../../src/values/ids.ts';
import { later } from '../../../../src/values/instant.ts';
import type { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import type { ConnectionsOracle } from '../../oracles/connections.oracle.ts';
import type { Life } from '../life.ts';
import { frontOf, type Port, type Through } from '../port-front.ts';
import type { Trouble } from '../trouble.ts';

export interface ConnectionsOfLifeParts {
  /** True time. */
  readonly clock: VirtualClock;
  readonly life: Life;
  readonly daemon: number;
  readonly oracle: ConnectionsOracle;
  readonly trouble: Pick<Trouble, 'note'>;
}

const LOGIN_MS = 40;

const CALLS = new Set([
  'attach',
  'detach',
  'subscribe',
  'place',
  'edit',
  'cancel',
  'cancelAll',
  'order',
  'ordersLabelled',
  'reconcile',
  'openOrders',
  'orderHistory',
  'trades',
  'positions',
  'summary',
  'transactions',
]);
const RFQ_CALLS = new Set([
  'create',
  'rfqs',
  'cancelRfq',
  'cancelTrigger',
  'accept',
  'quote',
  'editQuote',
  'cancelQuote',
  'cancelQuotes',
  'quotes',
  'makers',
  'blockTrades',
  'listen',
]);

type Listener = (news: VenueNotice | RfqNews) => void;

/** `venue` over connections of this life. */
export function connectedByLife(venue: Venue, parts: ConnectionsOfLifeParts): Venue {
  const through = new ConnectionsOfLife(parts);
  const { rfqs } = venue;
  return Object.defineProperties(frontOf<Venue>(venue, CALLS, through), {
    rfqs: { value: rfqs && frontOf(rfqs, RFQ_CALLS, through) },
  });
}

class ConnectionsOfLife implements Through {
  readonly #parts: ConnectionsOfLifeParts;
  /** Logins, each its own object; true once it is through. */
  readonly #logins = new Map<AccountId, { isUp: boolean }>();
  readonly #listeners = new Set<Listener>();

  constructor(parts: ConnectionsOfLifeParts) {
    this.#parts = parts;
  }

  pass(name: string, port: Port, given: readonly unknown[]): unknown {
    const [first] = given;
    if (name === 'subscribe' || name === 'listen')
      return this.#listen(name, port, first as Listener);
    const account = accountIn(first);
    if (name === 'attach') return this.#attach(account);
    if (name === 'detach') return this.#detach(account);
    const { life, daemon, oracle } = this.#parts;
    if (this.#logins.get(account)?.isUp !== true) {
      return Promise.resolve(unsent(`account ${account} is not connected`));
    }
    if (!life.isOver) oracle.used(daemon, account, name);
    return port[name]?.(...given);
  }

  async #attach(account: AccountId): Promise<void> {
    const { clock, life, daemon, oracle, trouble } = this.#parts;
    if (this.#logins.has(account)) return;
    const login = { isUp: false };
    this.#logins.set(account, login);
    if (!life.isOver) oracle.opened(daemon, account);
    const port: Port = {
      attach: () => new Promise<void>((done) => clock.at(later(clock.now(), LOGIN_MS), done)),
    };
    // The process may end or stand still while it logs in.
    await life.pass('attach', port, []);
    if (this.#logins.get(account) !== login) return await new Promise(() => undefined);
    login.isUp = true;
    trouble.note('account connected');
    for (const listener of this.#listeners) listener({ kind: 'reconnected', accounts: [account] });
  }

  #detach(account: AccountId): Promise<void> {
    const { life, daemon, oracle, trouble } = this.#parts;
    this.#logins.delete(account);
    if (!life.isOver) {
      oracle.closed(daemon, account);
      trouble.note('account disconnected');
    }
    return Promise.resolve();
  }

  #listen(name: string, port: Port, listener: Listener): unknown {
    if (name === 'subscribe') this.#listeners.add(listener);
    return port[name]?.((news: VenueNotice | RfqNews) => {
      const account = accountOf(news);
      if (account === undefined || this.#logins.get(account)?.isUp === true) listener(news);
    });
  }
}

const accountIn = (first: unknown): AccountId =>
  typeof first === 'string'
    ? (first as AccountId)
    : (first as { readonly account: AccountId }).account;

/** `undefined` for what concerns every account. */
function accountOf(news: VenueNotice | RfqNews): AccountId | undefined {
  if (news.kind === 'reconnected' || news.kind === 'tape') return undefined;
  return 'account' in news ? news.account : accountOfNotice(news);
}
