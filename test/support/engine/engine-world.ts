// An engine in virtual time on a scripted venue, which can be killed and restarted.
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/core/terms/settings.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import {
  ALONE,
  type AssembledEngine,
  type AssemblyOptions,
  assembleEngine,
} from '../../../src/engine/assemble-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import type { PortfolioRfqDesk } from '../../../src/engine/order-entry/gated-rfq-desk.ts';
import { type EngineGate, unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import { SnapshotKeeper } from '../../../src/engine/snapshots/snapshot-keeper.ts';
import type { CostRecord } from '../../../src/ports/costs/cost-record.ts';
import type { JobQueue, Wake } from '../../../src/ports/job-queue.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { Nudges } from '../../../src/ports/nudges.ts';
import type { StateSnapshots } from '../../../src/ports/snapshots/state-snapshots.ts';
import type { TurnLog } from '../../../src/ports/turn-log.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { accountId, deploymentId, type PortfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { settle } from '../../simulation/settle.ts';
import { type Life, life, mortal } from '../daemon/mortal.ts';
import { NOON, perpetual } from './markets.ts';
import { type Witness, witness } from './quiet-observer.ts';
import type { ScriptRfqs } from './script-rfqs.ts';
import { ScriptVenue } from './script-venue.ts';

export const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  deployment: deploymentId('test'),
  skewMs: 200,
  readLagMs: 200,
};
export { settle };
export const BY = { uid: '7', nickname: 'tester' };

export interface World {
  readonly clock: VirtualClock;
  readonly ledger: Ledger;
  readonly venue: ScriptVenue;
  readonly observer: Witness;
  readonly engine: Engine;
  readonly assembled: AssembledEngine;
  readonly operations: EngineOperations;
  readonly bus: MemoryEventBus;
  readonly queue: VirtualQueue;
  /** Lets virtual time pass, waiting for all work to complete after each step. */
  run(forMs: number): Promise<void>;
}

export interface WorldParts {
  readonly clock?: VirtualClock;
  readonly ledger?: Ledger;
  readonly venue?: ScriptVenue;
  readonly instruments?: readonly Instrument[];
  readonly settings?: Partial<Settings>;
  readonly dummies?: readonly string[];
  readonly onBroken?: (error: unknown) => void;
  /** When wake-ups are delivered; see the virtual queue. */
  readonly disturb?: (wake: Wake) => readonly Instant[];
  /** The process that the engine belongs to; it may die. */
  readonly life?: Life;
  /** False: the configuration no longer lists the account. */
  readonly hasVenue?: boolean;
  readonly switches?: TradingSwitches;
  readonly gate?: EngineGate;
  readonly observer?: Witness;
  /** Absent: the account has no Block RFQs. */
  readonly rfqs?: ScriptRfqs;
  /** Shared with the engines of other processes; absent: its own. */
  readonly bus?: MemoryEventBus;
  /** In place of the world's own queue. */
  readonly jobs?: JobQueue;
  /** Absent: it owns everything, alone. */
  readonly ownership?: AssemblyOptions['ownership'];
  readonly nudges?: Nudges;
  readonly passWakes?: AssemblyOptions['passWakes'];
  readonly turnLog?: TurnLog;
  /** Absent: states are loaded from all their events. */
  readonly snapshots?: StateSnapshots;
  /** Absent: markets are not recorded. */
  readonly costRecord?: CostRecord;
  /** Absent: free space is not watched. */
  readonly disk?: AssemblyOptions['disk'];
  /** 0: states leave memory whenever they may; absent: there is a default. */
  readonly stateBytesMax?: number;
}

export function world(parts: WorldParts = {}): World {
  const clock = parts.clock ?? new VirtualClock(NOON);
  const ledger = parts.ledger ?? new MemoryLedger({ now: () => clock.now() });
  const venue = parts.venue ?? new ScriptVenue(clock, parts.instruments ?? [perpetual()]);
  const observer = parts.observer ?? witness();
  const fail = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const bus = parts.bus ?? new MemoryEventBus(fail);
  const queue = new VirtualQueue(clock, {
    onFault: fail,
    ...(parts.disturb && { disturb: parts.disturb }),
  });
  const own = parts.life ?? life(0);
  const heard = mortal(venue, own, ['place', 'edit', 'cancel', 'reconcile', 'openOrders']);
  venue.rfqs = parts.rfqs;
  const rfqs =
    parts.rfqs &&
    mortal<PortfolioRfqDesk>(parts.rfqs, own, [
      'createForPortfolio',
      'accept',
      'cancelRfq',
      'rfqs',
      'blockTrades',
    ]);
  const { snapshots } = parts;
  const assembled = assembleEngine({
    ...ALONE,
    clock,
    ledger: mortal<Ledger>(ledger, own, [
      'commit',
      'load',
      'atWork',
      'overdue',
      'findByKey',
      'row',
      'shardOf',
    ]),
    bus,
    queue: parts.jobs ?? queue,
    observer,
    gate: parts.gate ?? unlimitedGate({ clock, observer }),
    switches: parts.switches ?? ALONE.switches,
    ownership: parts.ownership ?? ALONE.ownership,
    nudges: parts.nudges ?? ALONE.nudges,
    passWakes: parts.passWakes ?? ALONE.passWakes,
    turnLog: parts.turnLog ?? ALONE.turnLog,
    snapshots: snapshots ? new SnapshotKeeper({ snapshots, observer }) : ALONE.snapshots,
    stateBytesMax: parts.stateBytesMax ?? ALONE.stateBytesMax,
    costRecord: parts.costRecord,
    disk: parts.disk ?? ALONE.disk,
    rfqsFor: () => rfqs,
    venues: {
      forAccount: () => (parts.hasVenue === false ? undefined : heard),
      all: () => [heard],
    },
    settings: { ...SETTINGS, ...parts.settings },
    limits: () => ({
      ...DEFAULT_SUBMIT_LIMITS,
      durationSecMin: 1,
      frequencySecMin: 1,
      dummyAccounts: new Set((parts.dummies ?? []).map(accountId)),
    }),
    sweepMs: 1_000,
    compareMs: 30_000,
    onBroken: parts.onBroken ?? fail,
  });
  const { engine, submission } = assembled;
  const operations = new EngineOperations({ engine, submission, ledger, clock });
  const run = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  return { clock, ledger, venue, observer, engine, assembled, operations, bus, queue, run };
}

export function form(change: Partial<PortfolioForm> = {}): PortfolioForm {
  return {
    accountId: accountId('10001'),
    portfolioType: 'TWAP',
    customizedNote: '',
    twapTrade: { durationSec: 60, frequencySec: 10 },
    legs: [legForm()],
    dummyAccounts: [],
    execution: { endAction: 'market' },
    ...change,
  };
}

export const legForm = (
  change: Partial<PortfolioForm['legs'][number]> = {},
): PortfolioForm['legs'][number] => ({
  instrument: 'BTC-PERPETUAL',
  instrumentType: 'perpetual',
  side: 'buy',
  quantity: quantity('600'),
  priceOptions: { priceType: 'market' },
  priceSnapshot: [],
  postOnly: false,
  reduceOnly: false,
  hidden: false,
  hedge: false,
  ...change,
});

export async function submitted(world: World, asked: PortfolioForm): Promise<PortfolioId> {
  const outcome = await world.operations.submit(asked, BY);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome.value.portfolio;
}
