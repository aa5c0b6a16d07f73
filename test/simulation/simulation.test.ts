// The production engine under planned faults, seed by seed. A failing seed is printed with its shrunk
// plan and the command to reproduce it; it is then added to REGRESSIONS permanently.

import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { nonEmpty } from '../support/non-empty.ts';
import { runScript } from './child.ts';
import { gateway, gatewayOverLine } from './gateway-door.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { Profile } from './plan/plan.ts';
import { partsOf, withoutParts } from './plan/simulation-inputs.ts';
import { engineRun, runSeeds, seedsFrom } from './run-seeds.ts';
import { settle } from './settle.ts';
import { followStrategies } from './strategy-follower.ts';
import { simulate } from './world/simulation.ts';

/** Ten thousand in `npm run test:long`; what has to be met, and the other profiles, go by their share. */
const SEEDS = process.env['SIMULATION_SEEDS'] ?? '300';
/** The first of the cheap ones: three hundred from here on meet each kind of event, which the first three hundred of all do not. */
const FROM = 100;
const SHARE = Number(SEEDS) / 10_000;
const shareOf = (count: number): number => Math.floor(count * SHARE);

/** Seeds that once found something, and what; cheap ones unless a profile is named. */
const REGRESSIONS: readonly (readonly [seed: string, found: string, profile?: Profile])[] = [
  ['0', 'strays on an account where no portfolio is at work were left open'],
  ['437', 'a turn that had waited for the ledger was decided as of long ago'],
  ['375', 'a portfolio began before it was known what its account had lost'],
  ['22757', 'an edit left in the turn that paused its portfolio'],
  ['5634', 'a market that was silent was taken for open, because its clock was behind'],
  ['411528', 'the middle of an option was judged without the orders that rested inside its spread'],
  ['2681', 'the auditor reported a trade whose closed order was still being queried for fills'],
  [
    '10986',
    'a wake asked for long before that the queue delivered late was taken for the end not noticed',
  ],
  ['209928', 'a wake for a slice went to a daemon whose memory still had the portfolio paused'],
  ['101931', 'a wake for a slice went to a daemon that had not seen the latest turn'],
  ['306521', 'a halt that counted, and died with its process before it was written'],
  ['104979', 'slices of a portfolio that was paused to its end were judged late'],
  ['394', 'the same order of two slices was sent while the account was unknown', 'full'],
  [
    '75',
    'a daemon whose clock was ahead gave a due instant up before the other one had come to it',
    'schedules',
  ],
  [
    '493',
    'a fault at a firing was overlooked, because the clock of its daemon was ahead',
    'schedules',
  ],
  ['220', 'an order that another process had closed was reported while the list lagged', 'full'],
  ['1074', 'a request that waited for its nonce until an earlier use was forgotten', 'full'],
  ['1103', 'a process was blamed for not knowing what it had sent before its restart', 'full'],
  ['98', 'an agreed position was dated by its reply, and a trade from before was missed', 'full'],
  ['920', 'a jump of a market was forgotten while the portfolio was not in memory', 'full'],
  ['2050', 'a shadow was left open, because its original ended with a process that died', 'full'],
  ['9033', 'participation was counted from a volume from before the line was down', 'full'],
  ['10485', 'refusals of an earlier process were counted on after its restart', 'full'],
  ['18640', 'a clock behind that of the former owner sent orders without a pause', 'full'],
  ['1272', 'the desk of a troubled venue refused with a code that proves nothing', 'full'],
  [
    '1388',
    'an account was taken over with a full message budget after its owner had died before it handed anything over',
    'owners',
  ],
];

