// Rehearsals and backtests under the limits and controls of a deployment: what its daemon refuses is refused in the same words, and
// slices that wait there wait here.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import { seededMarket } from '../../src/exchange/market/market.ts';
import { portfolioBodySchema } from '../../src/gateway/portfolios/submit/submit-schema.ts';
import {
  courseLimits,
  type DeploymentLimits,
  deploymentLimits,
  limitsKey,
  limitsNote,
} from '../../src/main/commands/deployment-limits.ts';
import { readConfigLoosely } from '../../src/main/commands/files.ts';
import { LimitsInForce } from '../../src/main/wiring/limits-in-force.ts';
import { must } from '../../src/values/assert.ts';
import { instant, later } from '../../src/values/instant.ts';
import { backtest } from '../../src/virtual/backtest/run-backtest.ts';
import { rehearse } from '../../src/virtual/rehearsal/run-rehearsal.ts';
import { World } from '../../src/virtual/world.ts';
import { settle } from '../support/engine/engine-world.ts';
import { DAY, inBatches, recordedSpot, SYMBOL, walk } from './recorded-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PAPER = readFileSync('config/paper.yaml', 'utf8');

/** The paper configuration with its section `limits` and with controls. */
function configFile(name: string, limits: string, controls = ''): string {
  const path = join(folder, name);
  const own = PAPER.replace(/^limits:\n(?: .*\n)+/m, `limits: ${limits}\n${controls}\n`);
  writeFileSync(path, own);
  return path;
}

const WIDE = '{ durationSec: { min: 10, max: 86400 }, frequencySec: { min: 1, max: 3600 } }';

const legOf = (instrument: string, instrumentType: string, quantity: string) => ({
  instrument,
  instrumentType,
  side: 1,
  quantity,
  priceOptions: {
    priceType: 'DYNAMIC',
    dynamicPriceStrategy: 'ASK',
    dynamicMs: 1_000,
    price: '1000000',
    priceIn: 'USD',
  },
});

const bodyOf = (leg: object, strategy?: string): PortfolioForm =>
  portfolioBodySchema.parse({
    accountId: 10001,
    portfolioType: 'TWAP',
    twapTrade: { durationSec: 120, frequencySec: 20 },
    legs: [leg],
    execution: { endAction: 'market' },
    ...(strategy !== undefined && { strategy }),
  });

const PERPETUAL = legOf('BTC-PERPETUAL', 'PERPETUAL', '60000');
const SPOT = legOf(SYMBOL, 'SPOT', '6');
const FROM = instant(Date.UTC(2026, 2, 2));
const LATENCY = { minMs: 20, maxMs: 20, seed: '1' };

const rehearsed = (form: PortfolioForm, deployment: DeploymentLimits) =>
  rehearse({
    form,
    settle,
    seed: '1',
    regime: 'all-days',
    bornAt: FROM,
    startAt: FROM,
    latency: LATENCY,
    limits: courseLimits(deployment),
  });

const backtested = (form: PortfolioForm, deployment: DeploymentLimits, holeMs = 10_000) =>
  backtest({
    form,
    settle,
    holeMs,
    instruments: [recordedSpot()],
    rows: inBatches(walk('limits', 180)),
    startAt: DAY,
    dataTo: later(DAY, 86_400_000),
    rowsUntil: later(DAY, 86_400_000),
    latency: LATENCY,
    limits: courseLimits(deployment, { holeMs }),
  });

/** What a daemon with this configuration makes of the form on the same market, from the limits that it puts in force. */
async function daemonOf(path: string, form: PortfolioForm) {
  const inForce = new LimitsInForce(readConfigLoosely(path, () => undefined));
  const world = new World({
    settle,
    startAt: FROM,
    market: seededMarket({ seed: '1', startAt: FROM, regime: 'all-days' }),
    accounts: [{ account: form.accountId }],
    settings: { ...inForce.settings, skewMs: 0, readLagMs: 0 },
    limits: inForce.submit,
    controls: inForce.controls,
    latencyMs: 20,
  });
  try {
    await world.start();
    const asked = { ...form, startAt: FROM };
    const submitted = await world.submit(asked, { uid: '1', nickname: 'desk' });
    if (submitted.kind === 'refused') return { rejections: submitted.rejections, waits: [] };
    await world.run(later(FROM, 600_000));
    const { events } = must(await world.ledger.load(submitted.value.portfolio), 'it is stored');
    return { rejections: [], waits: waitsIn(events) };
  } finally {
    await world.close();
  }
}

type Happened = { readonly kind: string; readonly slice?: number; readonly reason?: string };

const waitsIn = (events: readonly Happened[]): readonly string[] =>
  events.flatMap(({ kind, slice, reason }) =>
    kind === 'slice_waiting' ? [`slice ${slice}: ${reason}`] : [],
  );

