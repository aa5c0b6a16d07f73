// Turns a form into a durable portfolio: admission, ids, shadows for dummy accounts, one commit for all.

import { shardOf } from '../../core/ownership/shards.ts';
import { noticesOf } from '../../core/plan/plan-notices.ts';
import { type Admission, admit } from '../../core/portfolio/admission/admit.ts';
import type { AmendForm } from '../../core/portfolio/admission/admit-amend.ts';
import type { AdmitContext } from '../../core/portfolio/admission/admit-context.ts';
import type { SubmitLimits } from '../../core/portfolio/admission/submit-limits.ts';
import { begin } from '../../core/portfolio/aggregate/evolve.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { type AmendJudgement, judgeAmendment } from '../../core/portfolio/judge-amendment.ts';
import { type Rejection, reject } from '../../core/rejection.ts';
import { settingText } from '../../core/risk/trading-switch.ts';
import { hasChoices } from '../../core/terms/chosen-names.ts';
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
import { type AccountId, instrumentName, type PortfolioId, portfolioId } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { CostRecorder, ExpectedCosts } from '../costs/cost-recorder.ts';
import type { DiskWatch } from '../disk/disk-watch.ts';
import type { Outcome, PlanView, Submitted } from '../interface/operations.ts';
import type { SwitchesInForce } from '../kill-switch/trading-switches.ts';
import { type MmpProtecting, NO_PROTECTION } from '../mmp/mmp-guard.ts';
import type { RfqDesks } from '../order-entry/gated-rfq-desk.ts';
import type { OverloadWatch } from '../overload/overload-watch.ts';
import { repetitionRejection } from '../risk/gate-portfolios.ts';
import type { EngineGate } from '../risk/watch-gate.ts';
import { turnRecord } from '../turns/turn-record.ts';
import type { ChooseInstruments } from './choose-instruments.ts';
import { WatchedMarkets } from './first-quotes.ts';
import { namesOf, noVenue } from './form-facts.ts';
import { Planner } from './plan-portfolio.ts';
import { serializedPlan } from './plan-record.ts';
import { planVerdict } from './plan-verdict.ts';

export interface SubmitOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly venues: VenueDirectory;
  readonly settings: Settings;
  /** The limits in force at the moment: a reload may change them. */
  readonly limits: () => SubmitLimits;
  readonly switches: Pick<SwitchesInForce, 'strictestFor' | 'settings' | 'set'>;
  readonly observer: Observer;
  readonly gate: Pick<EngineGate, 'gate' | 'accounts'>;
  readonly mmp: Pick<MmpProtecting, 'indexOf'>;
  readonly rfqsFor: RfqDesks;
  /** While it says so, new portfolios are refused. */
  readonly overload: Pick<OverloadWatch, 'isOverloaded'>;
  /** Refuses new portfolios while a disk is nearly full. */
  readonly disk: Pick<DiskWatch, 'refusal'>;
  readonly choose: ChooseInstruments;
  /** Records what each portfolio is expected to cost; absent: it is not estimated. */
  readonly costs?: Pick<CostRecorder, 'submitted'> | undefined;
  /** Called with each portfolio that became durable, including its first event. */
  readonly onCreated: (state: PortfolioState, events: readonly PortfolioEvent[]) => void;
}

interface Created {
  readonly state: PortfolioState;
  readonly events: readonly PortfolioEvent[];
}

const ID_TRIES_MAX = 50;

/** Less than an overload lasts at least would only have it asked again in vain. */
const OVERLOAD_RETRY_SEC = 3;

const OVERLOADED: Outcome<never> = {
  kind: 'refused',
  rejections: [
    {
      ...reject(
        'unavailable',
        '',
        'slices are late because there are more than can be executed in time, and another portfolio would make them ' +
          `later; nothing was done; accepted: the same request, in ${OVERLOAD_RETRY_SEC} s at the earliest`,
      ),
      retryAfterSec: OVERLOAD_RETRY_SEC,
    },
  ],
};

export class Submission {
  readonly #options: SubmitOptions;
  readonly #planner: Planner<Venue>;
  #lastId = 0;