/** What has to be met in ten thousand seeds, and how often at least: a plan that is too tame shows nothing. */
const MET = new Map([
  ['death', 2_000],
  // Entries of two instruments each.
  ['settlement into future', 40],
  ['expiry', 5],
  ['asked at a door', 5_000],
  ['repeated request refused', 80],
  ['probe refused', 200],
  ['revoked key refused', 1_000],
  ['switch set at a door', 20],
  ['held against controls', 300],
  ['control order_volume', 60],
  ['control position', 40],
  ['control price_collar', 40],
  ['event child_absent', 500],
  ['event child_rejected', 500],
  ['event child_unknown', 500],
  ['event child_unsent', 500],
  ['event edit_refused', 50],
  ['event edit_unknown', 20],
  ['event fill_mirrored', 500],
  ['event amended', 400],
  ['block traded', 150],
  ['by hand change', 300],
  ['by hand enter', 800],
  ['by hand quote', 300],
  ['event part_chased', 150],
  ['event part_ended', 500],
  ['event paused', 300],
  ['event resumed', 150],
  ['event slice_arrived', 500],
  ['event slices_missed', 200],
  ['judged at its time limit', 800],
  ['judged in time', 2_000],
  ['ledger_doubt', 500],
  ['ledger_lost', 500],
  ['limits amended', 250],
  ['line_down', 100],
  ['mmp counted', 400],
  ['mmp reset', 60],
  ['mmp tripped', 200],
  ['mmp tripped by delta', 60],
  ['mmp tripped by vega', 40],
  ['process_stops', 500],
  ['queue_loses', 200],
  ['rate_limited', 200],
  ['refused', 200],
  ['request_at_deadline', 500],
  ['stray taken back', 300],
  ['strategy fired', 300],
  ['trade planted', 70],
  ['trade reported', 50],
]);

/** The same in three hundred seeds of strategies with cron schedules. */
const MET_BY_SCHEDULES = new Map([
  ['missed schedule fired', 25],
  ['schedule fired', 200],
  ['schedule judged', 150],
]);

/** The same in four thousand seeds of portfolios that end with a Block RFQ; an accept is refused in one of two hundred. */
const MET_BY_BLOCKS = new Map([
  ['end rfq cancelled', 200],
  ['end rfq created', 400],
  ['end rfq traded', 200],
  ['event rfq_absent', 20],
  ['event rfq_accept_refused', 3],
  ['event rfq_accept_unknown', 2],
  ['event rfq_refused', 40],
  ['event rfq_skipped', 10],
  ['event rfq_unknown', 10],
]);

/** The same in four hundred seeds of accounts that change hands. */
const MET_BY_OWNERS = new Map([
  ['message budget handed over', 80],
  ['message budget shared', 320],
]);

/** Runs seeds of a profile; returns how often they met each kind of event. */
async function met(
  profile: Profile,
  count: number,
  from = 0,
): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  const failure = await runSeeds({
    run: engineRun({ simulate, gateway, followStrategies }, profile),
    seeds: seedsFrom(from, count),
    onDone: (_seed, { counts }) => {
      for (const [what, times] of counts) sums.set(what, (sums.get(what) ?? 0) + times);
    },
  });
  const again = `npm run simulate -- --from ${failure?.seed} --seeds 1 --profile ${profile}`;
  expect(failure?.result.breach, again).toBeUndefined();
  return sums;
}

/** What was met less often than its share of `least`. */
const tameIn = (
  sums: ReadonlyMap<string, number>,
  least: ReadonlyMap<string, number>,
): readonly string[] =>
  [...least]
    .filter(([what, times]) => (sums.get(what) ?? 0) < shareOf(times))
    .map(([what, times]) => `${what}: ${sums.get(what) ?? 0} of ${shareOf(times)}`);