const REFUSALS = [
  [
    'a schedule that is shorter than the deployment allows',
    '{ durationSec: { min: 300, max: 86400 }, frequencySec: { min: 1, max: 3600 } }',
    '',
    'twapTrade.durationSec',
    '120 is out of range; accepted: whole seconds from 300 to 86400',
  ],
  [
    'a strategy of more slices than the control PT-12 allows',
    WIDE,
    'controls: { strategy: { slicesMax: 5 } }',
    'strategy',
    'has 6 slices, more than 5 (limit 5, was 6, rules 1-',
  ],
] as const;

describe('under the limits of a deployment', () => {
  test.each(REFUSALS)('%s is refused in the words of its daemon', async (...given) => {
    const [what, limits, controls, field, words] = given;
    const path = configFile(`${what.length}.yaml`, limits, controls);
    const deployment = deploymentLimits(path);
    const daemon = await daemonOf(path, bodyOf(PERPETUAL, 'walk'));
    expect(daemon.rejections).toMatchObject([{ field }]);
    expect(daemon.rejections[0]?.message).toContain(words);
    const rehearsal = await rehearsed(bodyOf(PERPETUAL, 'walk'), deployment);
    expect(rehearsal).toEqual({ kind: 'refused', rejections: daemon.rejections });
    const run = await backtested(bodyOf(SPOT, 'walk'), deployment);
    expect(run).toEqual({ kind: 'refused', rejections: daemon.rejections });
  });

  test('a value above the largest leg is refused by the value that the daemon finds', async () => {
    const path = configFile('leg.yaml', `{ ${WIDE.slice(1, -1)}, legUsdMax: "50000" }`);
    const daemon = await daemonOf(path, bodyOf(PERPETUAL));
    expect(daemon.rejections).toMatchObject([{ field: 'legs[0].quantity' }]);
    const rehearsal = await rehearsed(bodyOf(PERPETUAL), deploymentLimits(path));
    expect(rehearsal).toEqual({ kind: 'refused', rejections: daemon.rejections });
  });

  test('slices beyond the largest position wait as in the daemon, and the rest is left', async () => {
    const controls = 'controls: { positionMax: { USD: "20000", BTC: "2", "*": "1000000000" } }';
    const path = configFile('position.yaml', WIDE, controls);
    const daemon = await daemonOf(path, bodyOf(PERPETUAL));
    expect(daemon.waits).toContain('slice 2: risk_limit');
    const [rehearsal, run] = [
      await rehearsed(bodyOf(PERPETUAL), deploymentLimits(path)),
      await backtested(bodyOf(SPOT), deploymentLimits(path)),
    ];
    for (const [outcome, filled] of [
      [rehearsal, '20000'],
      [run, '2'],
    ] as const) {
      if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
      expect(outcome.report.legs[0]?.waits['risk_limit']).toBeGreaterThan(0);
      expect(outcome.report.legs[0]?.filled).toBe(filled);
    }
    if (rehearsal.kind === 'done') expect(waitsIn(rehearsal.events)).toEqual(daemon.waits);
  });

  test('limits that nothing meets leave a run as it is without them', async () => {
    const deployment = deploymentLimits('config/paper.yaml');
    const [with_, without] = [
      await rehearsed(bodyOf(PERPETUAL), deployment),
      await rehearse({
        form: bodyOf(PERPETUAL),
        settle,
        seed: '1',
        regime: 'all-days',
        bornAt: FROM,
        startAt: FROM,
        latency: LATENCY,
      }),
    ];
    expect(with_).toMatchObject({ kind: 'done', report: { status: 'filled' } });
    expect(with_).toEqual(without);
  });

  test('a quote is as old as the silence that the recording is trusted over, not too old for a control', async () => {
    const path = configFile('age.yaml', WIDE, 'controls: { collar: { referenceAgeMaxMs: 100 } }');
    const run = await backtested(bodyOf(SPOT), deploymentLimits(path));
    expect(run).toMatchObject({ kind: 'done', report: { status: 'filled' } });
  });

  test('a run has another key under other limits, and the same if only the path or the note on a change differs', () => {
    const key = (file: string, controls: string, limits = WIDE): string =>
      JSON.stringify(limitsKey(deploymentLimits(configFile(file, limits, controls))));
    const one = key('one.yaml', 'controls: { selfMatch: false }');
    const note = 'change: { by: ana, approvedBy: bob, reason: wider }';
    expect(key('two.yaml', `controls: { selfMatch: false, ${note} }`)).toBe(one);
    expect(key('three.yaml', 'controls: { selfMatch: true }')).not.toBe(one);
    const larger = `{ ${WIDE.slice(1, -1)}, orderUsdMax: "2000000" }`;
    expect(key('four.yaml', 'controls: { selfMatch: false }', larger)).not.toBe(one);
  });

  test('the note names the file and the version of its controls', () => {
    const note = limitsNote(deploymentLimits('config/paper.yaml'));
    expect(note).toMatch(
      /^limits and controls are those of config\/paper\.yaml, controls version 1-[0-9a-f]{8}$/,
    );
  });
});
