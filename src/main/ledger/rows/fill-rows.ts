// The fills of a portfolio as rows, made while its events are read.
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { SpecRecord } from '../../../core/terms/spec-record.ts';
import { must } from '../../../values/assert.ts';
import type { PortfolioId } from '../../../values/ids.ts';
import type { LedgerRow } from './ledger-columns.ts';

type Intended = Extract<PortfolioEvent, { readonly kind: 'child_intended' }>;
type Booked = Extract<PortfolioEvent, { readonly kind: 'fill_booked' }>;
type Child = Pick<Intended, 'leg' | 'slice' | 'attempt' | 'side' | 'block'>;

export class FillRows {
  readonly #portfolio: PortfolioId;
  readonly #children = new Map<string, Child>();
  #spec: SpecRecord | undefined;

  constructor(portfolio: PortfolioId) {
    this.#portfolio = portfolio;
  }

  /** Events in the order of the history; returns a row with the time of the trade if the event is a fill. */
  add(event: PortfolioEvent): readonly [number, LedgerRow<'fills'>] | undefined {
    if (event.kind === 'submitted') this.#spec = event.spec;
    if (event.kind === 'child_intended') {
      const { leg, slice, attempt, side, block } = event;
      this.#children.set(event.label, { leg, slice, attempt, side, ...(block && { block }) });
    }
    return event.kind === 'fill_booked' ? [event.tradedAt, this.#row(event)] : undefined;
  }

  #row(event: Booked): LedgerRow<'fills'> {
    const spec = must(this.#spec, 'a portfolio begins with its submission');
    const child = must(this.#children.get(event.label), 'a fill is of a child');
    const { leg, slice, attempt, side, block } = child;
    return {
      portfolio: this.#portfolio,
      account: spec.accountId,
      strategy: spec.strategy ?? null,
      leg,
      slice,
      attempt,
      instrument: must(spec.legs[leg], 'a child belongs to a leg').instrument,
      side,
      traded_at: event.tradedAt,
      booked_at: event.at,
      quantity: event.quantity,
      price: event.price,
      fee: event.fee,
      fee_currency: event.feeCurrency,
      liquidity: event.liquidity,
      is_block: block === true,
      label: event.label,
      order_id: event.orderId,
      trade_id: event.tradeId,
    };
  }
}
