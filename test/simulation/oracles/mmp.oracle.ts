// Market-maker protection as it is durable, and since when. Each durable turn of it is judged by the trades that the
// exchange made: the exposure of each, the windows, the limits and the freezes are computed a second time.
import { decideMmp } from '../../../src/core/mmp/decide-mmp.ts';
import type { MmpLimit } from '../../../src/core/mmp/mmp-config.ts';
import type { MmpEvent } from '../../../src/core/mmp/mmp-event.ts';
import { mmpToRecord } from '../../../src/core/mmp/mmp-record.ts';
import { EMPTY_MMP } from '../../../src/core/mmp/mmp-state.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import type { MmpOf, MmpRecords, MmpTurn } from '../../../src/ports/mmp-records.ts';
import { money, quantity } from '../../../src/values/amounts.ts';
import { parseChildLabel } from '../../../src/values/ids.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryMmpRecords } from '../../doubles/memory/memory-mmp-records.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { Span } from '../own-books/course.ts';
import { type OwnExposure, ownExposure } from '../own-books/own-greeks.ts';
import type { MmpPlan } from '../plan/plan.ts';
import { ACCOUNTS, DUMMY, MMP_GROUP } from '../plan/simulated-accounts.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import { instrumentOf, type SimulatedMarket } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';

/** A daemon that can read looks this often, and has acted on it by then. */
const KNOWN_AFTER_MS = 1_200;

const OF: MmpOf = { account: ACCOUNTS[0] ?? DUMMY, kind: 'order' };
const INDEX = 'btc_usd';

/** What a group of protection is, by the events that are durable. */
interface GroupTruth {
  limit: number;
  /** Net, in coins and in USD per volatility point; absent: none. */
  deltaLimit: number | undefined;
  vegaLimit: number | undefined;
  intervalMs: number;
  frozenMs: number;
  window: Window | undefined;
  freeze: Freeze | undefined;
  /** When the trade was made that was counted last. */
  latestAt: number | undefined;
  /** Something has kept trades from counting since the start. */
  hasBegunAnew: boolean;
}

interface Freeze {
  /** True time at which it became durable. */
  readonly atMs: number;
  /** Absent: until it is reset. */
  readonly until: number | undefined;
  /** When the trade was made that reached the limit; absent if the venue's own protection tripped. */
  readonly reachedAt: number | undefined;
}

/** Sums of the trades since it was opened, in the units of the limits. */
interface Window {
  readonly openedAt: number;
  readonly coins: number;
  readonly delta: number;
  readonly vega: number;
}

/** A trade with the flag. */
interface Flagged {
  readonly trade: ExchangeTrade;
  readonly group: string;
}

export interface MmpOracleOptions {
  readonly plan: MmpPlan;
  readonly market: SimulatedMarket;
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  /** Nothing keeps a daemon from reading in time. */
  readonly isReadable: boolean;
  readonly skewMs: number;
  /** Absent: in memory. */
  readonly records?: MmpRecords | undefined;
  readonly reportBreach: ReportBreach;
}

export class MmpOracle {
  readonly #parts: MmpOracleOptions;
  readonly #records: MmpRecords;
  readonly #groups = new Map<string, GroupTruth>();
  /** Trades with the flag by name. */
  readonly #flagged = new Map<string, Flagged>();
  readonly #counted = new Set<string>();

