// Foreign text never controls the operator's terminal: every command, including `watch` and `top`, is run
// against a daemon with hostile text in every field.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../src/main/commands/all-commands.ts';
import { processTerminal } from '../../src/main/commands/command.ts';
import { lineLog } from '../adapters/telemetry/line-log.ts';
import { perpetualBody } from '../gateway/gateway-under-test.ts';
import { type Captured, captured } from './captured-terminal.ts';
import { expectHarmless } from './expect-harmless.ts';
import { HOSTILE, type HostileDaemon, startHostileDaemon } from './hostile-daemon.ts';

let daemon: HostileDaemon;
const folder = mkdtempSync(join(tmpdir(), 'twapd-hostile-'));
const BODY = join(folder, 'body.json');
beforeAll(async () => {
  daemon = await startHostileDaemon();
  writeFileSync(BODY, JSON.stringify(perpetualBody()));
});
afterEach(() => daemon.refuse(false));
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

const LEG = 'buy:1:BTC-PERPETUAL';
const ORDER = ['-a', '1', '--instrument', 'X', '--side', 'buy', '--quantity', '1', '-r', 'why'];
/** The arguments of each command that calls the daemon. */
const ASKING: Readonly<Record<string, readonly string[]>> = {
  check: [BODY],
  plan: [BODY],
  submit: [BODY],
  list: [],
  show: ['1'],
  report: ['1'],
  'report compare': ['1', '2'],
  watch: ['1'],
  top: ['--once'],
  positions: [],
  account: [],
  orders: [],
  fills: [],
  quote: ['BTC-PERPETUAL'],
  chain: ['BTC'],
  instruments: [],
  amend: ['1', '--duration', '60'],
  pause: ['1'],
  resume: ['1'],
  cancel: ['1'],
  'cancel-all': [],
  switch: [],
  'override list': [],
  'override ask': ['--control', 'collar', ...ORDER],
  'override grant': ['1'],
  'rfq create': [LEG],
  'rfq list': [],
  'rfq quotes': [],
  'rfq trades': [],
  'rfq makers': [],
  'rfq instruments': [],
  'rfq quote': ['7', '--buy', '1'],
  'rfq trade': ['7', '--buy'],
  'rfq cancel': ['7'],
  status: [],
  queues: [],
  open: ['--sessions'],
};
/** Commands that show no foreign text from a daemon; the contents of their files are tested below. */
const NOT_ASKING = [
  'init',
  'start',
  'engine',
  'gateway',
  'exchange',
  'backtest',
  'completion',
  'ledger key',
  'notify test',
  'record',
  'rehearse',
  'schema',
];
/** These read the ledger's database and are tested in hostile-ledger.service.test.ts. */
const OF_THE_LEDGER = [
  'keys create',
  'keys list',
  'keys rotate',
  'keys revoke',
  'actions',
  'audit',
  'export events',
  'export fills',
  'export slices',
  'export children',
  'export portfolios',
  'export legs',
  'notify status',
  'ledger status',
  'ledger unaccounted',
  'archive restore',
  'backup verify',
  'restore',
  'reconcile',
];
/** Reads a live venue and is tested in judge-venue.test.ts. */
const OF_A_VENUE = ['doctor'];
/** Followed over a socket until the daemon closes it. */
const STREAMS = ['rfq watch'];

