// A portfolio with an MMP group: its children carry the flag and count, its slices wait while the group is frozen,
// and the missed quantity is caught up afterwards.
import { afterEach, describe, expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { BY, form, legForm } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { MAKER, MmpStage } from '../../support/engine/mmp-stage.ts';

const WINGS = { account: MAKER, kind: 'order', index: 'btc_usd', group: 'wings' } as const;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function begin() {
  const stage = new MmpStage();
  const process = await stage.working();
  closing.push(async () => {
    process.engine.stop();
    await stage.close([process]);
  });
  await stage.configure(process, {
    group: 'wings',
    frozenMs: 25_000,
    quantityLimit: quantity('50'),
  });
  await stage.rest();
  return { stage, process };
}

type Begun = Awaited<ReturnType<typeof begin>>;
type Form = ReturnType<typeof form>;

/** Six slices of ten seconds. */
const asked = (change: Partial<Form> = {}): Form =>
  form({ execution: { endAction: 'cancel', mmpGroup: 'wings' }, ...change });

async function submit({ process, stage }: Begun, what: Form) {
  const outcome = await process.operations.submit(what, BY);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  const { portfolio } = outcome.value;
  return async (): Promise<readonly PortfolioEvent[]> =>
    must(await stage.ledger.load(portfolio), 'it is stored').events;
}

const sec = (event: PortfolioEvent): number => (event.at - NOON) / 1_000;
const ofKind = <K extends PortfolioEvent['kind']>(events: readonly PortfolioEvent[], kind: K) =>
  events.filter((event): event is Extract<PortfolioEvent, { kind: K }> => event.kind === kind);

describe('a portfolio whose MMP group is frozen', () => {
  test('a portfolio with a frozen group places nothing, reports why, and catches up afterwards', async () => {
    const begun = await begin();
    const { stage, process } = begun;
    const events = await submit(begun, asked());
    await stage.pass(12_000);
    process.guard.refusedByVenue(WINGS);
    await stage.pass(110_000);
    const told = await events();
    const waits = ofKind(told, 'slice_waiting').filter(({ reason }) => reason === 'mmp_frozen');
    expect(waits.map(sec)).toEqual([20, 30]);
    const sent = ofKind(told, 'child_intended').map(sec);
    // Frozen from 12 to 37: the slice of second 30 is sent as soon as the freeze ends.
    expect(sent).toEqual([0, 10, 37, 40, 50]);
    expect(told.at(-1)).toMatchObject({ kind: 'filled' });
    const sizes = ofKind(told, 'slice_started').map((one) => [one.planned, one.quantity]);
    expect(sizes).toEqual([
      ['100', '100'],
      ['100', '100'],
      ['100', '100'],
      ['100', '140'],
      ['100', '130'],
      ['100', '130'],
    ]);
    expect(process.seen.failures).toEqual([]);
  });

  test('the resting children of a frozen group are cancelled by the trip and by their portfolio', async () => {
    const begun = await begin();
    const { stage, process } = begun;
    const far = { priceType: 'limit', price: price('20000'), priceIn: 'USD' } as const;
    const events = await submit(begun, asked({ legs: [legForm({ priceOptions: far })] }));
    await stage.pass(3_000);
    expect(await stage.open()).toHaveLength(1);
    process.guard.refusedByVenue(WINGS);
    await stage.rest();
    expect(await stage.open()).toEqual([]);
    await stage.pass(1_000);
    const closed = ofKind(await events(), 'child_closed');
    expect(closed).toMatchObject([{ state: 'cancelled', filled: '0' }]);
    await stage.pass(30_000);
    expect(await stage.open()).toHaveLength(1);
  });

  test('a portfolio whose group needs a reset waits for it, and ends with its residual', async () => {
    const begun = await begin();
    const { stage, process } = begun;
    await stage.configure(process, { group: 'wings', frozenMs: 0 });
    const execution = { endAction: 'market', mmpGroup: 'wings' } as const;
    const events = await submit(begun, asked({ execution }));
    await stage.pass(5_000);
    process.guard.refusedByVenue(WINGS);
    await stage.pass(120_000);
    const told = await events();
    expect(ofKind(told, 'child_intended').map(sec)).toEqual([0]);
    expect(told.at(-1)).toMatchObject({
      kind: 'cancelled',
      reason: 'time_limit',
      residual: ['500'],
    });
  });
});

describe('the children of a portfolio with a group', () => {
  test('children of a portfolio with an MMP group carry the flag and count in that group only', async () => {
    const begun = await begin();
    const { stage, process } = begun;
    await stage.configure(process, { quantityLimit: quantity('0.0001') });
    const limits = { intervalMs: 60_000, quantityLimit: quantity('0.0025') };
    await stage.configure(process, { group: 'wings', ...limits });
    const events = await submit(begun, asked());
    await stage.pass(35_000);
    const counted = (await stage.records.events({ account: MAKER, kind: 'order' })).filter(
      (event) => event.kind === 'counted' || event.kind === 'tripped',
    );
    expect(new Set(counted.map(({ group }) => group))).toEqual(new Set(['wings']));
    expect(counted.at(-1)).toMatchObject({ kind: 'tripped', limit: 'quantity' });
    const waits = ofKind(await events(), 'slice_waiting').map(({ reason }) => reason);
    expect(waits).toContain('mmp_frozen');
    expect(process.trips).toMatchObject([{ group: 'wings', until: later(NOON, 50_000) }]);
  });
});

describe('an MMP group that cannot protect the portfolio', () => {
  const refusalOf = async (begun: Begun, what: Form) => {
    const outcome = await begun.process.operations.submit(what, BY);
    return outcome.kind === 'refused' ? outcome.rejections : [];
  };

  test('a submit with an MMP group that is unconfigured or for another index is refused', async () => {
    const begun = await begin();
    const field = 'execution.mmpGroup';
    const named = (mmpGroup: string) => asked({ execution: { mmpGroup } });
    expect(await refusalOf(begun, named('nobody'))).toMatchObject([{ field }]);
    expect(await refusalOf(begun, named(''))).toMatchObject([{ field }]);
    expect(await refusalOf(begun, named('x'.repeat(65)))).toMatchObject([{ field }]);
    await begun.stage.configure(begun.process, { group: 'eth', index: 'eth_usd' });
    const [other] = await refusalOf(begun, named('eth'));
    expect(other).toMatchObject({ field, message: expect.stringContaining('protects eth_usd') });
    expect(await refusalOf(begun, asked())).toEqual([]);
  });
});
