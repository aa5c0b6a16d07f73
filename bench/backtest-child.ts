// One backtest in a process of its own, as a command runs it: prints how long it took, without the start of Node.
import process from 'node:process';
import { portfolioBodySchema } from '../src/gateway/portfolios/submit/submit-schema.ts';
import { backtestSettings } from '../src/main/commands/backtest/backtest-options.ts';
import { runOn } from '../src/main/commands/backtest/backtest-run.ts';
import { openRecording } from '../src/main/commands/backtest/open-recording.ts';

export interface BacktestAsked {
  readonly body: unknown;
  readonly data: string;
  /** Absent: from the files as they come. */
  readonly cache?: string | undefined;
  readonly showsEachRow?: boolean | undefined;
}

export interface BacktestTook {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of the wall time, until the recording was open. */
  readonly openMs: number;
  readonly rows: number;
  readonly traceHash: string;
}

export async function measureBacktest(asked: BacktestAsked): Promise<BacktestTook> {
  const { body, data, cache, showsEachRow } = asked;
  const form = portfolioBodySchema.parse(body);
  const written = { data, maxGap: '10', latency: '5-80', seed: '1', queue: 'arrival' as const };
  const settings = { ...backtestSettings(written), cache };
  const cpu = process.cpuUsage();
  const from = performance.now();
  const recording = await openRecording(form, settings);
  const openMs = performance.now() - from;
  const { outcome } = await runOn(recording, form, { showsEachRow });
  const wallMs = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  const { rows, traceHash } = outcome;
  return { wallMs, openMs, cpuMs: (user + system) / 1_000, rows, traceHash };
}

if (import.meta.main) {
  const took = await measureBacktest(JSON.parse(process.argv[2] ?? '{}') as BacktestAsked);
  process.stdout.write(JSON.stringify(took));
}
