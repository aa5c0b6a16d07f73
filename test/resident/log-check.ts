// Checks that nothing is logged at `error` without an external cause. External causes are listed here.
import type { Disturbed, House } from './house.ts';

/** How long after a disturbance its effects may still be logged: longer than any time-out. */
const AFTER_MS = 15_000;
/** How long before its time-out a request may have started. */
const BEFORE_MS = 5_000;

const CAUSED: readonly { readonly by: readonly Disturbed['what'][]; readonly text: RegExp }[] = [
  {
    // The exchange is down: every request to it fails.
    by: ['kill exchange', 'kill both'],
    text: /"where":"(gate\.read|venue\.[a-z_.]+|gateway\.[^"]*)"/,
  },
  {
    // The machine is overloaded, and no process gets a processor in time: whatever waits for another one may give up,
    // and a connection closed for that is not writable.
    by: ['starved'],
    text: /timed out|timeout|isn't writeable|(within|for) \d+ ms|does not answer|not connected yet|max retries per request|"where":"venue\.paper"/,
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
