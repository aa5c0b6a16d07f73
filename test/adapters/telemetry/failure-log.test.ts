import { describe, expect, test } from 'vitest';
import { FailureLog } from '../../../src/adapters/telemetry/log/failure-log.ts';
import { lineLog } from './line-log.ts';

/** A log whose time a test advances. */
function stage() {
  const { logger, lines } = lineLog('info');
  let nowMs = 0;
  const due: { readonly atMs: number; readonly then: () => void }[] = [];
  const failures = new FailureLog({
    log: logger,
    nowMs: () => nowMs,
    after: (ms, then) => due.push({ atMs: nowMs + ms, then }),
  });
  const pass = (ms: number): void => {
    const untilMs = nowMs + ms;
    for (;;) {
      const at = due.findIndex(({ atMs }) => atMs <= untilMs);
      const [next] = at < 0 ? [] : due.splice(at, 1);
      if (next === undefined) break;
      nowMs = Math.max(nowMs, next.atMs);
      next.then();
    }
    nowMs = untilMs;
  };
  return { failures, pass, lines };
}

describe('repeated failures', () => {
  test('an outage has one error with its stack and one line with its count', async () => {
    const { failures, pass, lines } = stage();
    for (let tries = 0; tries < 50; tries += 1) {
      const error = new Error(`connect ECONNREFUSED 127.0.0.1:${50_000 + tries}`);
      failures.report({ where: 'gate.read', error });
      pass(1_000);
    }
    pass(20_000);
    expect(await lines()).toMatchObject([
      { level: 'error', where: 'gate.read', err: { stack: expect.stringContaining('at ') } },
      { level: 'warn', msg: 'no longer failing: gate.read', times: 50, lastedMs: 49_000 },
    ]);
  });

  test('a lasting outage is logged once a minute, without a stack', async () => {
    const { failures, pass, lines } = stage();
    for (let tries = 0; tries < 181; tries += 1) {
      failures.report({ where: 'ledger', error: new Error('away'), portfolio: String(tries % 3) });
      pass(1_000);
    }
    const reminders = (await lines()).filter(({ msg }) => msg === 'still failing: ledger');
    expect(reminders).toMatchObject([{ times: 61 }, { times: 121 }, { times: 181 }]);
    expect(reminders.every((line) => !('err' in line))).toBe(true);
    expect(reminders.at(-1)).toMatchObject({ reason: 'away', portfolios: ['1', '2', '0'] });
  });

  test('different failures, failures in other places, and a failure after a quiet period are logged separately', async () => {
    const { failures, pass, lines } = stage();
    failures.report({ where: 'a', error: new Error('one') });
    failures.report({ where: 'a', error: new Error('two') });
    failures.report({ where: 'b', error: new Error('one') });
    pass(11_000);
    failures.report({ where: 'a', error: new Error('one') });
    expect((await lines()).map(({ level, where }) => [level, where])).toEqual([
      ['error', 'a'],
      ['error', 'a'],
      ['error', 'b'],
      ['error', 'a'],
    ]);
  });

  test('the memory for failures is bounded however many kinds there are, and none is lost', async () => {
    const { failures, lines } = stage();
    for (let kind = 0; kind < 500; kind += 1) {
      const error = new Error(
        `kind ${'x'.repeat(kind % 150)}${String.fromCodePoint(0x4e00 + kind)}`,
      );
      failures.report({ where: 'many', error });
      failures.report({ where: 'many', error });
    }
    expect((await lines()).filter(({ level }) => level === 'error')).toHaveLength(500);
    expect((await lines()).filter(({ level }) => level === 'warn')).toHaveLength(300);
  });
});
