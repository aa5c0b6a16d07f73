// A portfolio in the pure core, working on a reliable venue: quotes as shown, immediate replies, time on demand.
import type { AdmitContext } from '../../../src/core/portfolio/admission/admit-context.ts';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Intent } from '../../../src/core/portfolio/aggregate/portfolio-intent.ts';
import { isTerminal } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { nextDueAt, nextWakeAt } from '../../../src/core/portfolio/next-wake.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { text } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { Quote } from '../../../src/values/quote.ts';
import { CoreDesk } from './core-desk.ts';
import { CoreVenue } from './core-venue.ts';
import { NOON } from './markets.ts';

type Asked =
  | Omit<Extract<PortfolioCommand, { kind: 'amend' }>, 'now'>
  | { readonly kind: 'pause' | 'resume'; readonly by: string };
type Placed = Extract<Intent, { kind: 'place' }> & { readonly atMs: number };

export class CoreWork {
  readonly desk: CoreDesk;
  readonly venue: CoreVenue;
  readonly placed: Placed[] = [];
  /** Every price that an order was edited to. */
  readonly edited: { readonly atMs: number; readonly price: string; readonly postOnly: boolean }[] =
    [];
  /** The share of a child that trades on arrival; called for each child. */
  fills: (order: Placed) => number = () => 1;
  #nowMs = 0;

  constructor(
    form: PortfolioForm,
    instruments: readonly Instrument[],
    ...context: [settings?: Settings, rules?: Partial<AdmitContext>]
  ) {
    this.desk = new CoreDesk(form, instruments, ...context);
    this.venue = new CoreVenue(instruments);
  }

  show(quote: Quote): void {
    this.desk.quotes.set(quote.instrument, quote);
  }

  /** Evaluates the portfolio at this moment, however long after the previous evaluation. */
  at(ms: number): void {
    this.#nowMs = ms;
    this.#run({ kind: 'advance', now: later(NOON, ms) });
  }

  /** Follows its own wake-ups until this moment, or until it ends. */
  until(ms: number): void {
    if (this.desk.events.length === 1) this.at(this.#nowMs);
    for (let looks = 0; looks < 10_000 && !this.isOver; looks += 1) {
      const { state, settings } = this.desk;
      const due = nextDueAt(state, settings);
      if (due === undefined) return;
      const now = later(NOON, this.#nowMs);
      const wake = nextWakeAt(state, { now, due, settings }) - NOON;
      if (wake > ms) break;
      this.at(wake);
    }
    if (!this.isOver) this.at(ms);
  }

  get isOver(): boolean {
    return isTerminal(this.desk.state.status);
  }

  filled(leg = 0): string {
    const state = this.desk.state.legs[leg];
    return state === undefined ? '' : text(state.filled);
  }

  events<K extends PortfolioEvent['kind']>(kind: K): Extract<PortfolioEvent, { kind: K }>[] {
    return this.desk.events.filter(
      (event): event is Extract<PortfolioEvent, { kind: K }> => event.kind === kind,
    );
  }

  /** The reason for each price edit. */
  repricedFor(): (string | undefined)[] {
    return this.events('edit_intended').map(({ reason }) => reason);
  }

  /** The reasons why slices waited, in order, without consecutive duplicates. */
  waits(): string[] {
    return this.events('slice_waiting').map(({ reason }) => reason);
  }

  /** Runs a command at the moment of the latest evaluation. */
  apply(command: Asked): void {
    this.#run({ ...command, now: later(NOON, this.#nowMs) });
  }

  #run(command: PortfolioCommand): void {
    const queue: PortfolioCommand[] = [command];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const intent of this.desk.run(next).intents) {
        if (!('label' in intent)) continue;
        const now = later(NOON, this.#nowMs);
        const answer = this.venue.serve(intent, now, this.#note(intent));
        queue.push({ ...answer, now } as PortfolioCommand);
      }
    }
  }

  #note(intent: Intent): number {
    const atMs = this.#nowMs;
    if (intent.kind === 'edit') {
      const { price, postOnly } = intent;
      this.edited.push({ atMs, price: text(price), postOnly });
    }
    if (intent.kind !== 'place') return 0;
    const placed = { ...intent, atMs };
    this.placed.push(placed);
    return this.fills(placed);
  }
}
