import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLog } from '../../../src/adapters/telemetry/log/logger.ts';
import { createMetrics } from '../../../src/adapters/telemetry/metrics/metrics.ts';
import { processCounts } from '../../../src/adapters/telemetry/observer/process-counts.ts';
import { forRequest, requestInHand } from '../../../src/gateway/http/request-scope.ts';
import { must } from '../../../src/values/assert.ts';
import { lineLog } from './line-log.ts';
import { readScrape, sampleOf } from './scrape.ts';

const WRITER = fileURLToPath(new URL('./log-writer.ts', import.meta.url));

const ASKED = { uid: '1', scopes: ['trade'] as const };

describe('the current request', () => {
  it('every line written for a request carries it, even later, and no other line does', async () => {
    const { logger, lines } = lineLog('info', { context: requestInHand });
    const done = forRequest({ ...ASKED, rid: '7', method: 'private/buy' }, async () => {
      logger.info('at once');
      await new Promise((rest) => setTimeout(rest, 5));
      logger.info('later');
    });
    logger.info('meanwhile');
    await done;
    const told = (await lines()).map(({ msg, rid, method }) => [msg, rid, method]);
    expect(told).toEqual([
      ['at once', '7', 'private/buy'],
      ['meanwhile', undefined, undefined],
      ['later', '7', 'private/buy'],
    ]);
  });
});

