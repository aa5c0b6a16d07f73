// `check`: reads configuration and strategies as the daemon would, and explains every fault.
import { instant, isoText } from '../../../values/instant.ts';
import { printable } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load-config.ts';
import { type Fault, faultText } from '../../fault.ts';
import type { Strategy } from '../../strategy/strategy.ts';
import { misfits } from '../../strategy/strategy-fit.ts';
import { readFolder } from '../../strategy/strategy-folder.ts';
import { nextDue } from '../../strategy/strategy-schedule.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { configOption } from '../files.ts';
import { paint } from '../terminal/paint.ts';

interface Options {
  readonly config: string;
  readonly strategies?: string;
  readonly json?: boolean;
}

interface Findings {
  readonly config: Config | undefined;
  readonly strategies: readonly Strategy[];
  readonly faults: readonly Fault[];
  /** Secrets that this environment lacks, which is not a fault of the files. */
  readonly notes: readonly Fault[];
}

export const addCheck: AddCommand = (program, terminal) => {
  program
    .command('check')
    .option(...configOption)
    .option('-s, --strategies <folder>', 'folder of strategies (default: that of the config)')
    .option('--json', 'print the findings as JSON')
    .action((options: Options) => {
      const findings = examine(options);
      if (options.json) terminal.print(jsonText(plain(findings, options)));
      else print(findings, options, terminal);
      if (findings.faults.length > 0) throw new CommandFailure('refused', []);
    });
};

function examine(options: Options): Findings {
  const notes: Fault[] = [];
  const reading = loadConfig(options.config, { onUnset: (note) => notes.push(note) });
  const config = reading.kind === 'read' ? reading.value : undefined;
  const folder = options.strategies ?? config?.service.strategies;
  const set = folder === undefined ? undefined : readFolder(folder);
  const strategies = [...(set?.inForce.values() ?? [])];
  const faults = [
    ...(reading.kind === 'faulty' ? reading.faults : []),
    ...(set?.faults ?? []),
    ...(config === undefined ? [] : strategies.flatMap((each) => misfits(each, config))),
  ];
  return { config, strategies, faults, notes };
}

function print(findings: Findings, options: Options, terminal: Terminal): void {
  const { config, strategies, faults, notes } = findings;
  if (config !== undefined) {
    const { accounts, keys, venues } = config;
    const kinds = Object.entries(venues).map(([name, { kind }]) => `${name} (${kind})`);
    terminal.print(
      `${paint.green('✓')} ${options.config}: venues ${kinds.join(', ')}; ${accounts.length} accounts, ${keys.length} keys`,
    );
  }
  const faulty = new Set(faults.map((fault) => fault.source));
  for (const strategy of strategies.filter((each) => !faulty.has(each.path))) {
    terminal.print(`${paint.green('✓')} ${printable(strategy.path)}: ${whenText(strategy)}`);
  }
  for (const note of notes) terminal.print(`${paint.yellow('•')} ${faultText(note)}`);
  for (const fault of faults) terminal.complain(`${paint.red('✗')} ${faultText(fault)}`);
  if (faults.length > 0) {
    terminal.complain(`${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`);
  }
}

function whenText(strategy: Strategy): string {
  const { schedule, enabled } = strategy;
  if (schedule === undefined) return 'submitted manually';
  if (schedule.kind === 'start') return enabled ? 'at every start' : 'at every start; not enabled';
  const next = nextDue(schedule, instant(Date.now()));
  const when = next === undefined ? 'its time has passed' : `next ${isoText(next)}`;
  return enabled ? when : `${when}; not enabled`;
}

function plain({ strategies, faults, notes }: Findings, options: Options): object {
  return {
    config: options.config,
    ok: faults.length === 0,
    strategies: strategies.map(({ name, path, enabled }) => ({ name, path, enabled })),
    faults,
    notes,
  };
}
