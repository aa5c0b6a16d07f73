// Channels of an account and of Block RFQs: `user.orders.any.any.raw`, `user.portfolio.BTC`, `block_rfq.taker.any`.
//
// Decisions: no channel begins with what is open, except `user.portfolio`, which begins with every currency it covers;
// changes of one millisecond are one `user.changes` frame per instrument; `user.lock` and `user.access_log` are granted
// and never publish: nobody locks an account here, and logins are in the log of the daemon; whether a margin is isolated is not
// known of a liquidation, and left out; a portfolio in a currency that is not traded is not granted.

import { quoteJson, rfqJson } from '../../../ports/deribit-wire/block-rfq-rows.ts';
import { orderJson, ordersJson } from '../../../ports/deribit-wire/order-rows.ts';
import { positionJson } from '../../../ports/deribit-wire/position-rows.ts';
import { tradeJson } from '../../../ports/deribit-wire/trade-rows.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Desks } from '../../desks/desks.ts';
import { type Channel, needOf, parseChannel } from '../../order-api/channels/channel.ts';
import { ChannelSource } from '../../order-api/channels/channel-source.ts';
import type { ChannelViews } from '../../order-api/channels/channel-views.ts';
import { currenciesOf, readCurrency } from '../account/account-reads.ts';
import { tapeJson } from '../block-rfq/deribit-block-trade-json.ts';
import { allows, type Login, type Scope } from '../method/deribit-login.ts';
import { frozenJson } from '../mmp/deribit-mmp-methods.ts';
import type { ChannelFamily, ChannelOpening, FamilyParts, OpenChannel } from './deribit-channel.ts';

const VIEWS: ChannelViews = {
  order: orderJson,
  trade: tradeJson,
  changes: (desk, { instrument, orders, trades, positions }) => ({
    instrument_name: instrument,
    orders: ordersJson(orders),
    trades: trades.map(tradeJson),
    positions: positions.map((one) => positionJson(one, desk.instrument(one.instrument))),
  }),
  portfolio: readCurrency,
  mmpTrip: frozenJson,
  rfq: rfqJson,
  quote: quoteJson,
  blockTrade: tapeJson,
  beginsWithOpen: false,
};

/** Granted to a login that may read the account; nothing is ever published on them. */
const SILENT = /^user\.(?:lock|access_log)$/;
const LIQUIDATION = 'user.liquidation';

export class UserFamily implements ChannelFamily {
  readonly #orders: Desks;
  readonly #source: ChannelSource;

  constructor({ orders, report }: Pick<FamilyParts, 'orders' | 'report'>) {
    this.#orders = orders;
    this.#source = new ChannelSource({ orders, report, views: VIEWS });
  }

  /** None of the public channels here has an interval. */
  isRaw(): boolean {
    return false;
  }

  open(name: string, { login, publish }: ChannelOpening): OpenChannel | undefined {
    if (SILENT.test(name)) return may(login, 'account:read') ? NOTHING : undefined;
    if (name === LIQUIDATION) return this.#openLiquidation({ login, publish });
    const channel = channelOf(name);
    if (channel === undefined) return undefined;
    const scope = scopeOf(channel);
    if (scope !== undefined && !may(login, scope)) return undefined;
    const account = login?.account;
    if (channel.kind === 'user_portfolio' && !this.#isTraded(channel, account)) return undefined;
    return this.#source.open(channel, {
      account,
      publish: (data) => publish(JSON.stringify(data)),
      onFault: this.#source.onFault,
      // The real venue closes the connection instead; what follows a gap is published in any case.
      onGap: () => undefined,
    });
  }

  close(): void {
    this.#source.close();
  }

  #openLiquidation({
    login,
    publish,
  }: Pick<ChannelOpening, 'login' | 'publish'>): OpenChannel | undefined {
    if (login === undefined || !allows(login, 'account:read')) return undefined;
    const leave = this.#source.followAccount(login.account, (news) => {
      if (news.kind !== 'account' || news.liquidation === undefined) return;
      const { stage, instrument } = news.liquidation;
      publish(JSON.stringify({ state: stage, ...(instrument && { instrument_name: instrument }) }));
    });
    return leave && { leave, markets: 0 };
  }

  #isTraded(
    { currency }: Extract<Channel, { readonly kind: 'user_portfolio' }>,
    account: AccountId | undefined,
  ): boolean {
    const desk = account && this.#orders.forAccount(account);
    if (desk === undefined) return false;
    return currency === undefined || currenciesOf(desk).includes(currency);
  }
}

const NOTHING: OpenChannel = { leave: () => undefined, markets: 0 };

const may = (login: Login | undefined, scope: Scope): boolean =>
  login !== undefined && allows(login, scope);

/** Of channels of this family. */
function channelOf(name: string): Channel | undefined {
  if (!/^(?:user|block_rfq)\./.test(name)) return undefined;
  return parseChannel(name);
}

/** Absent for the public tape of Block RFQs. */
function scopeOf(channel: Channel): Scope | undefined {
  if (needOf(channel) === undefined) return undefined;
  if (channel.kind.startsWith('rfq_') || channel.kind === 'mmp_trigger') return 'block_rfq:read';
  return channel.kind === 'user_portfolio' ? 'account:read' : 'trade:read';
}