  constructor(parts: MmpOracleOptions) {
    this.#parts = parts;
    this.#records = parts.records ?? new MemoryMmpRecords();
    const { plan } = parts;
    for (const group of GROUPS) {
      this.#groups.set(group, {
        limit: Number(plan.quantityLimit),
        deltaLimit: limitOf(plan.deltaLimit),
        vegaLimit: limitOf(plan.vegaLimit),
        intervalMs: plan.intervalSec * 1_000,
        frozenMs: plan.frozenSec * 1_000,
        window: undefined,
        freeze: undefined,
        latestAt: undefined,
        hasBegunAnew: false,
      });
    }
    void this.#records.commit(this.#firstTurn());
  }

  /** The records as a daemon reaches them. */
  records(): MmpRecords {
    const { trouble } = this.#parts;
    const records = this.#records;
    const read = <T>(query: () => Promise<T>): Promise<T> =>
      trouble.strikes('ledger_unread')
        ? Promise.reject(new LedgerFailure('no answer to a read of protections', false))
        : query();
    return {
      commit: (turn) => this.#commit(turn),
      load: (of, trades) => read(() => records.load(of, trades)),
      all: () => read(() => records.all()),
      versions: () => read(() => records.versions()),
      events: (of) => read(() => records.events(of)),
      exceeded: (of, span) => read(() => records.exceeded(of, span)),
    };
  }

  /** The exchange has made a trade. */
  traded(trade: ExchangeTrade): void {
    if (!trade.mmp || trade.account !== OF.account) return;
    const name = `BTC/${trade.tradeId}/${trade.orderId}`;
    this.#flagged.set(name, { trade, group: groupOf(trade.label) });
  }

  /** I22: no flagged order is sent by a daemon that knows, or must know, of a freeze. */
  judgeSent(daemon: SimulatedDaemon, label: string): void {
    const group = groupOf(label);
    if (daemon.mmp?.isFrozen({ ...OF, index: INDEX, group })) {
      this.#parts.reportBreach('I22', `${label} sent while its daemon holds the group for frozen`);
    }
    const { clock, isReadable, reportBreach, skewMs } = this.#parts;
    const now = clock.now();
    const freeze = this.#groups.get(group)?.freeze;
    if (freeze === undefined || (freeze.until ?? now + 2 * skewMs) - skewMs <= now) return;
    const isOld = isReadable && now - freeze.atMs > KNOWN_AFTER_MS;
    if (freeze.atMs < daemon.bornAtMs || isOld) {
      reportBreach('I22', `${label} sent while its group is frozen for ${now - freeze.atMs} ms`);
    }
  }

  /** Once everything is over: what was traded has counted; `open` are orders with the flag. */
  audit(open: readonly string[], hadTrouble: boolean): void {
    const { reportBreach, clock, skewMs } = this.#parts;
    const now = clock.now();
    for (const label of open) {
      const freeze = this.#groups.get(groupOf(label))?.freeze;
      if (freeze !== undefined && (freeze.until ?? now + 2 * skewMs) - skewMs > now) {
        reportBreach('I22', `${label} is open in a frozen group`);
      }
    }
    if (hadTrouble) return;
    for (const [name, { group }] of this.#flagged) {
      // During a freeze, and until a manual reset, no trade counts.
      if (this.#groups.get(group)?.hasBegunAnew) continue;
      if (!this.#counted.has(name)) reportBreach('I22', `trade ${name} never counted`);
    }
  }

  #firstTurn(): MmpTurn {
    const { plan, clock } = this.#parts;
    const now = clock.now();
    const terms = {
      index: INDEX,
      intervalMs: plan.intervalSec * 1_000,
      frozenMs: plan.frozenSec * 1_000,
      quantityLimit: quantity(plan.quantityLimit),
      ...(plan.deltaLimit !== undefined && { deltaLimit: quantity(plan.deltaLimit) }),
      ...(plan.vegaLimit !== undefined && { vegaLimit: money(plan.vegaLimit) }),
    };
    let state = EMPTY_MMP;
    const events: MmpEvent[] = [];
    for (const group of GROUPS) {
      const config = { ...terms, group };
      const decided = decideMmp('order', state, { kind: 'configure', now, config, by: 'operator' });
      state = decided.state;
      events.push(...decided.events);
    }
    return { ...OF, fromVersion: 0, events, trades: [], now, state: mmpToRecord(state) };
  }

  async #commit(turn: MmpTurn): ReturnType<MmpRecords['commit']> {
    const { trouble } = this.#parts;
    if (trouble.strikes('ledger_down')) throw new LedgerFailure('refused', false);
    const outcome = await this.#records.commit(turn);
    if (outcome.kind === 'committed') {
      for (const [index, event] of turn.events.entries()) {
        this.#judge(event, turn.events[index + 1]);
      }
    }
    if (trouble.strikes('ledger_doubt')) throw new LedgerFailure('no word, written', true);
    return outcome;
  }

  #judge(event: MmpEvent, next: MmpEvent | undefined): void {
    const { reportBreach, clock, trouble } = this.#parts;
    trouble.note(`mmp ${event.kind}`);
    const group = this.#groups.get(event.group);
    if (group === undefined) return reportBreach('I22', `${event.kind} of an unknown group`);
    switch (event.kind) {
      case 'configured':
        group.limit = Number(event.quantityLimit);
        group.deltaLimit = limitOf(event.deltaLimit);
        group.vegaLimit = limitOf(event.vegaLimit);
        group.intervalMs = event.intervalMs;
        group.frozenMs = event.frozenMs;
        return begin(group, undefined);
      case 'reset':
      case 'removed':
        return begin(group, undefined);
      case 'counted': {
        this.#count(group, event);
        return this.#judgeLimits(group, next?.kind === 'tripped' ? next : undefined);
      }
      case 'exceeded':
        return this.#judgeExceeded(group, event);
      case 'tripped': {
        const { frozenUntil: until, at, limit } = event;
        trouble.note(`mmp tripped by ${limit}`);
        const meant = group.frozenMs === 0 ? undefined : at + group.frozenMs;
        if (until !== meant) reportBreach('I22', `a freeze from ${at} ends at ${until}`);
        return begin(group, { atMs: clock.now(), until, reachedAt: group.latestAt });
      }
    }
  }

  #count(group: GroupTruth, event: Extract<MmpEvent, { kind: 'counted' }>): void {
    const { reportBreach } = this.#parts;
    const { tradeId, tradedAt } = event;
    if (this.#counted.has(tradeId)) reportBreach('I22', `trade ${tradeId} counts twice`);
    this.#counted.add(tradeId);
    const flagged = this.#flagged.get(tradeId);
    if (flagged === undefined) return reportBreach('I22', `trade ${tradeId} counts and never was`);
    if (flagged.group !== event.group) reportBreach('I22', `trade ${tradeId} counts elsewhere`);
    const exposure = this.#exposureOf(flagged.trade);
    const fault = claimFault(event, exposure);
    if (fault !== undefined) reportBreach('I22', `trade ${tradeId} counts ${fault}`);
    const { window, intervalMs } = group;
    const opens = window === undefined || tradedAt >= window.openedAt + intervalMs;
    if (opens !== event.opens)
      reportBreach('I22', `trade ${tradeId} opens a window: ${event.opens}`);
    const before = opens ? { openedAt: tradedAt, coins: 0, delta: 0, vega: 0 } : window;
    group.latestAt = tradedAt;
    group.window = {
      openedAt: before.openedAt,
      coins: before.coins + exposure.coins,
      delta: before.delta + within(Number(event.delta), exposure.delta),
      vega: before.vega + within(Number(event.vega), exposure.vega),
    };
  }

  /** A trade of a tripped group is one that it made from the trade that reached the limit on, before the freeze ended. */
  #judgeExceeded(group: GroupTruth, event: Extract<MmpEvent, { kind: 'exceeded' }>): void {
    const { reportBreach } = this.#parts;
    const { tradeId, tradedAt } = event;
    if (this.#counted.has(tradeId)) reportBreach('I22', `trade ${tradeId} counts twice`);
    this.#counted.add(tradeId);
    const flagged = this.#flagged.get(tradeId);
    if (flagged === undefined) return reportBreach('I22', `trade ${tradeId} exceeds and never was`);
    if (flagged.group !== event.group) reportBreach('I22', `trade ${tradeId} exceeds elsewhere`);
    const { coins } = this.#exposureOf(flagged.trade);
    if (Math.abs(Number(event.quantity) - coins) > ROUNDING) {
      reportBreach('I22', `trade ${tradeId} exceeds by ${event.quantity}, not by ${coins}`);
    }
    const { freeze } = group;
    if (freeze === undefined) return reportBreach('I22', `trade ${tradeId} exceeds without a trip`);
    const isWithin =
      tradedAt >= (freeze.reachedAt ?? tradedAt) && tradedAt < (freeze.until ?? Infinity);
    if (!isWithin)
      reportBreach('I22', `trade ${tradeId} of ${tradedAt} exceeds outside the freeze`);
  }

  #exposureOf(trade: ExchangeTrade): OwnExposure {
    const { plan, market } = this.#parts;
    const shown = { touches: market.shown(trade.instrument), hasGreeks: plan.hasGreeks };
    return ownExposure(instrumentOf(trade.instrument), trade, shown);
  }

  /** A limit that is reached trips at once, and nothing trips that is not reached. */
  #judgeLimits(group: GroupTruth, trip: Tripped | undefined): void {
    const { reportBreach } = this.#parts;
    const reached = reachedIn(group, ROUNDING);
    if (trip === undefined) {
      if (reached.length > 0)
        reportBreach('I22', `a limit of ${reached} is reached, nothing trips`);
    } else if (!reachedIn(group, -ROUNDING).some((limit) => limit === trip.limit)) {
      reportBreach('I22', `a limit of ${trip.limit} trips and is not reached`);
    }
  }
}

