// Machinery of our own alongside the library or the plain code that would replace it, both in one run: what each
// costs of the figure that is promised. What follows from it is in decision 37.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { mutantEnvironment } from '../test/mutants/mutated-source.ts';
import type { Measured } from './machinery-child.ts';
import { benchReaders } from './machinery-readers.ts';
import { LEDGER_VARIANTS, TELEMETRY_VARIANTS, type Variant } from './machinery-variants.ts';
import { type Pair, pairedRatio } from './paired.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const ROUNDS = 8;
/** They let the compiler see what is hot. */
const WARM_UP_ROUNDS = 4;
const YARDSTICK = 'kept where it wins 10 % or more';

/** `TWAPD_BENCH_MACHINERY` names the one that is wanted; else all. */
export async function benchMachinery(): Promise<Row[]> {
  const wanted = process.env['TWAPD_BENCH_MACHINERY'];
  const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
    readers: benchReaders,
    ledger: () => inTurns('ledger', 'a turn', LEDGER_VARIANTS),
    telemetry: benchTelemetryVariants,
  };
  const rows: Row[] = [];
  for (const [name, part] of Object.entries(parts)) {
    if (wanted === undefined || wanted === name) rows.push(...(await part()));
  }
  return rows;
}

/**
 * Each variant in turns with the code as it is, both in fresh processes: one that has run for longer has more of
 * it compiled. Either idles while the other one is measured.
 */
async function inTurns(
  subject: string,
  piece: string,
  variants: readonly Variant[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const variant of variants) {
    const asIs = await started(subject);
    const other = await started(subject, variant);
    const rounds: { readonly ours: Measured; readonly theirs: Measured }[] = [];
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      // What grows with time falls on both.
      const isOursFirst = round % 2 === 0;
      const first = await measured(isOursFirst ? asIs : other);
      const second = await measured(isOursFirst ? other : asIs);
      const [ours, theirs] = isOursFirst ? [first, second] : [second, first];
      if (round >= 0) rounds.push({ ours, theirs });
    }
    await Promise.all([ended(asIs), ended(other)]);
    const cpu = rounds.map(({ ours, theirs }) => ({ one: theirs.cpuUs, other: ours.cpuUs }));
    const rate = rounds.map(({ ours, theirs }) => ({
      one: theirs.perSecond,
      other: ours.perSecond,
    }));
    process.stderr.write(`  ${variant.what}: × ${shown(cpu)}, × ${shown(rate)}\n`);
    rows.push({
      what: `${variant.what}: processor time of ${piece}`,
      value: `${us(cpu.map(({ other: ours }) => ours))} → ${us(cpu.map(({ one }) => one))}, × ${shown(cpu)}`,
      yardstick: `${piece} a second × ${shown(rate)}; ${YARDSTICK}`,
    });
  }
  return rows;
}

/** One after the other: each has a load of its own, which two at once would not have to themselves. */
async function benchTelemetryVariants(): Promise<Row[]> {
  const rows: Row[] = [];
  // As it is at both ends: how far these two are apart is the noise.
  for (const variant of [undefined, ...TELEMETRY_VARIANTS, undefined]) {
    const child = await started('telemetry', variant);
    const { cpuUs, perSecond } = await measured(child);
    await ended(child);
    process.stderr.write(
      `  ${variant?.what ?? 'as it is'}: ${cpuUs.toFixed(1)} µs, ${perSecond.toFixed(3)}\n`,
    );
    rows.push({
      what: `telemetry of a slice, ${variant?.what ?? 'as it is'}`,
      value: `${cpuUs.toFixed(1)} µs; ${perSecond.toFixed(3)} of the slices/s without`,
      yardstick: 'at least 0.95',
    });
  }
  return rows;
}

async function started(subject: string, variant?: Variant): Promise<ChildProcess> {
  const child = fork(new URL('./machinery-child.ts', import.meta.url), [subject], {
    ...(variant !== undefined && { env: mutantEnvironment(variant) }),
    stdio: 'inherit',
  });
  await told(child);
  return child;
}

/** Throws if the process ends instead. */
async function told(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController();
  const { signal } = listening;
  const end = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process that measures ended with ${code}`);
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), end])) as [unknown];
    return message;
  } finally {
    listening.abort();
  }
}

async function measured(child: ChildProcess): Promise<Measured> {
  child.send('measure');
  return (await told(child)) as Measured;
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
}

const us = (samples: readonly number[]): string => `${percentile(samples, 0.5).toFixed(1)} µs`;

function shown(pairs: readonly Pair[]): string {
  const { ratio, from, to } = pairedRatio(pairs);
  return `${ratio.toFixed(2)} (95 %: ${from.toFixed(2)} to ${to.toFixed(2)})`;
}
