// Checks that nothing is logged at `error` without an external cause. External causes are listed here.
import type { Disturbed, House } from './house.ts';
import type { LogLine } from './processes.ts';

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

/** How long before its end a portfolio aligns its hedges. */
const GRACE_MS = 10_000;

/**
 * A hedge that stays open because its account has an order at the touch for as long as it may be aligned: to trade
 * would be to trade with itself.
 */
function isHeldByOwnOrders({ text, atMs }: LogLine, serious: readonly LogLine[]): boolean {
  const found = /"portfolio":"(\d+)","event":"hedge_left_open","leg":(\d+)/.exec(text);
  if (found === null) return false;
  const held = `"portfolio":"${found[1]}","event":"slice_waiting","leg":${found[2]},`;
  return serious.some(
    (line) =>
      line.text.includes(held) &&
      line.text.includes('"why":"self_match: ') &&
      atMs - GRACE_MS - AFTER_MS <= line.atMs &&
      line.atMs <= atMs,
  );
}

export function logFaults({ logs, disturbed, starvation }: House): string[] {
  const causes: readonly Disturbed[] = [...disturbed, ...starvation.stretches];
  const unexpected = logs.serious.filter((line) => {
    const { level, text, atMs } = line;
    if (level === 'warn' || isHeldByOwnOrders(line, logs.serious)) return false;
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
