// Turns a form into a durable portfolio: admission, ids, shadows for dummy accounts, one commit for all.

import { shardOf } from '../../core/ownership/shards.ts';
import { noticesOf } from '../../core/plan/plan-notices.ts';
import type { Finding, Verdict } from '../../core/plan/verdict.ts';
import { type Admission, admit } from '../../core/portfolio/admission/admit.ts';
import { type AmendForm, admitAmend } from '../../core/portfolio/admission/admit-amend.ts';
import type { AdmitContext } from '../../core/portfolio/admission/admit-context.ts';
import type { SubmitLimits } from '../../core/portfolio/admission/submit-limits.ts';
import { begin } from '../../core/portfolio/aggregate/evolve.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { type Rejection, reject } from '../../core/rejection.ts';
import { settingText } from '../../core/risk/trading-switch.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { scaledSpec } from '../../core/terms/mirror-scale.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Actor, PortfolioSpec } from '../../core/terms/spec.ts';
import { instrumentToRecord, specToRecord } from '../../core/terms/spec-record.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger, Turn } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Ratio } from '../../values/amounts.ts';
import { assert, must } from '../../values/assert.ts';
import {
  type AccountId,
  type InstrumentName,
  instrumentName,
  type PortfolioId,
  portfolioId,
} from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Outcome, PlanView, Submitted } from '../interface/operations.ts';
import type { TradingSwitches } from '../kill-switch/trading-switches.ts';
import type { MmpGuard } from '../mmp/mmp-guard.ts';
import { portfolioRejection } from '../risk/gate-portfolios.ts';
import type { WatchedGate } from '../risk/watch-gate.ts';
import { turnRecord } from '../turns/turn-record.ts';
import { WatchedMarkets } from './first-quotes.ts';
import { MarketSnapshots } from './market-snapshots.ts';
import { serializedPlan } from './plan-record.ts';
import { planVerdict } from './plan-verdict.ts';
import type { WrittenPlan } from './written-plan.ts';

export interface SubmitOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly venues: VenueDirectory;
  readonly settings: Settings;
  /** The limits in force at the moment: a reload may change them. */
  readonly limits: () => SubmitLimits;
  /** Absent: trading is never switched off. */
  readonly switches?: Pick<TradingSwitches, 'strictestFor' | 'settings' | 'set'> | undefined;
  readonly observer: Observer;
  /** Absent: nothing is limited. */
  readonly gate?: WatchedGate | undefined;
  readonly mmp?: Pick<MmpGuard, 'indexOf'> | undefined;
  /** The Block RFQ desk of an account; absent if there is none. */
  readonly rfqsFor?: ((account: AccountId) => unknown) | undefined;
  /** Called with each portfolio that became durable, including its first event. */
  readonly onCreated: (state: PortfolioState, events: readonly PortfolioEvent[]) => void;
}

interface Created {
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
}

const ID_TRIES_MAX = 50;

export class Submission {
  readonly #options: SubmitOptions;
  readonly #looks = new Map<Venue, MarketSnapshots>();
  #lastId = 0;

  constructor(options: SubmitOptions) {
    this.#options = options;
  }

  /** Checks the admission rules and then the controls, after a bounded wait for quotes. */
  async #judged(form: PortfolioForm, by: Actor): Promise<Admission> {
    const venue = this.#options.venues.forAccount(form.accountId);
    if (venue === undefined) return this.#noVenue(form);
    const markets = new WatchedMarkets(venue, namesOf(form));
    try {
      await this.#firstQuotes(markets);
      const admission = admit(form, by, this.#rules(venue, form.accountId));
      if (admission.kind === 'refused') return admission;
      const blocked = await this.#blocked(admission);
      return blocked === undefined ? admission : { kind: 'refused', rejections: [blocked] };
    } finally {
      markets.release();
    }
  }

