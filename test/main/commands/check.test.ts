// `check` of files and folders, with and without a daemon to ask.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perpetualBody } from '../../gateway/gateway-under-test.ts';
import { captured } from '../captured-terminal.ts';
import { CliWorld } from '../cli-world.ts';

let world: CliWorld;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-check-'));
  world = await CliWorld.start();
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const offline = (...words: readonly string[]) =>
  captured(['check', '--offline', ...words], { columns: 160 });
const asked = (...words: readonly string[]) =>
  captured(['check', ...words, '--url', world.gateway.url], { columns: 160 });

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const strategy = (
  name: string,
  changes: Readonly<Record<string, unknown>> = {},
  frame = '',
): string =>
  file(
    `${name}.yaml`,
    `name: ${name}\n${frame}portfolio: ${JSON.stringify(perpetualBody(changes))}\n`,
  );

const optionNamed = (instrument: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  ...changes,
  legs: [
    {
      instrument,
      instrumentType: 'OPTION',
      side: 1,
      quantity: '1',
      priceOptions: { priceType: 'MARKET' },
    },
  ],
});

describe('files and folders', () => {
  test('each file is read by its kind, and the table has a row for each', async () => {
    const body = file('body.json', JSON.stringify(perpetualBody()));
    const { code, out, err } = await offline(
      strategy('one'),
      body,
      'config/deribit.yaml',
      'strategies/holidays/england.yaml',
    );
    expect([code, err]).toEqual([0, '']);
    for (const [path, kind] of [
      [join(folder, 'one.yaml'), 'strategy'],
      [body, 'submit body'],
      ['config/deribit.yaml', 'configuration'],
      ['strategies/holidays/england.yaml', 'holidays'],
    ]) {
      expect(out).toMatch(new RegExp(`^✓ ${path}\\s+${kind}\\s+0 `, 'm'));
    }
  });

  test('a folder stands for its .yaml files, and a name may stand in it once', async () => {
    const inner = join(folder, 'several');
    mkdirSync(inner);
    for (const name of ['a', 'b']) {
      const text = `name: same\nportfolio: ${JSON.stringify(perpetualBody())}\n`;
      writeFileSync(join(inner, `${name}.yaml`), text);
    }
    writeFileSync(join(inner, 'notes.txt'), 'nothing');
    const { code, out, err } = await offline(inner);
    expect(code).toBe(1);
    expect(out).toContain(`✓ ${join(inner, 'a.yaml')}`);
    expect(out).toContain(`✗ ${join(inner, 'b.yaml')}`);
    expect(out).not.toContain('notes.txt');
    expect(err).toContain(`b.yaml name: repeats "same" of ${join(inner, 'a.yaml')}`);
  });

  test('a fault of one file is no fault of the others, and the exit code is 1', async () => {
    const { code, out, err } = await offline(
      strategy('good'),
      join(folder, 'none.yaml'),
      strategy('foreign', { accountId: '99999' }),
    );
    expect(code).toBe(1);
    expect(out).toMatch(/✓ \S+good\.yaml/);
    expect(err).toContain('none.yaml: cannot be read (ENOENT)');
    expect(err).toMatch(/foreign\.yaml:2:\d+ portfolio\.accountId: is 99999; accepted: 10001/);
    expect(err).toContain('2 faults');
  });
});

describe('instruments with a date, without a daemon', () => {
  test('an option is expired from 08:00 UTC of its day on', async () => {
    const { code, err } = await offline(strategy('expired', optionNamed('BTC-25DEC20-20000-C')));
    expect(code).toBe(1);
    expect(err).toContain(
      'portfolio.legs[0].instrument: is "BTC-25DEC20-20000-C", which expired on 2020-12-25 08:00 UTC; accepted',
    );
  });

  test('one that expires before its portfolio starts or ends is a fault; one that trades until the end is none', async () => {
    const startTimestamp = Date.UTC(2098, 5, 1, 7, 50);
    const of = (durationSec: number, day: string) =>
      optionNamed(`BTC-${day}98-20000-C`, {
        twapTrade: { startTimestamp, durationSec, frequencySec: 60 },
      });
    expect((await offline(strategy('until', of(600, '1JUN')))).err).not.toContain('expires');
    expect((await offline(strategy('after', of(900, '1JUN')))).err).toContain(
      'expires on 2098-06-01 08:00 UTC, before the end on 2098-06-01 08:05 UTC',
    );
    expect((await offline(strategy('earlier', of(600, '31MAY')))).err).toContain(
      'expires on 2098-05-31 08:00 UTC, before the start on 2098-06-01 07:50 UTC',
    );
  });
});

describe('a daemon', () => {
  test('a daemon is asked about each file, and its refusals have file, line and column', async () => {
    const { code, out, err } = await asked(
      strategy('fine'),
      strategy('refused', { accountId: '10002', customizedNote: 'refuse me' }),
    );
    expect(out).toMatch(/✓ \S+fine\.yaml +\S+ +0 +asked/);
    expect(code).toBe(1);
    expect(err).toMatch(/refused\.yaml:2:\d+ portfolio\.legs\[0\]\.quantity: is 1; accepted/);
  });

  test('nothing is submitted by being checked', async () => {
    const before = world.gateway.operations.records.size;
    await asked(strategy('unsent'));
    expect(world.gateway.operations.records.size).toBe(before);
  });

  test('a daemon that does not answer is no fault of a file, and what was not checked is said', async () => {
    const { code, out, err } = await captured([
      'check',
      strategy('alone'),
      '--url',
      'http://127.0.0.1:9',
    ]);
    expect([code, err]).toEqual([3, '']);
    expect(out).toContain(
      'not checked: instruments, sizes and limits of 1 file (no daemon answers at http://127.0.0.1:9)',
    );
  });

  test('no daemon is asked with --offline, as the JSON says too', async () => {
    const { code, out } = await offline(strategy('quiet'), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      files: [{ kind: 'strategy', asked: false, notAsked: '--offline', faults: 0 }],
      strategies: [{ name: 'quiet', enabled: true }],
    });
  });
});
