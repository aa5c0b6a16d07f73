// Performs the intents for a portfolio's residual RFQ and records the replies as commands. A request is sent once,
// through the same gate as all others; if its reply is missing, the venue is queried.
import { notSent } from '../../core/order/answer-class.ts';
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { RfqIntent } from '../../core/portfolio/aggregate/residual-rfq-intent.ts';
import { openRfq, requestedRfq } from '../../core/portfolio/aggregate/residual-rfq-state.ts';
import type { Settings } from '../../core/terms/settings.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { RfqRecord } from '../../values/block-rfq-record.ts';
import { parseRfqLabel } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import { tradingUnder } from '../kill-switch/apply-trading-switches.ts';
import type { SwitchesInForce } from '../kill-switch/trading-switches.ts';
import type { PortfolioRfqDesk, RfqDesks } from '../order-entry/gated-rfq-desk.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import { venueRfq, venueRows } from './read-residual-rfq.ts';
import { subscribeResidualRfqs } from './residual-rfq-notices.ts';

export interface ResidualRfqExecutorOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  /** A request is no longer sent if less than half of its validity remains until its deadline. */
  readonly settings: Pick<Settings, 'deployment' | 'validForMs'>;
  readonly rfqsFor: RfqDesks;
  readonly venues: VenueDirectory;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run' | 'peek' | 'states' | 'stored'> };
  readonly switches: Pick<SwitchesInForce, 'strictestFor'>;
}

type Of<K extends RfqIntent['kind']> = Extract<RfqIntent, { kind: K }>;

/** The minimum delay between two queries about one RFQ. */
const QUERY_REST_MS = 500;
/** The maximum number of makers that can fill shares of one RFQ. */
const BLOCKS_MAX = 100;
/** More RFQs than one label can have: each of ours is sent once. */
const LABELLED_MAX = 10;

export class ResidualRfqExecutor implements EngineComponent {
  readonly #options: ResidualRfqExecutorOptions;
  /** RFQs being queried; one query at a time each. */
  readonly #asking = new Set<string>();
  /** Intents in progress: sent without a reply yet. */
  readonly inFlight = new InFlight();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(options: ResidualRfqExecutorOptions) {
    this.#options = options;
  }

  /** Subscribes to the notices of every venue. */
  start(): Promise<void> {
    const { settings, clock, engine, venues, observer } = this.#options;
    const onFault = (error: unknown) =>
      observer.observe({ event: 'failed', where: 'end_rfq.hear', error });
    const perform = (state: PortfolioState, intent: RfqIntent) => this.#perform(state, intent);
    const shared = { deployment: settings.deployment, clock, engine, perform, onFault };
    for (const { rfqs } of venues.all()) {
      if (rfqs !== undefined) this.#unsubscribe.push(subscribeResidualRfqs({ ...shared, rfqs }));
    }
    return Promise.resolve();
  }

  drain(): Promise<void> {
    this.stop();
    return Promise.resolve();
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }

  /** Performs the RFQ intents of a durable turn. */
  committed({ state, intents }: CommittedTurn): void {
    for (const intent of intents) if ('rfqLabel' in intent) void this.#perform(state, intent);
  }

  /** Queries the RFQ with this label, if a portfolio of this process requested it. */
  query(label: string): void {
    const address = parseRfqLabel(label);
    const state = address && this.#options.engine.turns.peek(address.portfolio);
    const rfq = state && requestedRfq(state);
    if (state === undefined || rfq?.label !== label) return;
    void this.#perform(state, { kind: 'ask_rfq', rfqLabel: rfq.label, rfqId: rfq.id });
  }

