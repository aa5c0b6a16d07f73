// That a programming error in the log of a process is found, in either form and whatever is written before and after it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { expect, test } from 'vitest';
import { takeProgrammingErrors, watchLog } from './daemon-logs.ts';

const JSON_LINE = '{"level":"error","event":"programming_error","where":"sweep"}';
const SHOWN_LINE = '12:00:00.000 ERROR programming error: sweep';

async function run(script: string): Promise<void> {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  watchLog(child);
  expect(await once(child, 'close')).toEqual([0, null]);
}

test('a programming error that a process logs to either stream is found once', async () => {
  const [head, tail] = [JSON_LINE.slice(0, 30), JSON_LINE.slice(30)].map((text) =>
    JSON.stringify(text),
  );
  await run(`
    process.stdout.write('{"level":"info"}\\n' + ${head});
    setImmediate(() => process.stdout.write(${tail} + '\\n{"level":"info"}\\n'));
    process.stderr.write(${JSON.stringify(`${SHOWN_LINE}\n`)});
  `);
  expect([...takeProgrammingErrors()].sort()).toEqual([SHOWN_LINE, JSON_LINE].sort());
  expect(takeProgrammingErrors()).toEqual([]);
});

test('a failure of what a process depends on, and the name of the metric, are not programming errors', async () => {
  const lines = ['{"level":"error","event":"failed"}', 'twapd_programming_errors_total 0'];
  await run(`process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)})`);
  expect(takeProgrammingErrors()).toEqual([]);
});
