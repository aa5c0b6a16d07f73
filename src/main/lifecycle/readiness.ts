// The reasons why the daemon is not ready to trade; empty if it is ready.

import type { BullmqQueue } from '../../adapters/bullmq/bullmq-queue.ts';
import type { LogAndCount } from '../../adapters/telemetry/observer/log-and-count.ts';
import type { DiskWatch } from '../../engine/disk/disk-watch.ts';
import type { Engine } from '../../engine/engine.ts';
import type { RecoveryBarrier } from '../../engine/recovery/recovery-barrier.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';

export interface Needed {
  readonly engine: Pick<Engine, 'isReady'>;
  readonly barrier: Pick<RecoveryBarrier, 'accounts'>;
  readonly disk: Pick<DiskWatch, 'reasonsNotReady'>;
  readonly ledger: Pick<Ledger, 'setMetadata'>;
  readonly observer: Pick<LogAndCount, 'observe' | 'programmingErrors'>;
  readonly queue: BullmqQueue;
  readonly venues: VenueDirectory;
}

/** The overdue sweeper covers for the queue, so a silent queue is a reason only after a while. */
const CANARY_MS_MAX = 20_000;
const LEDGER_ANSWER_MS_MAX = 2_000;

export async function readiness({
  engine,
  barrier,
  disk,
  ledger,
  observer,
  queue,
  venues,
}: Needed): Promise<readonly string[]> {
  const reasons: string[] = [...disk.reasonsNotReady()];
  if (!engine.isReady) reasons.push('recovering');
  for (const account of barrier.accounts()) {
    reasons.push(
      `recovering: the venue has not yet reported the open orders of account ${account}`,
    );
  }
  const { connected, canaryAgeMs, refusal } = queue.pulse();
  if (!connected) reasons.push('queue: not connected to Redis');
  if ((canaryAgeMs ?? 0) > CANARY_MS_MAX) {
    const why = refusal === undefined ? '' : `: Redis refuses them (${refusal})`;
    reasons.push(`queue: no job has come through lately${why}`);
  }
  const ledgerFault = await answersWithin(tryWriting(ledger), {
    ms: LEDGER_ANSWER_MS_MAX,
    failed: (error) => observer.observe({ event: 'failed', where: 'readiness', error }),
  });
  if (ledgerFault !== undefined) reasons.push(`ledger: ${ledgerFault}`);
  for (const venue of venues.all()) {
    if (venue.instruments() === undefined) reasons.push(`venue ${venue.name}: no instruments`);
    const trouble = venue.trouble?.();
    if (trouble !== undefined) reasons.push(`venue ${venue.name}: ${trouble}`);
  }
  return [...reasons, ...observer.programmingErrors()];
}

/** The latest attempt to write, for all that ask within a second: strangers may ask. */
const attempts = new WeakMap<
  Needed['ledger'],
  { readonly atMs: number; readonly answer: Promise<unknown> }
>();
const ATTEMPT_EVERY_MS = 1_000;

/** A database may still be read while it refuses every write, and then no order is sent. */
function tryWriting(ledger: Needed['ledger']): Promise<unknown> {
  const nowMs = performance.now();
  const last = attempts.get(ledger);
  if (last !== undefined && nowMs < last.atMs + ATTEMPT_EVERY_MS) return last.answer;
  const answer = ledger.setMetadata('readiness', 'written');
  attempts.set(ledger, { atMs: nowMs, answer });
  return answer;
}

async function answersWithin(
  answer: Promise<unknown>,
  { ms, failed }: { readonly ms: number; readonly failed: (error: unknown) => void },
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${ms} ms`), ms);
  });
  const fault = answer.then(
    () => undefined,
    (error: unknown) => {
      if (isProgrammingError(error)) failed(error);
      return error instanceof Error ? error.message : String(error);
    },
  );
  try {
    return await Promise.race([fault, late]);
  } finally {
    clearTimeout(timer);
  }
}
