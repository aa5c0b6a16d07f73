// The command `npm run simulate`: runs seeds until one fails, and then prints how to reproduce it.
// Exits with 1 if an invariant broke, with 2 if the command line was wrong.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { loadSimulation, type Simulation } from './load-simulation.ts';
import type { Mutant } from './mutants/mutant.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { Profile } from './plan/plan.ts';
import { partsOf, withoutParts } from './plan/simulation-inputs.ts';
import { RealServers } from './real-stores.ts';
import { type Failure, runSeeds, seedsFrom, simulateOn } from './run-seeds.ts';
import { settle } from './settle.ts';
import type { SimulationResult } from './world/simulation-run.ts';

const USAGE = `npm run simulate -- [--seeds N] [--from N] [--profile cheap|full|limits|blocks|schedules|owners] [--mutant NAME]
npm run simulate -- --seed S [--profile …] [--mutant …] [--without PART,PART] [--trace]
either with [--stores memory|real] [--line]
  --seeds    how many (default 2000)        --from     the first one (default 0)
  --seed     this one alone                 --without  leaves parts of its plan out
  --trace    prints everything that happens --mutant   takes a part of the engine away
  --hashes   prints the trace hash of every seed
  --stores   real: ledger, switches, protections and kept answers in PostgreSQL, news over Redis (default memory)
  --line     gateways reach their engines over the line between processes`;

const SHRINK_RUNS_MAX = 400;
const PROFILES = [
  'cheap',
  'full',
  'limits',
  'blocks',
  'schedules',
  'owners',
] as const satisfies readonly Profile[];

interface Options {
  readonly seeds: number;
  readonly from: number;
  readonly seed: string | undefined;
  readonly profile: Profile;
  readonly mutant: Mutant | undefined;
  readonly without: readonly string[];
  readonly trace: boolean;
  readonly hashes: boolean;
  readonly hasRealStores: boolean;
  readonly isOverLine: boolean;
}

class WrongUsage extends Error {}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seeds: { type: 'string', default: '2000' },
      from: { type: 'string', default: '0' },
      seed: { type: 'string' },
      profile: { type: 'string', default: 'cheap' },
      mutant: { type: 'string' },
      without: { type: 'string', default: '' },
      trace: { type: 'boolean', default: false },
      hashes: { type: 'boolean', default: false },
      stores: { type: 'string', default: 'memory' },
      line: { type: 'boolean', default: false },
    },
  });
  const { mutant: name } = values;
  const profile = PROFILES.find((one) => one === values.profile);
  if (profile === undefined) {
    throw new WrongUsage(`--profile is one of ${PROFILES.join(', ')}; got "${values.profile}"`);
  }
  if (!['memory', 'real'].includes(values.stores)) {
    throw new WrongUsage(`--stores is memory or real; got "${values.stores}"`);
  }
  const mutant = MUTANTS.find((one) => one.name === name);
  if (name !== undefined && mutant === undefined) {
    const names = MUTANTS.map((one) => one.name).join(', ');
    throw new WrongUsage(`--mutant is one of ${names}; got "${name}"`);
  }
  return {
    seeds: count('--seeds', values.seeds),
    from: count('--from', values.from),
    seed: values.seed,
    profile,
    mutant,
    without: values.without.split(',').filter((part) => part !== ''),
    trace: values.trace,
    hashes: values.hashes,
    hasRealStores: values.stores === 'real',
    isOverLine: values.line,
  };
}

function count(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) {
    throw new WrongUsage(`${option} is a whole number below a billion, got "${text}"`);
  }
  return Number(text);
}

async function main(options: Options): Promise<number> {
  const loaded = await loadSimulation(options.mutant);
  const simulation = options.isOverLine ? { ...loaded, gateway: loaded.gatewayOverLine } : loaded;
  const servers = options.hasRealStores ? await RealServers.start() : undefined;
  try {
    return options.seed === undefined
      ? await runMany(options, simulation, servers)
      : await runOne(options, simulation, { seed: options.seed, servers });
  } finally {
    await servers?.stop();
  }
}

async function runMany(
  options: Options,
  simulation: Simulation,
  servers: RealServers | undefined,
): Promise<number> {
  const { from, seeds, profile } = options;
  const progress = new Progress(seeds);
  const failure = await runSeeds({
    simulation,
    profile,
    servers,
    seeds: seedsFrom(from, seeds),
    onDone: (seed, result) => {
      progress.count(result);
      if (options.hashes) say(`${seed} ${result.traceHash}`);
    },
  });
  progress.end();
  if (failure === undefined) return 0;
  await explain(options, simulation, failure);
  return 1;
}

