// A definite refusal by the venue is accepted at once: its reason is published, and further attempts back off.
import { expect, test } from 'vitest';
import { lineFields, lineLevel } from '../../../src/adapters/telemetry/log/event-line.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import type { PortfolioNews } from '../../../src/ports/event-bus.ts';
import { must } from '../../../src/values/assert.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { type ACCOUNT, paperStage } from '../../adapters/paper/paper-stage.ts';
import { BY, form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

async function stage() {
  const { clock, venue, pass } = paperStage();
  const observer = witness();
  const onFault = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const bus = new MemoryEventBus(onFault);
  const news: PortfolioNews[] = [];
  bus.subscribe((one) => news.push(one));
  const { engine, submission } = assembleEngine({
    ...ALONE,
    gate: unlimitedGate({ clock, observer }),
    clock,
    ledger,
    bus,
    observer,
    settings: SETTINGS,
    queue: new VirtualQueue(clock, { onFault }),
    venues: { forAccount: () => venue, all: () => [venue] },
    limits: () => ({ ...DEFAULT_SUBMIT_LIMITS, dummyAccounts: new Set<typeof ACCOUNT>() }),
    sweepMs: 1_000,
    compareMs: 30_000,
    onBroken: onFault,
  });
  const starting = engine.start();
  await pass(100);
  await starting;
  const operations = new EngineOperations({ engine, submission, ledger, clock });
  const submit = async (change: Partial<PortfolioForm>) => {
    const answer = await operations.submit(form(change), BY);
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    return answer.value.portfolio;
  };
  return { pass, observer, news, operations, submit };
}

test('a reduceOnly order without a position is refused with its reason and retried with back-off', async () => {
  const on = await stage();
  const id = await on.submit({
    twapTrade: { durationSec: 600, frequencySec: 600 },
    legs: [legForm({ side: 'sell', reduceOnly: true })],
  });
  await on.pass(590_000);
  const kinds = on.observer.events.map(({ kind }) => kind);
  expect(kinds).not.toContain('child_unknown');
  expect(kinds).not.toContain('child_unsent');
  const refused = on.observer.events.filter(({ kind }) => kind === 'child_rejected');
  // For 600 s the delay starts at 1 s and doubles after each refusal: 1, 2, 4, … 64 s.
  expect(refused.length).toBeGreaterThan(5);
  expect(refused.length).toBeLessThan(20);
  const reason = expect.stringContaining('reduceOnly the account holds no position');
  expect(refused[0]).toMatchObject({ code: 11030, retry: false, message: reason });
  const [first] = refused;
  expect(lineLevel(must(first, 'a refusal'))).toBe('warn');
  expect(lineFields(must(first, 'a refusal'))).toMatchObject({ message: reason });
  const told = on.news.filter(({ messageType }) => messageType === 'PORTFOLIO_ORDER_REJECTED');
  expect(told.length).toBe(refused.length);
  const info = must(await on.operations.info(id), 'the portfolio');
  expect(info.legs[0]?.refusal).toMatchObject({ code: 11030, message: reason });
});
