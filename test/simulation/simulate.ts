// The command `npm run simulate`: runs seeds until one fails, and then prints how to reproduce it.
// Exits with 1 if an invariant broke, with 2 if the command line was wrong.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { loadSimulation, type Simulation } from './load-simulation.ts';
import type { Mutant } from './mutants/mutant.ts';
import { MUTANTS } from './mutants/mutants.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { AnyProfile, Profile } from './plan/plan.ts';
import { type Shrunk, shrink } from './plan/shrink.ts';
import { partsOf, withoutParts } from './plan/simulation-inputs.ts';
import { RealServers } from './real-stores.ts';
import { engineRun, type Failure, runSeeds, seedsFrom, simulateOn, wireRun } from './run-seeds.ts';
import { settle } from './settle.ts';
import { drawWirePlan, wirePartsOf, withoutWireParts } from './wire/wire-plan.ts';
import type { SimulationResult } from './world/simulation-run.ts';

const USAGE = `npm run simulate -- [--seeds N] [--from N] [--profile cheap|full|limits|blocks|schedules|owners|wire] [--mutant NAME]
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
  'wire',
] as const satisfies readonly AnyProfile[];

interface Options {
  readonly seeds: number;
  readonly from: number;
  readonly seed: string | undefined;
  readonly profile: AnyProfile;
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
  if (profile === 'wire' && (values.line || values.stores !== 'memory')) {
    throw new WrongUsage('--profile wire has no engine, so neither --line nor --stores real');
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
    run: profile === 'wire' ? wireRun(simulation) : engineRun(simulation, profile, servers),
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
  const { result, parts } = await (options.profile === 'wire'
    ? ranWire(options, simulation, seed)
    : ranEngine({ ...options, profile: options.profile }, simulation, { seed, servers }));
  for (const line of result.trace) say(line);
  const { traceHash, children } = result;
  say(`seed ${seed}: trace ${traceHash}, ${children} orders, parts left: ${parts.join(' ')}`);
  if (result.breach === undefined) return 0;
  say(`${result.breach.invariant} broke: ${result.breach.what}`);
  return 1;
}

interface Ran {
  readonly result: SimulationResult;
  /** Of its plan. */
  readonly parts: readonly string[];
}

async function ranWire(
  { without, trace: keepsTrace }: Options,
  { simulateWire }: Simulation,
  seed: string,
): Promise<Ran> {
  const plan = withoutWireParts(drawWirePlan(seed), without);
  return { result: await simulateWire({ plan, settle, keepsTrace }), parts: wirePartsOf(plan) };
}

async function ranEngine(
  { profile, without, trace: keepsTrace }: Options & { readonly profile: Profile },
  simulation: Simulation,
  { seed, servers }: OneRun,
): Promise<Ran> {
  const plan = withoutParts(drawPlan(seed, profile), without);
  const { simulate, gateway, followStrategies } = simulation;
  const result = await (servers === undefined
    ? simulate({ plan, settle, gateway, followStrategies, keepsTrace })
    : simulateOn(servers, simulation, { plan, keepsTrace }));
  return { result, parts: partsOf(plan) };
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
  const { plan, without, runs } = await shrunk(options, simulation, {
    seed,
    invariant: breach.invariant,
  });
  say(`shrunk in ${runs} runs to:\n${JSON.stringify(plan, undefined, 1)}`);
  const page = profile === 'wire' ? 'reliability' : 'invariants';
  say(`what ${breach.invariant} says: docs/${page}.md`);
  say(`the whole of it:   ${words.join(' ')} --trace`);
  if (without.length > 0) words.push(`--without ${without.join(',')}`);
  say(`the shrunk plan:   ${words.join(' ')} --trace`);
}

function shrunk(
  { profile }: Options,
  simulation: Simulation,
  { seed, invariant }: { readonly seed: string; readonly invariant: string },
): Promise<Shrunk<unknown>> {
  const { gateway, followStrategies } = simulation;
  const known = { invariant, runsMax: SHRINK_RUNS_MAX };
  return profile === 'wire'
    ? shrink({
        ...known,
        plan: drawWirePlan(seed),
        partsOf: wirePartsOf,
        withoutParts: withoutWireParts,
        run: (plan) => simulation.simulateWire({ plan, settle }),
      })
    : shrink({
        ...known,
        partsOf,
        withoutParts,
        plan: drawPlan(seed, profile),
        run: (plan) => simulation.simulate({ plan, settle, gateway, followStrategies }),
      });
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
  readonly #startedCpu = process.cpuUsage();
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
    // Of all threads of the process, without loading the simulation.
    const { user, system } = process.cpuUsage(this.#startedCpu);
    const cpuMs = (user + system) / 1_000 / Math.max(1, this.#done);
    const perCore = Math.round(60_000 / cpuMs);
    const days = (this.#virtualMs / 86_400_000).toFixed(2);
    return (
      `${this.#done}/${this.#seeds} seeds, ${rate} a minute, ${perCore} a minute of processor ` +
      `(${cpuMs.toFixed(2)} ms each), ` +
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