type Counted = Extract<MmpEvent, { kind: 'counted' }>;
type Tripped = Extract<MmpEvent, { kind: 'tripped' }>;

/** Of sums whose terms are rounded, in coins and in USD per volatility point. */
const ROUNDING = 1e-6;
/** Of what went through a formula, for each coin of an option. */
const DELTA_SLACK = 1e-3;
const VEGA_SLACK = 0.05;

const limitOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

const within = (value: number, { low, high }: Span): number => Math.min(high, Math.max(low, value));

/** What a count says otherwise than the trade; `undefined` where it says the same. */
function claimFault(event: Counted, { coins, delta, vega }: OwnExposure): string | undefined {
  const claims = [
    { name: 'quantity', said: event.quantity, meant: { low: coins, high: coins }, slack: 0 },
    { name: 'delta', said: event.delta, meant: delta, slack: coins * DELTA_SLACK },
    { name: 'vega', said: event.vega, meant: vega, slack: coins * VEGA_SLACK },
  ];
  for (const { name, said, meant, slack } of claims) {
    const { low, high } = meant;
    const most = slack + ROUNDING;
    if (Number(said) >= low - most && Number(said) <= high + most) continue;
    return `a ${name} of ${said}, not of ${low} to ${high}`;
  }
  return undefined;
}

/** The limits that are met, moved by `by`. */
function reachedIn(
  { window, limit, deltaLimit, vegaLimit }: GroupTruth,
  by: number,
): readonly MmpLimit[] {
  if (window === undefined) return [];
  const { coins, delta, vega } = window;
  const met: MmpLimit[] = coins >= limit + by ? ['quantity'] : [];
  if (deltaLimit !== undefined && Math.abs(delta) >= deltaLimit + by) met.push('delta');
  if (vegaLimit !== undefined && Math.abs(vega) >= vegaLimit + by) met.push('vega');
  return met;
}

function begin(group: GroupTruth, freeze: Freeze | undefined): void {
  group.window = undefined;
  group.freeze = freeze;
  group.hasBegunAnew = true;
}

/** Children of a portfolio are in its group, manual orders in the one without a name. */
const groupOf = (label: string): string =>
  parseChildLabel(label) === undefined ? NAMELESS : MMP_GROUP;

const NAMELESS = '';
const GROUPS: readonly string[] = [MMP_GROUP, NAMELESS];
