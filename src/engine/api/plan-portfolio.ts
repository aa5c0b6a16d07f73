// Plans a portfolio without submitting it: what submit would do now, and the findings for and against it. Needs no more of
// a venue than what can be read from anywhere, so a gateway can plan by itself.

import { noticesOf } from '../../core/plan/plan-notices.ts';
import type { Finding, Verdict } from '../../core/plan/verdict.ts';
import { admit } from '../../core/portfolio/admission/admit.ts';
import type { AdmitContext } from '../../core/portfolio/admission/admit-context.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Actor } from '../../core/terms/spec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Outcome, PlanView } from '../interface/operations.ts';
import { WatchedMarkets } from './first-quotes.ts';
import { namesOf, noVenue } from './form-facts.ts';
import { MarketSnapshots, type SnapshotVenue } from './market-snapshots.ts';
import { serializedPlan } from './plan-record.ts';
import { planVerdict, type VerdictVenue } from './plan-verdict.ts';
import type { WrittenPlan } from './written-plan.ts';

export type PlanVenue = SnapshotVenue & VerdictVenue;

export interface PlannerOptions<V extends PlanVenue> {
  readonly clock: Clock;
  readonly settings: Settings;
  readonly venueOf: (account: AccountId) => V | undefined;
  readonly rules: (venue: V, account: AccountId) => AdmitContext;
  /** Whether some limit applies to values, so that quotes are waited for. */
  readonly needsQuotes: () => boolean;
}

export class Planner<V extends PlanVenue> {
  readonly #options: PlannerOptions<V>;
  readonly #looks = new Map<V, MarketSnapshots>();

  constructor(options: PlannerOptions<V>) {
    this.#options = options;
  }

  /** Synchronous if nothing has to be waited for. */
  plan(form: PortfolioForm, by: Actor): Outcome<PlanView> | Promise<Outcome<PlanView>> {
    const { clock, venueOf, needsQuotes } = this.#options;
    const venue = venueOf(form.accountId);
    if (venue === undefined) return noVenue(form);
    const looks = this.looksAt(venue);
    for (const name of namesOf(form)) looks.keepQuote(name);
    const markets = new WatchedMarkets(venue, namesOf(form));
    const waiting = needsQuotes() ? markets.firstQuotes(clock) : undefined;
    if (waiting === undefined) {
      markets.release();
      return this.#plan(form, by, venue);
    }
    return waiting.then(() => this.#plan(form, by, venue)).finally(() => markets.release());
  }

  /** The snapshots that plans at this venue are made from. */
  looksAt(venue: V): MarketSnapshots {
    const known = this.#looks.get(venue);
    const looks = known ?? new MarketSnapshots(this.#options.clock, venue);
    if (known === undefined) this.#looks.set(venue, looks);
    return looks;
  }

  #plan(form: PortfolioForm, by: Actor, venue: V): Outcome<PlanView> | Promise<Outcome<PlanView>> {
    const { clock, rules: rulesOf, settings } = this.#options;
    const looks = this.looksAt(venue);
    const rules = rulesOf(venue, form.accountId);
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
    // Lets other due work run first.
    const pause = (): Promise<void> => new Promise((resolve) => clock.at(clock.now(), resolve));
    const plan = serializedPlan(admission, pause);
    return plan instanceof Promise ? plan.then(judge) : judge(plan);
  }
}

const planned = (
  view: PlanView,
  verdict: Verdict,
  notices: readonly Finding[],
): Outcome<PlanView> => ({
  kind: 'done',
  value: { ...view, verdict: { ...verdict, findings: [...verdict.findings, ...notices] } },
});