  /** Never throws: a failure becomes a command or is reported. */
  async #perform(state: PortfolioState, intent: RfqIntent): Promise<void> {
    this.inFlight.enter();
    try {
      const desk = this.#options.rfqsFor(state.spec.accountId);
      if (desk === undefined) throw new Error(`${state.spec.accountId} has no Block RFQs`);
      await this.#performed(state, desk, intent);
    } catch (error) {
      const where = `end_rfq.${intent.kind}`;
      this.#options.observer.observe({ event: 'failed', where, error, portfolio: state.id });
    } finally {
      this.inFlight.leave();
    }
  }

  #performed(state: PortfolioState, desk: PortfolioRfqDesk, intent: RfqIntent): Promise<void> {
    switch (intent.kind) {
      case 'create_rfq':
        return this.#create(state, desk, intent);
      case 'accept_rfq':
        return this.#accept(state, desk, intent);
      case 'cancel_rfq':
        return this.#cancel(state, desk, intent);
      case 'ask_rfq':
        return this.#query(state, desk, intent);
    }
  }

  async #create(
    state: PortfolioState,
    desk: PortfolioRfqDesk,
    intent: Of<'create_rfq'>,
  ): Promise<void> {
    const { rfqLabel, legs, hedge, makers, disclosed } = intent;
    const { accountId: account } = state.spec;
    const rfq = { account, legs, hedge, makers, disclosed, label: rfqLabel, allocations: [] };
    const reply =
      this.#fenced(state, intent) ?? (await this.#answered(() => desk.createForPortfolio(rfq)));
    if (reply.kind === 'done') return this.#record(state, rfqLabel, reply.value);
    const about = { now: this.#options.clock.now(), rfqLabel };
    if (reply.kind === 'unknown') {
      return this.#run(state, { kind: 'record_rfq_unknown', ...about, reason: reply.reason });
    }
    const { code, message } = reply;
    const retry = reply.class === 'later';
    await this.#run(state, { kind: 'record_rfq_refusal', ...about, code, message, retry });
  }

  async #accept(state: PortfolioState, desk: RfqDesk, intent: Of<'accept_rfq'>): Promise<void> {
    const { rfqLabel, rfqId, accept, quantity, price } = intent;
    const asked = { account: state.spec.accountId, rfqId, quantity, price };
    const send = () =>
      desk.accept({ ...asked, side: 'buy', timeInForce: 'fill_or_kill', ...hedgeOf(state) });
    const reply = this.#fenced(state, intent) ?? (await this.#answered(send));
    const now = this.#options.clock.now();
    const about = { now, rfqLabel, accept };
    if (reply.kind === 'unknown') {
      return this.#run(state, { kind: 'record_accept_unknown', ...about, reason: reply.reason });
    }
    if (reply.kind === 'refused') {
      const { code, message } = reply;
      return this.#run(state, { kind: 'record_accept_refusal', ...about, code, message });
    }
    const { rfq, blockTrades } = reply.value;
    const trades = venueRows(blockTrades);
    await this.#run(state, { kind: 'record_rfq', now, rfqLabel, rfq: venueRfq(rfq), trades });
  }

  async #cancel(state: PortfolioState, desk: RfqDesk, intent: Of<'cancel_rfq'>): Promise<void> {
    const { rfqLabel, rfqId } = intent;
    const { accountId: account } = state.spec;
    const reply = await this.#answered(() => desk.cancelRfq({ account, rfqId }));
    if (reply.kind === 'done') return this.#record(state, rfqLabel, reply.value);
    // No effect or no reply: query the RFQ's current state. The retry time is in the state.
    await this.#query(state, desk, { kind: 'ask_rfq', rfqLabel, rfqId });
  }

  async #query(state: PortfolioState, desk: RfqDesk, intent: Of<'ask_rfq'>): Promise<void> {
    const { clock } = this.#options;
    const { rfqLabel, rfqId } = intent;
    // An open RFQ is polled every second, so a query dropped here delays nothing for longer than that.
    if (this.#asking.has(rfqLabel)) return;
    this.#asking.add(rfqLabel);
    try {
      const { accountId: account } = state.spec;
      const askedAt = clock.now();
      const by = rfqId === undefined ? { label: rfqLabel } : { id: rfqId };
      const filter = { account, role: 'taker', ...by, count: LABELLED_MAX } as const;
      const reply = await this.#answered(() => desk.rfqs(filter));
      if (reply.kind !== 'done') return;
      const found = reply.value.rfqs.find(({ label }) => label === rfqLabel);
      if (found !== undefined) return await this.#record(state, rfqLabel, found, desk);
      if (rfqId !== undefined) return;
      await this.#run(state, { kind: 'record_rfq_absent', now: clock.now(), rfqLabel, askedAt });
    } finally {
      clock.at(later(clock.now(), QUERY_REST_MS), () => this.#asking.delete(rfqLabel));
    }
  }

  /** Records the RFQ together with its trades, if it has any and they can be queried. */
  async #record(
    state: PortfolioState,
    rfqLabel: RfqIntent['rfqLabel'],
    record: RfqRecord,
    desk?: RfqDesk,
  ): Promise<void> {
    const rfq = venueRfq(record);
    const { accountId: account } = state.spec;
    const filter = { account, rfqId: record.id, count: BLOCKS_MAX };
    const reply =
      rfq.status === 'filled' && desk !== undefined
        ? await this.#answered(() => desk.blockTrades(filter))
        : undefined;
    const trades = reply?.kind === 'done' ? venueRows(reply.value.trades) : undefined;
    await this.#run(state, {
      kind: 'record_rfq',
      now: this.#options.clock.now(),
      rfqLabel,
      rfq,
      ...(trades && { trades }),
    });
  }

  /** Blocks requests that became outdated during a pause of this process, or were cancelled meanwhile. */
  #fenced(decided: PortfolioState, intent: Of<'create_rfq' | 'accept_rfq'>) {
    const { clock, settings, switches, engine } = this.#options;
    const state = engine.turns.peek(decided.id) ?? decided;
    if ((tradingUnder(switches, state) ?? 'active') !== 'active') {
      return notSent('trading is switched off');
    }
    if (state.paused !== undefined) return notSent('the portfolio is paused');
    const rfq = openRfq(state);
    const isMeant = rfq?.label === intent.rfqLabel && rfq.cancel === undefined;
    if (state.status !== 'active' || !isMeant) return notSent('it is being taken back');
    const isLate = intent.validUntil - clock.now() < settings.validForMs / 2;
    return isLate ? notSent('too close to its deadline') : undefined;
  }

  /** An adapter that throws has broken its contract; what it sent cannot be known. */
  #answered<T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> {
    return send().catch((error: unknown) => {
      this.#options.observer.observe({ event: 'failed', where: 'venue_call.rfq', error });
      return { kind: 'unknown', reason: `adapter failed: ${String(error)}` };
    });
  }

  async #run(state: PortfolioState, command: PortfolioCommand): Promise<void> {
    await this.#options.engine.turns.run(state.id, command);
  }
}

/** The venue requires the hedge to be repeated as it was requested. */
function hedgeOf(state: PortfolioState) {
  const part = openRfq(state)?.parts.find(({ hedgePrice }) => hedgePrice !== undefined);
  const leg = part && state.spec.legs[part.leg];
  if (part?.hedgePrice === undefined || leg === undefined) return {};
  const { instrument, side } = leg;
  return { hedge: { instrument, side, quantity: part.quantity, price: part.hedgePrice } };
}