interface OneRun {
  readonly seed: string;
  readonly servers: RealServers | undefined;
}

async function runOne(
  options: Options,
  simulation: Simulation,
  { seed, servers }: OneRun,
): Promise<number> {
  const drawn = drawPlan(seed, options.profile);
  const plan = withoutParts(drawn, options.without);
  const { gateway, followStrategies } = simulation;
  const keepsTrace = options.trace;
  const result = await (servers === undefined
    ? simulation.simulate({ plan, settle, gateway, followStrategies, keepsTrace })
    : simulateOn(servers, simulation, { plan, keepsTrace }));
  for (const line of result.trace) say(line);
  say(
    `seed ${seed}: trace ${result.traceHash}, ${result.children} orders, parts left: ${partsOf(plan).join(' ')}`,
  );
  if (result.breach === undefined) return 0;
  say(`${result.breach.invariant} broke: ${result.breach.what}`);
  return 1;
}

async function explain(options: Options, simulation: Simulation, failure: Failure): Promise<void> {
  const { seed, result } = failure;
  const { breach } = result;
  if (breach === undefined) return;
  say(`\nseed ${seed} at commit ${commit()}: ${breach.invariant} broke: ${breach.what}`);
  const { profile, mutant, hasRealStores, isOverLine } = options;
  const words = ['npm run simulate --', `--seed ${seed}`, `--profile ${profile}`];
  if (mutant !== undefined) words.push(`--mutant ${mutant.name}`);
  if (isOverLine) words.push('--line');
  if (hasRealStores) {
    // Shrinking goes by the course of a run, and real servers do not repeat theirs to the letter.
    return say(`the whole of it:   ${words.join(' ')} --stores real --trace`);
  }
  const { plan, without, runs } = await simulation.shrink({
    plan: drawPlan(seed, profile),
    invariant: breach.invariant,
    settle,
    gateway: simulation.gateway,
    followStrategies: simulation.followStrategies,
    runsMax: SHRINK_RUNS_MAX,
  });
  say(`shrunk in ${runs} runs to:\n${JSON.stringify(plan, undefined, 1)}`);
  say(`what ${breach.invariant} says: docs/invariants.md`);
  say(`the whole of it:   ${words.join(' ')} --trace`);
  if (without.length > 0) words.push(`--without ${without.join(',')}`);
  say(`the shrunk plan:   ${words.join(' ')} --trace`);
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown (no git here)';
  }
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** One line that is written over on a terminal, and every so often elsewhere. */
class Progress {
  readonly #seeds: number;
  readonly #startedMs = performance.now();
  readonly #met = new Map<string, number>();
  #done = 0;
  #children = 0;
  #virtualMs = 0;
  #toldMs = performance.now();

  constructor(seeds: number) {
    this.#seeds = seeds;
  }

  count({ children, virtualMs, counts }: SimulationResult): void {
    this.#done += 1;
    this.#children += children;
    this.#virtualMs += virtualMs;
    for (const [what, times] of counts) this.#met.set(what, (this.#met.get(what) ?? 0) + times);
    const rest = process.stdout.isTTY ? 250 : 10_000;
    if (performance.now() - this.#toldMs < rest) return;
    this.#toldMs = performance.now();
    process.stdout.write(process.stdout.isTTY ? `\r${this.#line()}` : `${this.#line()}\n`);
  }

  end(): void {
    say(`${process.stdout.isTTY ? '\r' : ''}${this.#line()}`);
    const met = [...this.#met].sort(([a], [b]) => (a < b ? -1 : 1));
    say(met.map(([what, times]) => `${what} ${times}`).join(' · '));
  }

  #line(): string {
    const ms = performance.now() - this.#startedMs;
    const rate = Math.round((this.#done / ms) * 60_000);
    const cpuMs = (process.cpuUsage().user / 1_000 / Math.max(1, this.#done)).toFixed(2);
    const days = (this.#virtualMs / 86_400_000).toFixed(2);
    return (
      `${this.#done}/${this.#seeds} seeds, ${rate} a minute (${cpuMs} ms of processor each), ` +
      `${this.#children} orders in ${days} virtual days`
    );
  }
}

try {
  process.exitCode = await main(readOptions(process.argv.slice(2)));
} catch (error) {
  const isUsage =
    error instanceof WrongUsage || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(
    `${isUsage ? `${(error as Error).message}\n${USAGE}` : (error as Error).stack}\n`,
  );
  process.exitCode = 2;
}
