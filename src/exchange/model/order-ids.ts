// Ids of orders and trades: one counter per settlement currency, and per pair for spot. BTC ids are bare
// numbers, all others are prefixed with the name: `ETH-17`, `BTC_USDC-4`. Untriggered and dormant orders have
// their own series: `SLIS-3`, `ETH-TPMB-1`, `OTO-9`.
import type { Instrument } from '../../values/instrument.ts';

/** The series whose ids have no prefix. */
const BARE_SERIES = 'BTC';

export class IdSequence {
  readonly #last = new Map<string, number>();

  next(instrument: Instrument): string {
    return this.nextOf(seriesOf(instrument));
  }

  nextOf(series: string): string {
    const number = (this.#last.get(series) ?? 0) + 1;
    this.#last.set(series, number);
    return series === BARE_SERIES ? `${number}` : `${series}-${number}`;
  }

  /** Advances the counter so that neither `id` nor any earlier one is issued again. */
  passed(id: string): void {
    const dash = id.lastIndexOf('-');
    const series = dash === -1 ? BARE_SERIES : id.slice(0, dash);
    const number = Number(id.slice(dash + 1));
    if (number > (this.#last.get(series) ?? 0)) this.#last.set(series, number);
  }

  /** The last number of each series, in a stable order. */
  entries(): [series: string, last: number][] {
    return [...this.#last].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  resume(entries: Iterable<readonly [series: string, last: number]>): void {
    for (const [series, last] of entries) this.#last.set(series, last);
  }
}

const seriesOf = (instrument: Instrument): string =>
  instrument.kind === 'spot' ? instrument.name : instrument.settlement;
