// An auditor alongside a running engine in virtual time: what it reported, what it halted, and which trades it handed over.

import { chainHash } from '../../../src/adapters/system/chain-hash.ts';
import type { SwitchSetting } from '../../../src/core/risk/trading-switch.ts';
import { Auditor, type AuditorOptions } from '../../../src/engine/audit/auditor.ts';
import { NEVER_YIELDS } from '../../../src/engine/overload/overload-deferral.ts';
import { SOLE_OWNER } from '../../../src/engine/ownership/ownership.ts';
import type { Ledger, StoredPortfolio } from '../../../src/ports/ledger.ts';
import { type Observation, observing } from '../../../src/ports/observer.ts';
import {
  NO_STORED_SNAPSHOTS,
  type StateSnapshots,
} from '../../../src/ports/snapshots/state-snapshots.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, childLabel, parseChildLabel, tradeId } from '../../../src/values/ids.ts';
import {
  auditReadsOf,
  MemoryAuditBaselines,
  MemoryChainWitness,
} from '../../doubles/memory/memory-audit-records.ts';
import { MemoryAuditSeals } from '../../doubles/memory/memory-audit-seals.ts';
import { legForm, SETTINGS, type World, world } from './engine-world.ts';
import { perpetual, quote } from './markets.ts';
import { tradeRecord } from './venue-records.ts';

const PERP = perpetual();
/** Rest between two rounds of the auditor. */
export const EVERY_MS = 1_000;

type Breach = Observation<'audit_breached'>;
type HandedOver = Observation<'trade_handed_over'>;

/** What outlives a process. */
interface Records {
  readonly seals: MemoryAuditSeals;
  readonly chainWitness: MemoryChainWitness;
  readonly baselines: MemoryAuditBaselines;
  readonly snapshots?: StateSnapshots;
}

export const records = (snapshots?: StateSnapshots): Records => ({
  ...(snapshots && { snapshots }),
  seals: new MemoryAuditSeals(),
  chainWitness: new MemoryChainWitness(),
  baselines: new MemoryAuditBaselines(),
});

export interface AuditStage extends World {
  readonly auditor: Auditor;
  readonly breaches: Breach[];
  readonly halts: SwitchSetting[];
  readonly handedOver: HandedOver[];
  readonly rounds: string[];
  /** The checks that a venue did not answer. */
  readonly unanswered: string[];
  /** What the auditor reads instead of what is stored. */
  forge: (stored: StoredPortfolio) => StoredPortfolio;
}

export async function started(
  kept = records(),
  w = world(),
  ownership: AuditorOptions['ownership'] = SOLE_OWNER,
): Promise<AuditStage> {
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  return audited(kept, w, ownership);
}

/** An auditor alongside an engine that runs already. */
export function audited(
  kept: ReturnType<typeof records>,
  w: World,
  ownership: AuditorOptions['ownership'] = SOLE_OWNER,
): AuditStage {
  const [breaches, halts]: [Breach[], SwitchSetting[]] = [[], []];
  const [rounds, unanswered]: [string[], string[]] = [[], []];
  const handedOver: HandedOver[] = [];
  const stage = {
    ...w,
    breaches,
    halts,
    handedOver,
    rounds,
    unanswered,
    forge: (stored: StoredPortfolio) => stored,
  };
  const load: Ledger['load'] = async (id) => {
    const stored = await w.ledger.load(id);
    return stored && stage.forge(stored);
  };
  const auditor = new Auditor({
    clock: w.clock,
    settings: SETTINGS,
    everyMs: EVERY_MS,
    reads: auditReadsOf({
      load,
      page: (query) => w.ledger.page(query),
      row: (id) => w.ledger.row(id),
    }),
    baselines: kept.baselines,
    witness: kept.chainWitness,
    venues: {
      forAccount: () => w.venue,
      all: () => [w.venue],
      accounts: () => [accountId('10001')],
    },
    observer: observing({
      audit_breached: (breach) => breaches.push(breach),
      trade_handed_over: (trade) => handedOver.push(trade),
      audit_ran: ({ check, unanswered: silent }) => (silent > 0 ? unanswered : rounds).push(check),
      failed: (failure) => w.observer.observe(failure),
    }),
    switches: {
      set: (setting) => Promise.resolve(void halts.push(setting)),
      settings: () => halts,
    },
    seals: kept.seals,
    hash: chainHash,
    follow: (listener) => w.engine.turns.follow(listener),
    peek: (id) => w.engine.turns.peek(id),
    refresh: (id) => w.engine.turns.refresh(id),
    snapshots: kept.snapshots ?? NO_STORED_SNAPSHOTS,
    replayed: (id) => w.engine.replayed(id),
    durableTo: (id) => w.engine.turns.durableTo(id),
    recordMissed: (trade) => w.assembled.recordMissed(trade),
    ownership,
    isUnaccounted: () => false,
    yielding: NEVER_YIELDS,
  });
  void auditor.start();
  return Object.assign(stage, { auditor });
}

export const RESTING = legForm({
  priceOptions: { priceType: 'limit', price: price('99000'), priceIn: 'USD' },
});

type Kept = World['venue']['kept'][number];

/** A trade with our label that the venue lists, of a child that no portfolio ever had. */
export const unbookableTrade = ({ order }: Kept, { clock }: World): Kept['trades'][number] => {
  const address = must(parseChildLabel(order.label), 'the order is of a child');
  return tradeRecord({
    tradeId: tradeId('forgotten'),
    orderId: order.orderId,
    instrument: order.instrument,
    label: childLabel({ ...address, slice: 900 }),
    price: price('99000'),
    quantity: quantity('10'),
    liquidity: 'maker',
    at: clock.now(),
  });
};
