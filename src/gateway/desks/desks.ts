// The order methods of the accounts as the gateway uses them: one desk per venue, with requests passed to the engine
// and its instruments read from the copy.
import type { MethodApi } from '../../engine/interface/engine-api.ts';
import type { MmpOperations } from '../../engine/interface/mmp-operations.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { Combo, LegPrices, NewCombo, StructurePrice } from '../../ports/combo-desk.ts';
import type { InstrumentReads, MarketReads } from '../../ports/market-reads.ts';
import type { MarginReads, Reply, TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import { DirectoryCopy } from './directory-copy.ts';

export class Desks {
  readonly #api: MethodApi;
  readonly #copy: DirectoryCopy;
  readonly #desks = new Map<VenueName, TradingDesk>();
  readonly #markets = new Map<VenueName, MarketReads>();
  readonly #rfqDesks = new Map<VenueName, RfqDesk>();

  constructor(api: MethodApi) {
    this.#api = api;
    this.#copy = new DirectoryCopy(api);
  }

  /** Resolves when accounts and instruments are known. */
  get ready(): Promise<void> {
    return this.#copy.ready;
  }

  get isReady(): boolean {
    return this.#copy.isComplete;
  }

  /** `undefined` if no orders can be sent for the account: it is a dummy, or unknown. */
  forAccount(account: AccountId): TradingDesk | undefined {
    const known = this.#copy.account(account);
    return known && this.#deskAt(known.venue);
  }

  /** `undefined` if the account's venue has no Block RFQs. */
  rfqsFor(account: AccountId): RfqDesk | undefined {
    const venue = this.#copy.account(account)?.venue;
    const hasRfqs = this.#copy.venues.some((one) => one.name === venue && one.hasRfqs);
    return venue !== undefined && hasRfqs ? this.#rfqsAt(venue) : undefined;
  }

  /** One per venue with Block RFQs. */
  rfqDesks(): readonly RfqDesk[] {
    return this.#copy.venues.flatMap(({ name, hasRfqs }) => (hasRfqs ? [this.#rfqsAt(name)] : []));
  }

  /** Of every venue, each name once. Rejects if one does not answer. */
  async combos(): Promise<readonly Combo[]> {
    const all = this.#copy.venues.map(({ name }) => this.#api.combos.list(name));
    const byName = new Map<InstrumentName, Combo>();
    for (const combo of (await Promise.all(all)).flat()) {
      const { name } = combo.instrument;
      if (!byName.has(name)) byName.set(name, combo);
    }
    return [...byName.values()];
  }

  createCombo(request: NewCombo): Promise<Reply<Combo>> {
    return this.#api.combos.create(request);
  }

  legPrices(request: StructurePrice): Promise<Reply<LegPrices>> {
    return this.#api.combos.legPrices(request);
  }

  get margins(): MarginReads {
    return this.#api.margins;
  }

  /**
   * One per venue. Of an instrument that several venues list, the first one answers, and only its list has the name.
   */
  markets(): readonly MarketReads[] {
    return this.#copy.venues.map(({ name }) => this.#marketAt(name));
  }

  /** `undefined` if no account is protected. */
  get mmp(): MmpOperations | undefined {
    return this.#copy.isProtected ? this.#api.mmp : undefined;
  }

  /** Whether an instrument can be used at once; otherwise {@link findInstrument} requests it. */
  knows(name: InstrumentName): boolean {
    return this.#copy.knows(name);
  }

  findInstrument(name: InstrumentName): Promise<void> {
    return this.#copy.findInstrument(name);
  }

  /** The account's alias as a maker, asked of the engine. */
  aliasOf(account: AccountId): Promise<string | undefined> {
    return this.#api.rfqs.aliasOf(account);
  }

  close(): void {
    this.#copy.close();
  }

  #deskAt(venue: VenueName): TradingDesk {
    const known = this.#desks.get(venue);
    if (known !== undefined) return known;
    const desk = deskOf(venue, this.#api, this.#copy);
    this.#desks.set(venue, desk);
    return desk;
  }

  #marketAt(venue: VenueName): MarketReads {
    const known = this.#markets.get(venue);
    if (known !== undefined) return known;
    const market = {
      ...marketOf(venue, this.#api, this.#copy),
      listed: (query: Listed) => this.#listedFirst(venue, query),
    };
    this.#markets.set(venue, market);
    return market;
  }

  #listedFirst(venue: VenueName, query: Listed): readonly Instrument[] {
    const listed = this.#copy.listed(venue, query);
    const names = new Set<InstrumentName>();
    for (const { name } of this.#copy.venues) {
      if (name === venue) break;
      for (const one of this.#copy.listed(name, query)) names.add(one.name);
    }
    return names.size === 0 ? listed : listed.filter(({ name }) => !names.has(name));
  }

  #rfqsAt(venue: VenueName): RfqDesk {
    const known = this.#rfqDesks.get(venue);
    if (known !== undefined) return known;
    const { follow, tape, ...rfqs } = this.#api.rfqs;
    const desk: RfqDesk = {
      ...rfqs,
      aliasOf: (account) => this.#copy.account(account)?.makerAlias,
      tape: (of) => tape(venue, of),
      listen: (listener) => follow(venue, listener),
    };
    this.#rfqDesks.set(venue, desk);
    return desk;
  }
}

type Listed = Parameters<InstrumentReads['listed']>[0];

const instrumentsOf = (venue: VenueName, copy: DirectoryCopy): InstrumentReads => ({
  listed: (query) => copy.listed(venue, query),
  instrument: (name) => copy.instrument(venue, name),
});

function deskOf(venue: VenueName, { orders }: MethodApi, copy: DirectoryCopy): TradingDesk {
  const { follow, ...methods } = orders;
  const subscribe: TradingDesk['subscribe'] = (listener) => follow(venue, listener);
  return { ...methods, ...instrumentsOf(venue, copy), subscribe };
}

function marketOf(venue: VenueName, { market }: MethodApi, copy: DirectoryCopy): MarketReads {
  return {
    ...instrumentsOf(venue, copy),
    indexNames: () => copy.indexNames(venue),
    pausedUntil: () => copy.pausedUntil(venue),
    ticker: (name) => market.ticker(venue, name),
    book: (name, depth) => market.book(venue, name, depth),
    index: (name) => market.index(venue, name),
    history: (kind, query) => market.history(venue, kind, query),
    follow: (name, listener) => market.follow(venue, name, listener),
  };
}