/** Full names of all commands that do something. */
function leaves(command: Command, before = ''): readonly string[] {
  return command.commands.flatMap((one) => {
    const name = `${before}${one.name()}`;
    // With arguments of its own a command does something besides its subcommands.
    const own = one.commands.length === 0 || one.registeredArguments.length > 0 ? [name] : [];
    return [...own, ...leaves(one, `${name} `)];
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: movements and colours begin with one.
const OWN_MOVEMENTS = /\u001b\[\d*[AHJK]|\u001b\[\?(?:1049|25)[hl]|\r\n/g;
const run = (name: string, ...more: readonly string[]): Promise<Captured> =>
  captured([...name.split(' '), ...(ASKING[name] ?? []), ...more, '--url', daemon.url]);

describe('foreign text on the terminal', () => {
  test('every command is covered by these tests', async () => {
    const program = new Command();
    for (const { load } of ALL_COMMANDS) (await load())(program, processTerminal);
    const known = [
      ...Object.keys(ASKING),
      ...NOT_ASKING,
      ...OF_THE_LEDGER,
      ...OF_A_VENUE,
      ...STREAMS,
    ];
    expect(known.length).toBeGreaterThan(30);
    expect(leaves(program).toSorted()).toEqual(known.toSorted());
  });

  test.each(Object.keys(ASKING))('%s prints foreign text as visible escapes', async (name) => {
    const { code, out, err } = await run(name);
    expect([code, err]).toEqual([name === 'status' ? 1 : 0, '']);
    expectHarmless(out);
    expect(daemon.unknown).toEqual([]);
  });

  test('what many portfolios cost prints foreign text as visible escapes', async () => {
    const { code, out } = await captured(['report', '--account', '1', '--url', daemon.url]);
    expect(code).toBe(0);
    expect(out).toContain('worst legs');
    expectHarmless(out);
  });

  const SHOWN = [
    'list',
    'show',
    'report',
    'watch',
    'top',
    'plan',
    'submit',
    'amend',
    'switch',
    'status',
  ];
  const BLOTTER = ['positions', 'account', 'orders', 'fills', 'quote', 'chain', 'instruments'];
  const SHOWN_TOO = ['override list', 'rfq list', 'rfq quotes', 'rfq trades', 'rfq makers'];
  /** No column is left out. */
  const wide = (name: string): Promise<Captured> =>
    captured([...name.split(' '), ...(ASKING[name] ?? []), '--url', daemon.url], {
      columns: 2_000,
    });
  test.each([...SHOWN, ...BLOTTER, ...SHOWN_TOO])('%s does print foreign text', async (name) => {
    expect((await wide(name)).out).toContain('EVIL\\x1b[2J');
  });

  test.each(Object.keys(ASKING))('%s prints refusals as visible escapes', async (name) => {
    daemon.refuse(true);
    const { out, err } = await run(name);
    expectHarmless(out);
    expectHarmless(err);
  });

  test.each(Object.keys(ASKING).filter((name) => name !== 'watch'))(
    '%s --json prints JSON that is safe on a terminal',
    async (name) => {
      const { out } = await run(name, '--json');
      expectHarmless(out);
      expect(() => JSON.parse(out)).not.toThrow();
    },
  );

  test.each(BLOTTER)('%s --csv prints foreign text as visible escapes', async (name) => {
    const { code, out } = await run(name, '--csv');
    expect(code).toBe(0);
    expect(out).toContain('EVIL\\x1b[2J');
    expectHarmless(out);
  });

  test('show --json and watch --json preserve every text exactly', async () => {
    const { out } = await run('show', '--json');
    expect(JSON.parse(out)).toMatchObject({ customizedNote: HOSTILE, strategy: HOSTILE });
    const watched = await run('watch', '--json');
    expectHarmless(watched.out);
    expect(JSON.parse(watched.out)).toMatchObject({ reason: HOSTILE });
  });

  test('rfq watch prints foreign text as visible escapes, including the reason why the connection ends', async () => {
    const { code, out, err } = await run('rfq watch');
    expect(code).toBe(3);
    for (const shown of ['RFQ 7', 'asked 9', 'quote 8']) expect(out).toContain(shown);
    expect(out.split('EVIL\\x1b[2J').length).toBeGreaterThan(5);
    expect(err).toContain('the connection ended: EVIL\\x1b[2J');
    expectHarmless(out);
    expectHarmless(err);
  });

  test('rfq watch --json prints lines of JSON that are safe on a terminal', async () => {
    const { out } = await run('rfq watch', '--json');
    expectHarmless(out);
    const told = out.trimEnd().split('\n');
    expect(told).toHaveLength(4);
    expect(JSON.parse(told[1] ?? '')).toMatchObject({ data: { closedReason: HOSTILE } });
  });

  test('rfq watch prints refusals as visible escapes', async () => {
    daemon.refuse(true);
    const { code, out, err } = await run('rfq watch');
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('EVIL\\x1b[2J');
    expectHarmless(err);
  });

  test.each(['pretty', 'json'] as const)(
    'log lines in %s format show foreign text as escapes',
    async (format) => {
      const { logger, text } = lineLog('info', { format, fields: { deployment: HOSTILE } });
      const error = Object.assign(new Error(HOSTILE, { cause: new Error(HOSTILE) }), {
        code: HOSTILE,
      });
      logger.info({ label: HOSTILE, [HOSTILE]: 1, legs: [{ instrument: HOSTILE }] }, HOSTILE);
      logger.error({ err: error, reason: HOSTILE }, HOSTILE);
      const shown = await text();
      expect(shown).toContain(format === 'json' ? 'EVIL\\u001b[2J' : 'EVIL\\x1b[2J');
      expectHarmless(shown);
    },
  );

  test('watch draws foreign text as visible escapes', async () => {
    const { code, out } = await captured(['watch', '1', '--url', daemon.url], { isLive: true });
    expect(code).toBe(0);
    expect(out).toContain('EVIL\\x1b[2J');
    expectHarmless(out.replace(OWN_MOVEMENTS, ''));
  });

  test('top draws foreign text as visible escapes', async () => {
    const drawn = captured(['top', '--url', daemon.url], { isLive: true });
    const quit = setInterval(() => process.stdin.emit('data', Buffer.from('q')), 200);
    const { code, out } = await drawn.finally(() => clearInterval(quit));
    expect(code).toBe(0);
    expectHarmless(out.replace(OWN_MOVEMENTS, ''));
  });

  test('hostile arguments are repeated as visible escapes', async () => {
    for (const words of [
      [HOSTILE],
      ['list', `--${HOSTILE}`],
      ['show', HOSTILE],
      ['plan', HOSTILE],
    ]) {
      const { out, err } = await captured([...words, '--url', 'http://127.0.0.1:9']);
      expectHarmless(out);
      expectHarmless(err);
    }
  });

  test('check prints file names and contents as visible escapes', async () => {
    const strategies = join(folder, 'strategies');
    mkdirSync(strategies);
    const name = HOSTILE.replaceAll('\ud800', '');
    writeFileSync(
      join(strategies, `${name}.yaml`),
      JSON.stringify({ name: HOSTILE, [HOSTILE]: 1 }),
    );
    const { code, out, err } = await captured(['check', '--strategies', strategies]);
    expect(code).toBe(1);
    expect(err).toContain('EVIL\\x1b[2J');
    expectHarmless(out);
    expectHarmless(err);
  });

  test('record prints names of instruments, exchanges and folders as visible escapes', async () => {
    const name = HOSTILE.replaceAll('\ud800', '');
    const unlisted = await captured(['record', '--instruments', name, '--to', join(folder, name)]);
    expect(unlisted.code).toBe(2);
    expect(unlisted.err).toContain('EVIL\\u001b[2J');
    const from = ['record', '--instruments', 'BTC-PERPETUAL', '--for', '1s'];
    const recorded = await captured([...from, '--to', join(folder, `${name}-2`)]);
    expect([recorded.code, recorded.out]).toEqual([0, expect.stringContaining('EVIL\\x1b[2J')]);
    for (const { out, err } of [unlisted, recorded]) expectHarmless(out + err);
  });
});
