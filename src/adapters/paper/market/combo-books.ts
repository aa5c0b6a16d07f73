// Quotes the combos in use from the books of their legs, whenever one of those has changed.
import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarketCommand } from '../../../exchange/exchange-command.ts';
import {
  COMBO_MAKER,
  comboQuotes,
  comboReference,
  type QuotedLeg,
} from '../../../exchange/market/combo-quotes.ts';
import type { LegOutlook } from '../../../exchange/market/prices/leg-outlook.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { type Instant, SECOND_MS } from '../../../values/instant.ts';
import type { ComboLeg, Instrument, Side } from '../../../values/instrument.ts';

/** What the quotes of one combo were last made from. */
interface Seen {
  readonly legs: string;
  readonly quotes: string;
  readonly second: number;
}

export class ComboBooks {
  readonly #exchange: Exchange;
  readonly #outlook: (name: InstrumentName) => LegOutlook | undefined;
  readonly #seen = new Map<InstrumentName, Seen | undefined>();
  /** Combos in use that the market source quotes, as a recording does. */
  readonly #quotedElsewhere = new Set<InstrumentName>();

  constructor(exchange: Exchange, outlook: (name: InstrumentName) => LegOutlook | undefined) {
    this.#exchange = exchange;
    this.#outlook = outlook;
  }

  /** The combos that are quoted here. */
  names(): readonly InstrumentName[] {
    return [...this.#seen.keys()];
  }

  /** All combos in use: also those that the market source quotes. */
  inUse(): readonly InstrumentName[] {
    return [...this.#seen.keys(), ...this.#quotedElsewhere];
  }

  /** The market source quotes the combo; until `stop`, its legs are in use. */
  noteQuoted(name: InstrumentName): void {
    this.#quotedElsewhere.add(name);
  }

  /** The legs of the combos in use. */
  legs(): ReadonlySet<InstrumentName> {
    const names = this.inUse().flatMap((name) => {
      const { legs = [] } = this.#exchange.instrument(name) ?? {};
      return legs.map(({ instrument }) => instrument);
    });
    return new Set(names);
  }

  /** The books of its legs are in use. */
  start(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    this.#seen.set(name, undefined);
    return this.#requoted(name, now);
  }

  stop(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    this.#quotedElsewhere.delete(name);
    if (!this.#seen.delete(name)) return [];
    const side = { account: COMBO_MAKER, instrument: name, bids: [], asks: [] };
    return [{ kind: 'make_quotes', now, ...side }];
  }

  step(now: Instant): readonly MarketCommand[] {
    if (this.#seen.size === 0) return [];
    return [...this.#seen.keys()].flatMap((name) => this.#requoted(name, now));
  }

  /** Levels that were taken are refilled every second. */
  #requoted(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const combo = this.#exchange.instrument(name);
    const markets = this.#marketsOf(combo?.legs ?? []);
    if (combo === undefined || markets === undefined) return [];
    const before = this.#seen.get(name);
    if (before?.legs === markets.text) return [];
    const reference = comboReference(combo, markets.legs, now);
    if (reference === undefined) return [];
    const command = comboQuotes(combo, markets.legs, now);
    const quotes = JSON.stringify([command.bids, command.asks]);
    const second = Math.floor(now / SECOND_MS);
    const isSame = before?.quotes === quotes && before.second === second;
    this.#seen.set(name, { legs: markets.text, quotes, second });
    return isSame ? [reference] : [reference, command];
  }

  /** `undefined` while the market of a leg is not known. */
  #marketsOf(
    legs: readonly ComboLeg[],
  ): { readonly legs: readonly QuotedLeg[]; readonly text: string } | undefined {
    const quoted: QuotedLeg[] = [];
    let text = '';
    for (const { instrument: name, ratio } of legs) {
      const instrument = this.#exchange.instrument(name);
      const reference = this.#exchange.reference(name);
      const outlook = this.#outlook(name);
      if (!instrument || !reference || !outlook) return undefined;
      const [bidSize, askSize] = [this.#size(instrument, 'buy'), this.#size(instrument, 'sell')];
      quoted.push({ ratio, reference, outlook, bidSize, askSize });
      text += `${reference.at} ${bidSize} ${askSize} `;
    }
    return { legs: quoted, text };
  }

  #size({ name, amountStep }: Instrument, side: Side): number {
    return (this.#exchange.bestTicks(name, side)?.lots ?? 0) * toNumber(amountStep);
  }
}