describe('a line', () => {
  it('a line is one JSON object with time, level name, message and the common fields', async () => {
    const { logger, lines } = lineLog('info', { fields: { deployment: 'test' } });
    logger.info({ portfolio: '12', leg: 0 }, 'slice sent');
    expect(await lines()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        deployment: 'test',
        portfolio: '12',
        leg: 0,
        msg: 'slice sent',
      },
    ]);
  });

  it('a line below the level is not written', async () => {
    const { logger, lines } = lineLog('warn');
    logger.info('quiet');
    logger.warn('loud');
    expect((await lines()).map((line) => line['msg'])).toEqual(['loud']);
  });

  it('an error is logged with type, message, stack, code and causes, and none of its other properties', async () => {
    const { logger, lines } = lineLog('info');
    const cause = Object.assign(new TypeError('no route'), { code: 'EHOSTUNREACH' });
    const error = Object.assign(new Error('ledger is away', { cause }), { parameters: ['x'] });
    logger.error({ err: error }, 'failed');
    const shown = (await lines())[0]?.['err'];
    expect(shown).toMatchObject({
      type: 'Error',
      message: 'ledger is away',
      cause: { type: 'TypeError', message: 'no route', code: 'EHOSTUNREACH' },
    });
    expect(Object.keys(shown as object).sort()).toEqual(['cause', 'message', 'stack', 'type']);
  });

  it.each([
    ['a string', 'gone', 'gone'],
    ['nothing', undefined, 'undefined'],
    ['an object', { code: 3 }, '{"code":3}'],
  ])('a line shows %s that was thrown instead of an error', async (_what, thrown, message) => {
    const { logger, lines } = lineLog('info');
    logger.error({ error: thrown }, 'failed');
    if (thrown === undefined) expect(await lines()).toHaveLength(1);
    else expect((await lines())[0]?.['error']).toMatchObject({ message });
  });

  it('an error that is its own cause can be logged', async () => {
    const { logger, lines } = lineLog('info');
    const error = new Error('round');
    error.cause = error;
    logger.error({ err: error }, 'failed');
    expect((await lines())[0]?.['err']).toMatchObject({
      message: 'round',
      cause: { message: 'round' },
    });
  });

  it('lines are counted by level', async () => {
    const metrics = createMetrics({ version: '0', deployment: 'test', venues: [] });
    const { logger, log } = lineLog('info');
    log.listen(processCounts(metrics));
    logger.debug('not written');
    logger.info('one');
    logger.error('two');
    const seen = readScrape(await metrics.registry.metrics());
    expect(sampleOf(seen, 'twapd_log_lines_total', { level: 'info' })).toBe(1);
    expect(sampleOf(seen, 'twapd_log_lines_total')).toBe(2);
  });

  it('on a terminal a line is a sentence with the time of day before it and the fields after it', async () => {
    const { logger, text } = lineLog('info', { format: 'pretty', secrets: ['s3cr3t-s3cr3t'] });
    logger.warn({ portfolio: '12', note: 's3cr3t-s3cr3t' }, 'slice sent late');
    const shown = await text();
    expect(shown).toMatch(/\d\d:\d\d:\d\d\.\d{3}/);
    expect(shown).toContain('slice sent late');
    expect(shown).toContain('[secret]');
    expect(shown).not.toContain('s3cr3t');
    expect(shown.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('the destination of the log', () => {
  it('a slow destination costs lines rather than memory, and lost lines are counted', async () => {
    let dropped = 0;
    const { logger, log, lines } = lineLog('info', { bufferMaxBytes: 10_000 });
    log.listen({
      onLine: () => undefined,
      onDropped: (lost) => {
        dropped += lost;
      },
    });
    for (let i = 0; i < 1_000; i += 1) logger.info({ i }, 'a burst within one turn of the loop');
    const written = (await lines()).length;
    expect(dropped).toBeGreaterThan(0);
    expect(written).toBeGreaterThan(0);
    expect(written + dropped).toBe(1_000);
  });

  it('a line after the close is counted as lost, and goes to no file that has the number of the closed one', async () => {
    let dropped = 0;
    const folder = mkdtempSync(join(tmpdir(), 'twapd-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const fd = openSync(join(folder, 'log'), 'w');
    const log = openLog({ level: 'info', format: 'json', fd });
    log.listen({ onLine: () => undefined, onDropped: (lost) => (dropped += lost) });
    log.logger.info('before');
    await log.close();
    closeSync(fd);
    const other = openSync(join(folder, 'other'), 'w');
    onTestFinished(() => closeSync(other));
    expect(other).toBe(fd);
    log.logger.info('after');
    await log.flush();
    log.flushSync();
    expect(readFileSync(join(folder, 'other'), 'utf8')).toBe('');
    expect(dropped).toBe(1);
  });

  it('on a full disk lines are lost and counted, including the last ones', async () => {
    let dropped = 0;
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const log = openLog({ level: 'info', format: 'json', fd });
    log.listen({
      onLine: () => undefined,
      onDropped: (lost) => {
        dropped += lost;
      },
    });
    log.logger.info('one');
    log.logger.info('two');
    await log.flush();
    log.logger.info('three');
    log.flushSync();
    expect(dropped).toBe(3);
    await log.close();
  });

  it.each(['exit', 'throw', 'end'])(
    'every line is written if the process ends by %s',
    async (how) => {
      const { stdout } = await written(how);
      const lines = stdout.trim().split('\n');
      expect(lines).toHaveLength(200);
      for (const line of lines) expect(JSON.parse(line)).toMatchObject({ msg: 'line' });
    },
  );

  it('a destination that closes does not end the process', async () => {
    const child = spawn(process.execPath, [WRITER, 'outlive'], { stdio: ['pipe', 'pipe', 'pipe'] });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const closed = once(child, 'close');
    child.stdin.end();
    expect(await closed).toEqual([0, null]);
  });

  it.each([
    ['a socket', [process.execPath, WRITER, 'stall']],
    ['a pipe', ['sh', '-c', '"$0" "$1" stall | cat >&3', process.execPath, WRITER]],
  ])(
    'a reader that stalls for good does not keep the process from ending: %s',
    async (_, words) => {
      const [program = '', ...args] = words;
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
      onTestFinished(() => {
        child.kill();
        for (const stream of child.stdio) stream?.destroy();
      });
      // Nobody reads the log itself; what the process says about it goes another way.
      const [said] = (await once(must(child.stderr, 'is a pipe'), 'data')) as [Buffer];
      expect(said.toString()).toMatch(/^ended, lines lost: [1-9]/);
    },
  );
});

async function written(how: string): Promise<{ stdout: string }> {
  const child = spawn(process.execPath, [WRITER, how], { stdio: ['pipe', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  await once(child, 'close');
  return { stdout };
}