  /** Waits only if some limit applies to the value: nothing else is checked against a quote. */
  #firstQuotes(markets: WatchedMarkets): Promise<void> | undefined {
    const { clock, gate, limits, settings } = this.#options;
    const bounds = [limits().legUsdMax, settings.orderUsdMax, gate?.gate.limits.strategy];
    return bounds.every((bound) => bound === undefined) ? undefined : markets.firstQuotes(clock);
  }

  #noVenue({ accountId }: PortfolioForm): Admission & { readonly kind: 'refused' } {
    const message = `${accountId} is not an account of this deployment`;
    return { kind: 'refused', rejections: [reject('invalid_parameter', 'accountId', message)] };
  }

  #looksAt(venue: Venue): MarketSnapshots {
    const known = this.#looks.get(venue);
    const looks = known ?? new MarketSnapshots(this.#options.clock, venue);
    if (known === undefined) this.#looks.set(venue, looks);
    return looks;
  }

  /** Checks the rules of an amendment, after a bounded wait for quotes; `undefined` if no venue has the account. */
  async judgedAmend(form: AmendForm, state: PortfolioState) {
    const { accountId, legs } = state.spec;
    const venue = this.#options.venues.forAccount(accountId);
    if (venue === undefined) return undefined;
    const markets = new WatchedMarkets(
      venue,
      legs.map(({ instrument }) => instrument),
    );
    try {
      await this.#firstQuotes(markets);
      const rules = this.#rules(venue, accountId);
      const admission = admitAmend(form, state, rules);
      return admission.kind === 'refused'
        ? admission
        : { ...admission, slicesMax: rules.limits.slicesMax };
    } finally {
      markets.release();
    }
  }

  #rules(venue: Venue, account: AccountId): AdmitContext {
    const { clock, limits, mmp, settings } = this.#options;
    return {
      now: clock.now(),
      limits: limits(),
      features: venue.features,
      instrument: (name) => venue.instrument(instrumentName(name)),
      listed: () => venue.instruments(),
      quote: (name) => venue.quote(instrumentName(name)),
      orderUsdMax: settings.orderUsdMax,
      hasBlockRfqs: this.#options.rfqsFor?.(account) !== undefined,
      ...(mmp && { mmpIndexOf: (group: string) => mmp.indexOf(account, group) }),
    };
  }

  /** What submit would do now, and the findings for and against it. */
  plan(form: PortfolioForm, by: Actor): Outcome<PlanView> | Promise<Outcome<PlanView>> {
    const venue = this.#options.venues.forAccount(form.accountId);
    if (venue === undefined) return this.#noVenue(form);
    const looks = this.#looksAt(venue);
    for (const name of namesOf(form)) looks.keepQuote(name);
    const markets = new WatchedMarkets(venue, namesOf(form));
    const waiting = this.#firstQuotes(markets);
    if (waiting === undefined) {
      markets.release();
      return this.#plan(form, by, venue);
    }
    return waiting.then(() => this.#plan(form, by, venue)).finally(() => markets.release());
  }

  #plan(
    form: PortfolioForm,
    by: Actor,
    venue: Venue,
  ): Outcome<PlanView> | Promise<Outcome<PlanView>> {
    const { settings } = this.#options;
    const looks = this.#looksAt(venue);
    const rules = this.#rules(venue, form.accountId);
    const admission = admit(form, by, rules);
    if (admission.kind === 'refused') return admission;
    const { spec, instruments } = admission;
    const notices = noticesOf({ form, ...admission });
    const judge = (plan: WrittenPlan): Outcome<PlanView> | Promise<Outcome<PlanView>> => {
      const judged = { spec, instruments, plan, venue, looks, settings, now: rules.now };
      const verdict = planVerdict(judged);
      return verdict instanceof Promise
        ? verdict.then((told) => planned(plan.view, told, notices))
        : planned(plan.view, verdict, notices);
    };
    const { clock } = this.#options;
    // Lets other due work run first.
    const pause = (): Promise<void> => new Promise((resolve) => clock.at(clock.now(), resolve));
    const plan = serializedPlan(admission, pause);
    return plan instanceof Promise ? plan.then(judge) : judge(plan);
  }

  /** Stores the portfolio and its shadows, all or none. A key used before returns its portfolio. */
  async submit(form: PortfolioForm, by: Actor, key?: string): Promise<Outcome<Submitted>> {
    const { ledger, onCreated } = this.#options;
    const before = key === undefined ? undefined : await ledger.findByKey(key);
    if (before !== undefined) return { kind: 'done', value: repeated(before) };
    const halted = this.#haltOver(form);
    if (halted !== undefined) return { kind: 'refused', rejections: [halted] };
    const admission = await this.#judged(form, by);
    if (admission.kind === 'refused') return admission;
    for (let tries = 0; tries < ID_TRIES_MAX; tries += 1) {
      const created = this.#create(form, admission.spec, admission.instruments);
      const shard = shardOf(form.accountId);
      const turns = created.map((one, index) =>
        this.#turn(one, { shard, key: index === 0 ? key : undefined }),
      );
      const outcome = await ledger.commit(turns);
      if (outcome.kind === 'duplicate_key') {
        return { kind: 'done', value: repeated(outcome.portfolio) };
      }
      if (outcome.kind !== 'committed') continue;
      for (const { state, events } of created) onCreated(state, events);
      const [main, ...mirrors] = created.map(({ state }) => state.id);
      const portfolio = must(main, 'a submit creates a portfolio');
      const warnings = noticesOf({ form, ...admission }).filter(({ kind }) => kind === 'warning');
      const told = warnings.length > 0 ? { warnings } : {};
      return { kind: 'done', value: { portfolio, mirrors, created: true, ...told } };
    }
    assert(false, `no free portfolio id in ${ID_TRIES_MAX} tries`);
    throw new Error('unreachable');
  }

  /** The rejection by a control of a portfolio that is otherwise valid. */
  #blocked({ spec, instruments }: Admission & { readonly kind: 'admitted' }) {
    const { venues } = this.#options;
    const venue = must(venues.forAccount(spec.accountId), 'an admitted account has a venue');
    return portfolioRejection(this.#options, { spec, instruments, venue });
  }

  /** During a halt, new portfolios are refused instead of queued. */
  #haltOver({ accountId: account, strategy }: PortfolioForm): Rejection | undefined {
    const setting = this.#options.switches?.strictestFor({ account, strategy });
    if (setting?.state !== 'halted') return undefined;
    const message = `${settingText(setting)}; accepted: after the switch is active again`;
    return reject('trading_halted', '', message);
  }

  #create(
    form: PortfolioForm,
    spec: PortfolioSpec,
    instruments: readonly Instrument[],
  ): readonly Created[] {
    const main = this.#nextId();
    const shadows = form.dummyAccounts.map((account) => ({ account, id: this.#nextId() }));
    const known = new Map(instruments.map((item) => [item.name as string, item]));
    const mirrors = shadows.map(({ id }) => id);
    return [
      this.#begin(main, { ...spec, mirrors }, instruments),
      ...shadows.map(({ account, id }) =>
        this.#begin(
          id,
          {
            ...scaledSpec(spec, scaleOf(form, account), known),
            accountId: account,
            mirrorOf: main,
          },
          instruments,
        ),
      ),
    ];
  }

  #begin(id: PortfolioId, spec: PortfolioSpec, instruments: readonly Instrument[]): Created {
    const unique = new Map(instruments.map((item) => [item.name, item]));
    const event: PortfolioEvent = {
      kind: 'submitted',
      at: this.#options.clock.now(),
      spec: specToRecord(spec),
      instruments: [...unique.values()].map(instrumentToRecord),
    };
    return { state: begin(id, event), events: [event] };
  }

  #turn({ state, events }: Created, place: Pick<Turn, 'shard' | 'key'>): Turn {
    const { venues, settings } = this.#options;
    const venue = venues.forAccount(state.spec.accountId);
    const name = must(venue, () => `account ${state.spec.accountId} has a venue`).name;
    return turnRecord({ state, events, settings, venue: name, ...place });
  }

  /** Milliseconds × 1000 plus a counter: increasing, and below 2^53 until the year 2255. */
  #nextId(): PortfolioId {
    this.#lastId = Math.max(this.#lastId + 1, this.#options.clock.now() * 1_000);
    return portfolioId(String(this.#lastId));
  }
}

const scaleOf = ({ mirrorScales }: PortfolioForm, account: AccountId): Ratio | undefined =>
  mirrorScales?.find((one) => one.account === account)?.scale;

const planned = (
  view: PlanView,
  verdict: Verdict,
  notices: readonly Finding[],
): Outcome<PlanView> => ({
  kind: 'done',
  value: { ...view, verdict: { ...verdict, findings: [...verdict.findings, ...notices] } },
});

const repeated = (portfolio: PortfolioId): Submitted => ({
  portfolio,
  mirrors: [],
  created: false,
});

const namesOf = ({ legs }: PortfolioForm): readonly InstrumentName[] =>
  legs.map((leg) => instrumentName(leg.instrument));
