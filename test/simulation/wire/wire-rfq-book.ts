// The judge's book of Block RFQs: what the exchange did, from its own events, and whether what the adapter said of an RFQ, a
// quote or a block trade was so at a moment between the request and the answer.
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { BlockTrade } from '../../../src/exchange/rfq/blocks/block-trade.ts';
import type { RfqQuote } from '../../../src/exchange/rfq/maker-quote.ts';
import type { Rfq } from '../../../src/exchange/rfq/rfq.ts';
import { text } from '../../../src/values/amounts.ts';
import type {
  RfqQuoteRecord,
  RfqRecord,
  BlockTrade as ShownBlock,
} from '../../../src/values/block-rfq-record.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';

interface Version<T> {
  /** The number of the event from which on it was so. */
  readonly from: number;
  readonly now: T;
}

/** An RFQ that has not ended is open or about to be, by the clock alone. */
const stateOf = (status: string): string => (status === 'created' ? 'open' : status);

export class WireRfqBook {
  readonly #breach: ReportBreach;
  readonly #rfqs = new Map<number, Version<Rfq>[]>();
  readonly #quotes = new Map<string, Version<RfqQuote>[]>();
  readonly #blocks = new Map<string, BlockTrade>();

  constructor(breach: ReportBreach) {
    this.#breach = breach;
  }

  /** `number`: of the event. */
  take(event: ExchangeEvent, number: number): void {
    if (event.kind === 'rfq_changed') {
      const { rfq } = event;
      const isNew = put(this.#rfqs, rfq.number, { from: number, now: rfq });
      const alike = [...this.#rfqs.values()].filter((one) => one.at(-1)?.now.label === rfq.label);
      if (isNew && alike.length > 1) this.#breach('double', `two RFQs have the label ${rfq.label}`);
    } else if (event.kind === 'rfq_quote_changed') {
      const { quote } = event;
      const isNew = put(this.#quotes, quote.id, { from: number, now: quote });
      const alike = [...this.#quotes.values()].filter(
        (one) => one.at(-1)?.now.label === quote.label,
      );
      if (isNew && alike.length > 1) {
        this.#breach('double', `two quotes have the label ${quote.label}`);
      }
    } else if (event.kind === 'block_traded') {
      const { trade } = event;
      this.#blocks.set(trade.id, trade);
      const same = [...this.#blocks.values()].filter(({ rfq }) => rfq === trade.rfq);
      if (same.length > 1) this.#breach('double', `the RFQ ${trade.rfq} was traded twice`);
    }
  }

  labelled(label: string): Rfq | undefined {
    return [...this.#rfqs.values()]
      .map((one) => one.at(-1)?.now)
      .find((one) => one?.label === label);
  }

  quoteLabelled(label: string): RfqQuote | undefined {
    const all = [...this.#quotes.values()].map((one) => one.at(-1)?.now);
    return all.find((one) => one?.label === label);
  }

  /** Those of an RFQ of the taker. */
  blocksOf(label: string): readonly BlockTrade[] {
    const number = this.labelled(label)?.number;
    return [...this.#blocks.values()].filter(({ rfq }) => rfq === number);
  }

  checkRfq(where: string, account: AccountId, shown: RfqRecord, since: number): void {
    const versions = [...this.#rfqs.values()].find(
      ([first]) => idOf(first?.now, account) === shown.id,
    );
    if (versions === undefined) {
      return this.#breach('shown', `${where}: the RFQ ${shown.id} was never created`);
    }
    const possible = during(versions, since).map(({ status }) => stateOf(status));
    const { now } = versions[0] as Version<Rfq>;
    // Nothing is said of the order in which notices of other connections come.
    if (!possible.includes(stateOf(shown.status))) {
      this.#breach(
        'shown',
        `${where}: the RFQ ${now.label} is ${shown.status}, and was ${possible.join(', ')}`,
      );
    }
    if (account === now.taker && shown.label !== now.label) {
      this.#breach('shown', `${where}: the RFQ ${now.label} has the label ${shown.label}`);
    }
  }

  checkQuote(where: string, shown: RfqQuoteRecord, since: number): void {
    const versions = this.#quotes.get(shown.id);
    if (versions === undefined) {
      return this.#breach('shown', `${where}: the quote ${shown.id} was never made`);
    }
    const possible = during(versions, since);
    const isSo = possible.some(
      ({ status, label, side }) =>
        status === shown.status && label === (shown.label ?? '') && side === shown.side,
    );
    if (isSo) return;
    const states = possible.map(({ status }) => status).join(', ');
    this.#breach(
      'shown',
      `${where}: the quote ${shown.label} is ${shown.status}, and was ${states}`,
    );
  }

  checkBlock(where: string, account: AccountId, shown: ShownBlock): void {
    const trade = [...this.#blocks.values()].find(
      (one) =>
        (one.taker === account ? one.takerRfqId : one.makerRfqId) === shown.rfqId &&
        (one.taker === account || one.maker === account),
    );
    if (trade === undefined) {
      return this.#breach('shown', `${where}: the RFQ ${shown.rfqId} was never traded`);
    }
    const { taker, side, price, quantity, rows } = trade;
    const own = taker === account ? side : side === 'buy' ? 'sell' : 'buy';
    const real = [own, text(price), text(quantity), rows.length].join(' ');
    const said = [shown.side, text(shown.price), text(shown.quantity), shown.rows.length].join(' ');
    if (real !== said)
      this.#breach('shown', `${where}: the block ${trade.id} is ${real}, not ${said}`);
  }
}

/** Returns true for the first version. */
function put<K, T>(versions: Map<K, Version<T>[]>, key: K, version: Version<T>): boolean {
  const known = versions.get(key);
  if (known === undefined) versions.set(key, [version]);
  else known.push(version);
  return known === undefined;
}

/** Everything that it was at a moment after the event. */
function during<T>(versions: readonly Version<T>[], since: number): readonly T[] {
  return versions
    .filter((_, index) => (versions[index + 1]?.from ?? Number.POSITIVE_INFINITY) > since)
    .map(({ now }) => now);
}

const idOf = (rfq: Rfq | undefined, account: AccountId): string | undefined =>
  rfq?.taker === account ? rfq.takerId : rfq?.seats.find((seat) => seat.account === account)?.id;