  constructor(options: SubmitOptions) {
    this.#options = options;
    const { clock, settings, venues } = options;
    this.#planner = new Planner({
      clock,
      settings,
      venueOf: (account) => venues.forAccount(account),
      rules: (venue, account) => this.#rules(venue, account),
      needsQuotes: () => this.#needsQuotes(),
    });
  }

  /** Checks the admission rules and then the controls, after a bounded wait for quotes. */
  async #judged(form: PortfolioForm, by: Actor): Promise<Admission> {
    const venue = this.#options.venues.forAccount(form.accountId);
    if (venue === undefined) return noVenue(form);
    const markets = new WatchedMarkets(venue, namesOf(form));
    try {
      await this.#firstQuotes(markets);
      const admission = admit(form, by, this.#rules(venue, form.accountId));
      if (admission.kind === 'refused') {
        this.#reportControls(admission.rejections, form.accountId);
        return admission;
      }
      const blocked = await this.#blocked(admission);
      return blocked === undefined ? admission : { kind: 'refused', rejections: [blocked] };
    } finally {
      markets.release();
    }
  }

  /** Waits only if some limit applies to the value: nothing else is checked against a quote. */
  #firstQuotes(markets: WatchedMarkets): Promise<void> | undefined {
    return this.#needsQuotes() ? markets.firstQuotes(this.#options.clock) : undefined;
  }

  #needsQuotes(): boolean {
    const { gate, limits, settings } = this.#options;
    const { strategy, orderUsdMax: tighter } = gate.gate.limits;
    const bounds = [limits().legUsdMax, settings.orderUsdMax, strategy, tighter];
    return bounds.some((bound) => bound !== undefined);
  }

  /** Judges an amendment, after a bounded wait for quotes; `undefined` if no venue has the account. */
  async judgedAmend(
    form: AmendForm,
    state: PortfolioState,
    by: string,
  ): Promise<AmendJudgement | undefined> {
    const { settings, venues } = this.#options;
    const { accountId, legs } = state.spec;
    const venue = venues.forAccount(accountId);
    if (venue === undefined) return undefined;
    const markets = new WatchedMarkets(
      venue,
      legs.map(({ instrument }) => instrument),
    );
    try {
      await this.#firstQuotes(markets);
      const context = this.#rules(venue, accountId);
      const judgement = judgeAmendment({ form, state, by, context, settings });
      if (judgement.kind === 'refused') this.#reportControls(judgement.rejections, accountId);
      return judgement;
    } finally {
      markets.release();
    }
  }

  /** Each control that refused terms is counted. */
  #reportControls(rejections: readonly Rejection[], account: AccountId): void {
    const { observer } = this.#options;
    for (const { control, message: why } of rejections) {
      if (control !== undefined) {
        observer.observe({ event: 'control_refused', control, stage: 'submit', account, why });
      }
    }
  }

  #rules(venue: Venue, account: AccountId): AdmitContext {
    const { clock, gate, limits, mmp, settings } = this.#options;
    return {
      now: clock.now(),
      limits: limits(),
      features: venue.features,
      instrument: (name) => venue.instrument(instrumentName(name)),
      listed: () => venue.instruments(),
      quote: (name) => venue.quote(instrumentName(name)),
      orderUsdMax: settings.orderUsdMax,
      controls: gate.gate.limits,
      loss: { usd: gate.accounts.lossUsd(account) },
      hasBlockRfqs: this.#options.rfqsFor(account) !== undefined,
      ...(mmp !== NO_PROTECTION && {
        mmpIndexOf: (group: string) => mmp.indexOf(account, group),
      }),
    };
  }

  /** What submit would do now, and the findings for and against it. */
  plan(form: PortfolioForm, by: Actor): Outcome<PlanView> | Promise<Outcome<PlanView>> {
    const naming = this.#naming(form);
    if (naming === undefined) return this.#planner.plan(form, by);
    return naming.then((named) =>
      named.kind === 'refused' ? named : this.#planner.plan(named.value, by),
    );
  }

  /** `undefined` if the form has no choices. */
  #naming(form: PortfolioForm): Promise<Outcome<PortfolioForm>> | undefined {
    return hasChoices(form) ? this.#options.choose(form) : undefined;
  }

  /** Lets other due work run first. */
  readonly #pause = (): Promise<void> => {
    const { clock } = this.#options;
    return new Promise((resolve) => clock.at(clock.now(), resolve));
  };

  /** What the portfolio is expected to cost is recorded a moment after it was stored. Its shadows cost nothing. */
  #estimate(
    [main]: readonly Created[],
    admission: Admission & { readonly kind: 'admitted' },
  ): void {
    const { costs } = this.#options;
    if (main !== undefined) void costs?.submitted(main.state, this.#expectedCosts(admission));
  }

  /** As the plan would say it, in the market of now. */
  async #expectedCosts(
    admission: Admission & { readonly kind: 'admitted' },
  ): Promise<ExpectedCosts> {
    const { clock, settings, venues } = this.#options;
    const { spec, instruments } = admission;
    const venue = must(venues.forAccount(spec.accountId), 'an admitted account has a venue');
    const looks = this.#planner.looksAt(venue);
    const { legs } = await planVerdict({
      spec,
      instruments,
      venue,
      settings,
      now: clock.now(),
      plan: await serializedPlan(admission, this.#pause),
      // Funds are not requested: the cost does not depend on them.
      looks: { market: (name) => looks.market(name), free: () => undefined },
    });
    return legs.map(({ costBps, fee, feeCurrency }) => ({ bps: costBps, fee, feeCurrency }));
  }

  /**
   * Stores the portfolio and its shadows, all or none. A key used before returns its portfolio, also while new ones are
   * refused.
   */
  async submit(form: PortfolioForm, by: Actor, key?: string): Promise<Outcome<Submitted>> {
    const { ledger } = this.#options;
    const before = key === undefined ? undefined : await ledger.findByKey(key);
    if (before !== undefined) return await this.#repeated(before);
    if (this.#options.overload.isOverloaded) return OVERLOADED;
    const stopped = this.#options.disk.refusal() ?? this.#haltOver(form);
    if (stopped !== undefined) return { kind: 'refused', rejections: [stopped] };
    const named = await this.#naming(form);
    if (named?.kind === 'refused') return named;
    return await this.#stored(named?.value ?? form, by, key);
  }

  async #stored(form: PortfolioForm, by: Actor, key?: string): Promise<Outcome<Submitted>> {
    const { ledger, onCreated } = this.#options;
    const admission = await this.#judged(form, by);
    if (admission.kind === 'refused') return admission;
    for (let tries = 0; tries < ID_TRIES_MAX; tries += 1) {
      const created = this.#create(form, admission.spec, admission.instruments);
      const shard = shardOf(form.accountId);
      const turns = created.map((one, index) =>
        this.#turn(one, { shard, key: index === 0 ? key : undefined }),
      );
      const outcome = await ledger.commit(turns);
      if (outcome.kind === 'duplicate_key') return await this.#repeated(outcome.portfolio);
      if (outcome.kind !== 'committed') continue;
      for (const { state, events } of created) onCreated(state, events);
      this.#estimate(created, admission);
      const [main, ...mirrors] = created.map(({ state }) => state.id);
      const portfolio = must(main, 'a submit creates a portfolio');
      const warnings = noticesOf({ form, ...admission }).filter(({ kind }) => kind === 'warning');
      const told = warnings.length > 0 ? { warnings } : {};
      return { kind: 'done', value: { portfolio, mirrors, created: true, ...told } };
    }
    assert(false, `no free portfolio id in ${ID_TRIES_MAX} tries`);
    throw new Error('unreachable');
  }

  /** What the submit with this key has created: its first answer may be lost, and nothing else names the shadows. */
  async #repeated(portfolio: PortfolioId): Promise<Outcome<Submitted>> {
    const row = must(await this.#options.ledger.row(portfolio), 'a key is of a stored portfolio');
    const mirrors = row.record.mirrors.map(portfolioId);
    return { kind: 'done', value: { portfolio, mirrors, created: false } };
  }

  /** The rejection of a strategy's portfolio that is otherwise valid. */
  #blocked({ spec }: Admission & { readonly kind: 'admitted' }) {
    return repetitionRejection(this.#options, spec);
  }

  /** During a halt, new portfolios are refused instead of queued. */
  #haltOver({ accountId: account, strategy }: PortfolioForm): Rejection | undefined {
    const setting = this.#options.switches.strictestFor({ account, strategy });
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
