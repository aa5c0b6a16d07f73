// Plans in a gateway: markets, funds and instruments are asked of the engine at most four times a second each, however
// many plans are requested.
import type { DayLoss } from '../../core/portfolio/admission/admit-context.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Actor } from '../../core/terms/spec.ts';
import { namesOf } from '../../engine/api/form-facts.ts';
import { Planner, type PlanVenue } from '../../engine/api/plan-portfolio.ts';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import type { Operations } from '../../engine/interface/operations.ts';
import { quoteOf } from '../../engine/order-entry/look-up-quote.ts';
import type { DirectoryCopy } from '../../gateway/desks/directory-copy.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ticker } from '../../ports/market-reads.ts';
import { money } from '../../values/amounts.ts';
import {
  type AccountId,
  type InstrumentName,
  instrumentName,
  venueName,
} from '../../values/ids.ts';
import type { Quote } from '../../values/quote.ts';
import type { Config } from '../config/config.ts';
import type { LimitsInForce } from '../wiring/limits-in-force.ts';

export interface PlanHereOptions {
  readonly engine: EngineApi;
  readonly directory: DirectoryCopy;
  readonly config: Pick<Config, 'accounts'>;
  readonly limits: LimitsInForce;
  readonly clock: Clock;
}

/** A quote of this age is requested again before a plan is made with it. */
const QUOTE_AGE_MAX_MS = 250;

export function planHere(parts: PlanHereOptions): Operations['plan'] {
  const { config, directory, limits, clock } = parts;
  const venues = new Map<string, ReadVenue>();
  const places = new Map<AccountId, string>(
    config.accounts.map(({ id, venue }) => [id as AccountId, venue]),
  );
  const venueOf = (account: AccountId): ReadVenue | undefined => {
    const name = places.get(account);
    if (name === undefined) return undefined;
    const known = venues.get(name) ?? new ReadVenue(name, parts);
    venues.set(name, known);
    return known;
  };
  const losses = new DayLosses(parts);
  const planner = new Planner<ReadVenue>({
    clock,
    venueOf,
    settings: limits.settings,
    needsQuotes: () => false,
    rules: (venue, account) => ({
      now: clock.now(),
      limits: limits.submit,
      features: venue.features,
      instrument: (name) => venue.instrument(instrumentName(name)),
      listed: () => venue.listed(),
      quote: (name) => venue.quote(instrumentName(name)),
      orderUsdMax: limits.settings.orderUsdMax,
      controls: limits.controls,
      loss: losses.known(account),
      hasBlockRfqs: directory.account(account) !== undefined && venue.hasRfqs,
    }),
  });
  return (form: PortfolioForm, by: Actor) => {
    const reading = [
      venueOf(form.accountId)?.refresh(namesOf(form)),
      places.has(form.accountId) ? losses.refresh(form.accountId) : undefined,
    ].filter((one) => one !== undefined);
    return reading.length === 0
      ? planner.plan(form, by)
      : Promise.all(reading).then(() => planner.plan(form, by));
  };
}

interface SeenLoss {
  readonly loss: DayLoss;
  readonly atMs: number;
}

/** What execution has cost each account today (PT-20), asked of the engine before a plan. */
class DayLosses {
  readonly #parts: PlanHereOptions;
  readonly #seen = new Map<AccountId, SeenLoss>();
  readonly #asked = new Map<AccountId, Promise<void>>();

  constructor(parts: PlanHereOptions) {
    this.#parts = parts;
  }

  known(account: AccountId): DayLoss | undefined {
    return this.#seen.get(account)?.loss;
  }

  /** Asks if it is missing or too old; `undefined` if it is neither. */
  refresh(account: AccountId): Promise<void> | undefined {
    const seen = this.#seen.get(account);
    const nowMs = this.#parts.clock.monotonicMs();
    if (seen !== undefined && nowMs - seen.atMs <= QUOTE_AGE_MAX_MS) return undefined;
    const asked = this.#asked.get(account);
    if (asked !== undefined) return asked;
    const asking = this.#read(account).finally(() => this.#asked.delete(account));
    this.#asked.set(account, asking);
    return asking;
  }

  async #read(account: AccountId): Promise<void> {
    const { clock, engine } = this.#parts;
    const uses = await engine.trading.limitUse([account], clock.now());
    const use = uses.find(({ control }) => control === 'slippage');
    const usd = use?.used === undefined ? undefined : money(use.used);
    const loss = use === undefined ? undefined : { usd };
    if (loss === undefined) this.#seen.delete(account);
    else this.#seen.set(account, { loss, atMs: clock.monotonicMs() });
  }
}

interface SeenQuote {
  readonly quote: Quote | undefined;
  readonly atMs: number;
}

/** One venue as a plan sees it, over the engine's interface. */
class ReadVenue implements PlanVenue {
  readonly #name: ReturnType<typeof venueName>;
  readonly #parts: PlanHereOptions;
  readonly #quotes = new Map<InstrumentName, SeenQuote>();
  readonly #asked = new Map<InstrumentName, Promise<void>>();
  readonly market: PlanVenue['market'];
  readonly margins: NonNullable<PlanVenue['margins']>;

  constructor(name: string, parts: PlanHereOptions) {
    this.#name = venueName(name);
    this.#parts = parts;
    const { engine } = parts;
    this.margins = engine.margins;
    this.market = {
      book: (of, depth) => engine.market.book(this.#name, of, depth),
      ticker: (of) => this.#ticker(of),
    };
  }

  get features(): PlanVenue['features'] {
    return this.#listing?.features ?? { hidden: false, tradeModes: [], positionSides: [] };
  }

  get hasRfqs(): boolean {
    return this.#listing?.hasRfqs === true;
  }

  get #listing() {
    return this.#parts.directory.venues.find(({ name }) => name === this.#name);
  }

  listed() {
    return this.#parts.directory.listed(this.#name, { expired: false });
  }

  instrument(name: InstrumentName) {
    return this.#parts.directory.trading(this.#name, name);
  }

  quote(name: InstrumentName): Quote | undefined {
    return this.#quotes.get(name)?.quote;
  }

  /** Nothing is subscribed: what a plan needs is read before. */
  watch(): () => void {
    return () => undefined;
  }

  summary: PlanVenue['summary'] = (account, currency) =>
    this.#parts.engine.orders.summary(account, currency);

  /** Reads the quotes that are missing or too old; `undefined` if there is none of them. */
  refresh(names: readonly InstrumentName[]): Promise<unknown> | undefined {
    const nowMs = this.#parts.clock.monotonicMs();
    const old = names.filter((name) => {
      const seen = this.#quotes.get(name);
      const isOld = seen === undefined || nowMs - seen.atMs > QUOTE_AGE_MAX_MS;
      return isOld && this.instrument(name) !== undefined;
    });
    if (old.length === 0) return undefined;
    return Promise.all([...new Set(old)].map((name) => this.#askOnce(name)));
  }

  #askOnce(name: InstrumentName): Promise<void> {
    const asked = this.#asked.get(name);
    if (asked !== undefined) return asked;
    const asking = this.#ticker(name)
      .then(() => undefined)
      .finally(() => this.#asked.delete(name));
    this.#asked.set(name, asking);
    return asking;
  }

  async #ticker(name: InstrumentName): Promise<Ticker | undefined> {
    const ticker = await this.#parts.engine.market.ticker(this.#name, name);
    const quote = ticker && quoteOf(ticker);
    this.#quotes.set(name, { quote, atMs: this.#parts.clock.monotonicMs() });
    return ticker;
  }
}