describe('the simulation', () => {
  test(`the simulation finds no invariant broken in ${SEEDS} seeds, and meets every kind of event it covers`, async () => {
    expect(tameIn(await met('cheap', Number(SEEDS), FROM), MET)).toEqual([]);
  }, 1800_000);

  test('the simulation finds no invariant broken in longer runs with more of everything', async () => {
    expect((await met('full', shareOf(200))).size).toBeGreaterThan(0);
  }, 1200_000);

  test('the simulation finds no invariant broken when residuals are requested as Block RFQs, and meets every outcome', async () => {
    expect(tameIn(await met('blocks', shareOf(4_000)), MET_BY_BLOCKS)).toEqual([]);
  }, 1200_000);

  test('the simulation finds no invariant broken where strategies have cron schedules over changes of daylight-saving time', async () => {
    expect(tameIn(await met('schedules', shareOf(300)), MET_BY_SCHEDULES)).toEqual([]);
  }, 1200_000);

  test('the simulation finds no invariant broken where a busy account changes hands with its message budget', async () => {
    expect(tameIn(await met('owners', shareOf(400)), MET_BY_OWNERS)).toEqual([]);
  }, 1200_000);

  test.each(REGRESSIONS.map(([seed, found, profile = 'cheap']) => ({ seed, found, profile })))(
    'the simulation finds no invariant broken in seed $seed: $found',
    async ({ seed, profile }) => {
      const plan = drawPlan(seed, profile);
      const { breach } = await simulate({ plan, settle, gateway, followStrategies });
      expect(breach, `npm run simulate -- --seed ${seed} --profile ${profile}`).toBeUndefined();
    },
  );

  test.each(['cheap', 'full'] as const)(
    'the simulation finds no invariant broken in %s runs whose gateways reach their engines over the line between processes',
    async (profile) => {
      const count = Math.ceil(shareOf(profile === 'cheap' ? 1_000 : 100));
      for (const seed of nonEmpty([...seedsFrom(0, count)])) {
        const plan = drawPlan(seed, profile);
        const run = { plan, settle, gateway: gatewayOverLine, followStrategies };
        const { breach } = await simulate(run);
        const again = `npm run simulate -- --line --seed ${seed} --profile ${profile}`;
        expect(breach, again).toBeUndefined();
      }
    },
    1200_000,
  );

  test('the simulation has the same trace when a seed runs again, here and in another process', async () => {
    const seeds = [...seedsFrom(500, 15)];
    const { output } = await runScript('simulate.ts', [
      '--from',
      '500',
      '--seeds',
      '15',
      '--hashes',
    ]);
    const elsewhere = new Map(
      output.split('\n').map((line) => line.split(' ') as [string, string]),
    );
    for (const seed of nonEmpty(seeds)) {
      const plan = drawPlan(seed, 'cheap');
      const [first, second] = [
        await simulate({ plan, settle, gateway, followStrategies }),
        await simulate({ plan, settle, gateway, followStrategies }),
      ];
      expect(second.traceHash, seed).toBe(first.traceHash);
      expect(elsewhere.get(seed), seed).toBe(first.traceHash);
    }
  }, 480_000);

  test('the simulation has another trace with another seed, and without a part of the plan', async () => {
    const hash = async (plan: ReturnType<typeof drawPlan>): Promise<string> =>
      (await simulate({ plan, settle, gateway, followStrategies })).traceHash;
    const plan = drawPlan('3', 'full');
    const hashes = [await hash(plan), await hash(drawPlan('4', 'full'))];
    for (const part of partsOf(plan).filter((name) => name.startsWith('client-'))) {
      hashes.push(await hash(withoutParts(plan, [part])));
    }
    expect(hashes.length).toBeGreaterThan(2);
    expect(new Set(hashes).size).toBe(hashes.length);
  }, 240_000);
});

describe('a run that fails', () => {
  test('a run that fails reports the seed, the commit, the plan and the command that reproduces it', async () => {
    const mutant = ['--mutant', 'silence-is-refusal'];
    const { code, output } = await runScript('simulate.ts', ['--seeds', '300', ...mutant]);
    expect(code, output).toBe(1);
    expect(output).toMatch(/seed \d+ at commit [0-9a-f]{12}: I\d+ broke: /);
    expect(output).toMatch(/shrunk in \d+ runs to:\n\{/);
    const command = /the shrunk plan: +npm run simulate -- (.+)/.exec(output)?.[1] ?? '';
    const invariant = /: (I\d+) broke: /.exec(output)?.[1] ?? 'none';
    const again = await runScript('simulate.ts', command.split(' '));
    expect(again.code, command).toBe(1);
    expect(again.output).toContain(`${invariant} broke: `);
    // Much smaller than what was drawn.
    const left = /parts left: (.*)/.exec(again.output)?.[1]?.split(' ') ?? [];
    expect(left.length).toBeLessThan(12);
  }, 480_000);

  test('a wrong command line exits with its own code', async () => {
    const { code, complaint } = await runScript('simulate.ts', ['--profile', 'huge']);
    expect([code, complaint]).toEqual([
      2,
      expect.stringContaining('--profile is one of cheap, full, limits, blocks, schedules, owners'),
    ]);
  });
});
