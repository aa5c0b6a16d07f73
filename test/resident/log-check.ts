// Nothing is logged at `error` that nobody caused. What is caused from outside is named here, with its cause.
import type { Disturbed, House } from './house.ts';

/** What was done may still be told for so long after it is over: longer than any time-out. */
const AFTER_MS = 15_000;
/** A request that was not answered in time may have begun so long before. */
const BEFORE_MS = 5_000;

const CAUSED: readonly { readonly by: readonly Disturbed['what'][]; readonly text: RegExp }[] = [
  {
    // The exchange is away: every request to it fails.
    by: ['kill exchange', 'kill both'],
    text: /"where":"(gate\.read|venue\.[a-z_.]+|gateway\.[^"]*)"/,
  },
  {
    // No process is given a processor in time.
    by: ['starved'],
    text: /timed out|within \d+ ms|does not answer|not connected yet|Socket timeout|max retries per request|"where":"venue\.paper"/,
  },
];

const FAULTS_SHOWN = 20;

export function logFaults({ logs, disturbed, starvation }: House): string[] {
  const causes: readonly Disturbed[] = [...disturbed, ...starvation.stretches];
  const unexpected = logs.serious.filter(({ level, text, atMs }) => {
    if (level === 'warn') return false;
    const around = causes.filter(
      ({ fromMs, untilMs }) => fromMs - BEFORE_MS <= atMs && atMs <= untilMs + AFTER_MS,
    );
    return !CAUSED.some(
      (cause) => cause.text.test(text) && around.some(({ what }) => cause.by.includes(what)),
    );
  });
  const shown = unexpected
    .slice(0, FAULTS_SHOWN)
    .map(({ process: from, text }) => `${from} logged ${text.slice(0, 600)}`);
  return unexpected.length <= FAULTS_SHOWN
    ? shown
    : [...shown, `${unexpected.length - FAULTS_SHOWN} more lines at error`];
}
