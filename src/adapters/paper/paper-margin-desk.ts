// What orders need on the paper exchange, behind the venue port.
import type { Exchange } from '../../exchange/exchange.ts';
import * as refusal from '../../exchange/model/refusal.ts';
import type {
  MarginReads,
  OrderMargin,
  OrderNeeds,
  ProspectiveOrder,
  Reply,
} from '../../ports/trading-desk.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import type { AttachedAccounts } from './attached-accounts.ts';
import { done, refusedReply } from './order-shapes.ts';
import type { PaperExchange } from './paper-exchange.ts';
import type { RequestLine } from './request-line.ts';

interface MarginDeskParts {
  readonly exchange: Exchange;
  readonly paper: PaperExchange;
  readonly line: RequestLine;
}

export class PaperMarginDesk implements MarginReads {
  readonly #parts: MarginDeskParts;
  readonly #accounts: AttachedAccounts;

  constructor(parts: MarginDeskParts, accounts: AttachedAccounts) {
    this.#parts = parts;
    this.#accounts = accounts;
  }

  async needs({ account, ...order }: ProspectiveOrder): Promise<Reply<OrderNeeds>> {
    const refused = this.#accounts.refusalOf(account);
    if (refused !== undefined) return refused;
    const { line, paper, exchange } = this.#parts;
    return await line.request((now): Reply<OrderNeeds> => {
      paper.settle(now);
      paper.touch(order.instrument, now);
      const needs = exchange.orderNeeds(order) ?? NOT_LISTED;
      if (needs.kind === 'refused') return refusedReply(needs);
      const { kind: _, ...value } = needs;
      return done(value);
    });
  }

  async ofOrders(
    account: AccountId,
    orderIds: readonly OrderId[],
  ): Promise<Reply<readonly OrderMargin[]>> {
    const refused = this.#accounts.refusalOf(account);
    if (refused !== undefined) return refused;
    const { line, paper, exchange } = this.#parts;
    return await line.request((now): Reply<readonly OrderMargin[]> => {
      paper.settle(now);
      return done(exchange.orderMargins(account, orderIds));
    });
  }
}

const NOT_LISTED = refusal.invalidParam('instrument_name', 'instrument not found');
