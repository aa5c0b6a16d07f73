// A portfolio in the pure core, for tests without an engine or a venue.
import { admit } from '../../../src/core/portfolio/admission/admit.ts';
import type { AdmitContext } from '../../../src/core/portfolio/admission/admit-context.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { DecisionInputs } from '../../../src/core/portfolio/aggregate/decision-inputs.ts';
import { begin } from '../../../src/core/portfolio/aggregate/evolve.ts';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import { type Decision, decide } from '../../../src/core/portfolio/decide.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { instrumentToRecord, specToRecord } from '../../../src/core/terms/spec-record.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { Quote } from '../../../src/values/quote.ts';
import { BY, SETTINGS } from './engine-world.ts';
import { NOON } from './markets.ts';

/** From five to nine seconds after noon. */
export const QUIET = { fromMs: 12 * 3_600_000 + 5_000, toMs: 12 * 3_600_000 + 9_000 };

export class CoreDesk {
  readonly events: PortfolioEvent[] = [];
  readonly quotes = new Map<string, Quote>();
  /** How old every quote is when something is decided. */
  quoteAgeMs = 0;
  readonly settings: Settings;
  /** What decisions are given besides settings and quotes. */
  given: Partial<DecisionInputs> = {};
  /** The context of the admission rules for a submit or an amendment. */
  readonly rules: (now: Instant) => AdmitContext;
  state: PortfolioState;

  constructor(
    form: PortfolioForm,
    instruments: readonly Instrument[],
    settings = SETTINGS,
    change: Partial<AdmitContext> = {},
  ) {
    this.settings = settings;
    const known = new Map(instruments.map((one) => [one.name as string, one]));
    this.rules = (now) => ({
      now,
      limits: {
        ...DEFAULT_SUBMIT_LIMITS,
        durationSecMin: 1,
        frequencySecMin: 1,
        dummyAccounts: new Set(),
      },
      features: {
        hidden: false,
        tradeModes: ['cash', 'cross'],
        positionSides: ['net'],
        quietWindows: [QUIET],
      },
      instrument: (name) => known.get(name),
      quote: () => undefined,
      ...change,
    });
    const admission = admit(form, BY, this.rules(NOON));
    if (admission.kind === 'refused') throw new Error(JSON.stringify(admission.rejections));
    const submitted = {
      kind: 'submitted' as const,
      at: NOON,
      spec: specToRecord(admission.spec),
      instruments: [...new Set(admission.instruments)].map(instrumentToRecord),
    };
    this.state = begin(portfolioId('1795176000000000'), submitted);
    this.events.push(submitted);
  }

  /** Decides and applies the decision. */
  run(command: PortfolioCommand): Decision {
    const decision = this.peek(command);
    this.state = decision.state;
    this.events.push(...decision.events);
    return decision;
  }

  /** The decision without applying it, as in the engine: `now` is in the command. */
  peek(command: PortfolioCommand): Decision {
    const { settings, quotes } = this;
    const at = command.now;
    const seenAt = later(at, -this.quoteAgeMs);
    const shown = new Map([...quotes].map(([name, quote]) => [name, { ...quote, seenAt }]));
    return decide(this.state, command, { settings, quotes: shown, ...this.given });
  }

  /** The state as a new process would load it: folded from events that went through JSON. */
  replayed(): PortfolioState {
    const stored = JSON.parse(JSON.stringify(this.events)) as PortfolioEvent[];
    return must(fold(this.state.id, stored), 'the events begin with a submit');
  }
}
