import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../src/main/commands/all-commands.ts';
import { processTerminal } from '../../src/main/commands/command.ts';
import { must } from '../../src/values/assert.ts';
import { type PortfolioId, portfolioId } from '../../src/values/ids.ts';
import { perpetualBody } from '../gateway/gateway-under-test.ts';
import { nonEmpty } from '../support/non-empty.ts';
import { CliWorld, type Ran, twapd, withFills } from './cli-world.ts';
import { warmCli } from './warm-cli.ts';

/** Every way in which a command starts, prints and ends has a process of its own, by `world.run` or `twapd`; other runs share that of `warmCli`. */
let world: CliWorld;
beforeAll(async () => {
  world = await CliWorld.start();
});
afterAll(async () => {
  await world.close();
});

const run = (words: readonly string[]): Promise<Ran> =>
  warmCli.run([...words, '--url', world.gateway.url]);

function bodyFile(changes: Readonly<Record<string, unknown>> = {}): string {
  const path = join(world.folder, 'body.json');
  writeFileSync(path, JSON.stringify(perpetualBody(changes)));
  return path;
}

async function submitted(): Promise<PortfolioId> {
  const ran = await run(['submit', bodyFile(), '--json']);
  return portfolioId(String((JSON.parse(ran.out) as { portfolioId: number }).portfolioId));
}

describe('amend', () => {
  const LIMITS = ['--limit', 'bandBps=20', '--limit', 'collar=0.02'];
  const LIFTS = ['--lift', 'spreadMaxBps', '--lift', 'spreadMaxVol'];

  test('amend requests every total, limit and lifted limit it is given', async () => {
    const id = await submitted();
    const { amends } = world.gateway.operations;
    const ran = await run(['amend', id, '--quantity', '1:7000', ...LIMITS, ...LIFTS]);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(JSON.parse(JSON.stringify(amends.at(-1)))).toMatchObject({
      isPreview: true,
      form: {
        legs: [{ leg: 0, quantity: '7000' }],
        execution: { collar: '0.02', bandBps: 20, lift: ['spreadMaxBps', 'spreadMaxVol'] },
      },
    });
  });

  test('amend with only an end requests only that, and its help shows no array defaults', async () => {
    const id = await submitted();
    const ran = await run(['amend', id, '--duration', '600']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    const { form } = must(world.gateway.operations.amends.at(-1), 'what was asked');
    expect([form.legs, form.execution]).toEqual([[], undefined]);
    const help = await warmCli.run(['amend', '--help']);
    expect(help.out).toContain('--lift <limit>');
    expect(help.out).not.toMatch(/default:\s*\[/);
  });
});

describe('help and usage', () => {
  test('--help lists the commands and the exit codes', async () => {
    const { code, out } = await warmCli.run(['--help']);
    expect(code).toBe(0);
    const commands = [
      'start',
      'check',
      'plan',
      'submit',
      'list',
      'show',
      'watch',
      'cancel',
      'status',
    ];
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    for (const exit of ['0  done', '1  refused', '2  wrong usage', '3  the daemon']) {
      expect(out).toContain(exit);
    }
  });

  test('--help lists the commands in groups', async () => {
    const { out } = await warmCli.run(['--help']);
    const headings = out.match(/^\S.*:$/gm);
    expect(headings).toEqual([
      'Options:',
      'Trade:',
      'Look:',
      'Operate:',
      'Research:',
      'Help:',
      'Exit codes:',
      'Examples:',
    ]);
    const of = (heading: string) => out.split(`${heading}:\n`)[1]?.split('\n\n')[0] ?? '';
    expect(of('Trade')).toMatch(/^ {2}submit /m);
    expect(of('Look')).toMatch(/^ {2}positions /m);
    expect(of('Operate')).toMatch(/^ {2}start /m);
    expect(of('Research')).toMatch(/^ {2}backtest /m);
  });

  test('every command adds itself under the name by which it is listed', async () => {
    for (const { name, load } of ALL_COMMANDS) {
      const program = new Command();
      (await load())(program, processTerminal);
      expect(program.commands.map((command) => command.name())).toEqual([name]);
    }
  });

  test.each([
    [['help', 'list'], 'list portfolios, newest first'],
    [['list', '--help'], 'list portfolios, newest first'],
    [['help', 'rfq'], 'Usage: twapd rfq'],
  ])('%j prints the help of the command with its options', async (words, text) => {
    const { code, out } = await warmCli.run(words);
    expect([code, out.includes(text)]).toEqual([0, true]);
    expect(out).toMatch(/Options:/);
  });

  test.each([
    [{}, 'twapd'],
    [{ npm_lifecycle_event: 'twapd' }, './twapd'],
  ])(
    'with the environment %j, help shows commands as they must be typed: %s',
    async (env, called) => {
      const shown = await Promise.all(
        [['--help'], ['rfq', '--help']].map((one) => twapd(one, { env })),
      );
      const [all = '', rfq = ''] = shown.map(({ out }) => out);
      expect(all).toContain(`Usage: ${called} [options] [command]`);
      expect(all).toContain(`\n  ${called} submit strategies/demo-two-minutes.yaml`);
      expect(rfq).toContain(`Usage: ${called} rfq [options] [command]`);
      expect(rfq).toContain(`\n  ${called} rfq create buy:`);
      const typed = `${all}${rfq}`.match(/^ +(\.\/)?twapd .*/gm) ?? [];
      expect(typed.length).toBeGreaterThan(5);
      expect(typed.filter((line) => !line.startsWith(`  ${called} `))).toEqual([]);
    },
  );

  test.each([
    [['lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['watch'], "missing required argument 'id'"],
    [['list', '--limit', '0'], 'accepted: 1 to 100'],
    [['list', '--colour'], "unknown option '--colour'"],
    [['list', '--limt', '3'], "unknown option '--limt'\n(Did you mean --limit?)"],
    [
      ['list', '--key', 'nobody'],
      '--key nobody: no such key in config/paper.yaml; accepted: demo-taker',
    ],
  ])('%j is rejected as wrong usage with exit code 2', async (words, message) => {
    const { code, err } = await warmCli.run(words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('twapd without a command prints the help', async () => {
    const { code, out } = await twapd([]);
    expect([code, out.includes('Usage: twapd')]).toEqual([2, true]);
  });
});

describe('submit', () => {
  test('submit of a strategy file prints the id and how to watch it', async () => {
    const { code, out } = await world.run([
      'submit',
      'strategies/perpetual-accumulation.yaml',
      '--yes',
    ]);
    expect(code).toBe(0);
    const id = /^submitted (\d+)$/m.exec(out)?.[1];
    expect(out).toContain(`watch ${id}`);
    const form = world.gateway.operations.forms.at(-1);
    expect(form?.strategy).toBe('perpetual-accumulation');
    expect(form?.execution).toMatchObject({ phase: 0.5, endAction: 'cancel' });
  });

  test('submit of a bare body prints its mirrors', async () => {
    const { code, out } = await run(['submit', bodyFile({ sendToDummyAccountIds: [20001] })]);
    expect(code).toBe(0);
    expect(out).toMatch(/^mirrored by \d+$/m);
  });

  test('a repeated submit with the same --once key returns the first result', async () => {
    const words = ['submit', bodyFile(), '--once', 'today', '--json'];
    const first = await run(words);
    const second = await run(words);
    expect(JSON.parse(second.out)).toEqual(JSON.parse(first.out));
  });

  test("submit prints every reason of the daemon's refusal", async () => {
    const { code, err } = await run(['submit', bodyFile({ customizedNote: 'refuse me' })]);
    expect(code).toBe(1);
    expect(err).toContain('refused (code 40004)');
    expect(err).toContain('twapTrade.durationSec: is 600; accepted: 900 to 86400');
    expect(err).toContain('legs[0].quantity: is 1; accepted: at least 10');
  });

  test("the daemon's refusal names file, line and column of each field", async () => {
    const path = join(world.folder, 'refused.yaml');
    const { legs, ...rest } = perpetualBody({ customizedNote: 'refuse me' });
    const lines = [
      'name: refused-strategy',
      'portfolio:',
      ...Object.entries(rest).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`),
      `  legs: ${JSON.stringify(legs)}`,
    ];
    writeFileSync(path, `${lines.join('\n')}\n`);
    const placeOf = (line: number, text: string) =>
      `refused.yaml:${line + 1}:${must(lines[line], 'the line').indexOf(text) + 1}`;
    const schedule = lines.findIndex((line) => line.includes('durationSec'));
    for (const words of [
      ['submit', path],
      ['submit', path, '--yes'],
    ]) {
      const { code, err } = await run(words);
      expect(code).toBe(1);
      const first = placeOf(schedule, '"durationSec"');
      const second = placeOf(lines.length - 1, '"quantity"');
      expect(err).toContain(`${first} portfolio.twapTrade.durationSec: is 600; accepted`);
      expect(err).toContain(`${second} portfolio.legs[0].quantity: is 1; accepted`);
    }
  });

  test('submit does not send a file with faults', async () => {
    const before = world.gateway.operations.forms.length;
    const path = join(world.folder, 'broken.yaml');
    writeFileSync(path, 'accountId: 10001\nportfolioType: TWAP\nlegs: []\n');
    const { code, err } = await run(['submit', path]);
    expect(code).toBe(1);
    expect(err).toContain('broken.yaml:3:1 legs: has 0 entries');
    expect(world.gateway.operations.forms).toHaveLength(before);
  });

  test('submit with a read-only key is refused', async () => {
    const { code, err } = await run(['submit', bodyFile(), '--key', 'demo-reader']);
    expect(code).toBe(1);
    expect(err).toContain('refused (code 40301)');
  });
});

describe('plan', () => {
  test('plan shows legs and slices, and submits nothing', async () => {
    const records = world.gateway.operations.records.size;
    const { code, out } = await run(['plan', bodyFile()]);
    expect(code).toBe(0);
    expect(out).toMatch(/start +2026-04-20 06:06:55 UTC +end 2026-04-20 06:08:55 UTC +\(02:00\)/);
    expect(out).toMatch(/^ +1 +BUY +BTC-PERPETUAL +10000 +2$/m);
    expect(out).toMatch(/^06:07:55\.780 +01:00 +1 +BTC-PERPETUAL +2 +5000 +10000$/m);
    expect(out).toContain('2 slices; nothing was sent');
    expect(world.gateway.operations.records.size).toBe(records);
  });

  test('plan --json prints the slices as JSON', async () => {
    const { out } = await run(['plan', bodyFile(), '--json']);
    expect(JSON.parse(out)).toMatchObject({ slices: [{ quantity: '5000' }, { quantity: '5000' }] });
  });
});

describe('list, show, status', () => {
  test('list shows portfolios with time, status and progress, and honours --limit', async () => {
    const id = await submitted();
    const { code, out } = await run(['list']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^${id} +10001 +2026-04-20 06:06:55 +ACTIVE +0\\.0 % +1`, 'm'));
    const json = await run(['list', '--json', '--limit', '3']);
    expect((JSON.parse(json.out) as { values: unknown[] }).values).toHaveLength(3);
  });

  test('list --status takes the name of a status or its number, and refuses others', async () => {
    const id = await submitted();
    for (const status of ['active', 'ACTIVE', '1']) {
      expect((await run(['list', '--status', status])).out).toContain(id);
    }
    for (const status of ['filled', '2']) {
      expect((await run(['list', '--status', status])).out).not.toContain(id);
    }
    const { code, err } = await run(['list', '--status', 'done']);
    expect([code, err]).toEqual([2, expect.stringContaining('active, filled, cancelled')]);
  });

  test('list of an account without portfolios prints "no portfolios"', async () => {
    const { code, out } = await run(['list', '--key', 'demo-maker']);
    expect([code, out]).toEqual([0, 'no portfolios\n']);
  });

  test('show prints every decimal unrounded', async () => {
    const id = await submitted();
    world.move(id, 'PORTFOLIO_PART_FILLED', withFills('1230', '8770'));
    const { code, out } = await run(['show', id]);
    expect(code).toBe(0);
    expect(out).toMatch(/BUY +BTC-PERPETUAL +1230 +10000 +USD +12\.3 % +61203\.5/);
    const json = await run(['show', id, '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      portfolioId: id,
      legs: [{ filledQuantity: '1230' }],
    });
  });

  test('status prints ready, or the reasons with exit code 1', async () => {
    const ready = await run(['status']);
    expect(ready.code).toBe(0);
    expect(ready.out).toContain(`${world.gateway.url} ready`);
    world.gateway.notReady = ['recovering 3 portfolios'];
    const not = await world.run(['status', '--json']);
    world.gateway.notReady = [];
    expect(not.code).toBe(1);
    expect(JSON.parse(not.out)).toMatchObject({
      ready: false,
      reasons: ['recovering 3 portfolios'],
      portfolios: { active: expect.any(Number) },
    });
  });
});

describe('cancel', () => {
  test('cancel cancels a portfolio, and a second cancel is refused', async () => {
    const id = await submitted();
    expect(await run(['cancel', id])).toMatchObject({ code: 0 });
    const again = await run(['cancel', id]);
    expect(again.code).toBe(1);
    expect(again.err).toContain('refused (code 40901)');
  });

  test.each(['12', 'abc', '99999999999999999999'])(
    'cancel of the non-existent portfolio %s fails',
    async (id) => {
      const { code } = await run(['cancel', id]);
      expect(code).toBe(1);
    },
  );

  test('cancel-all cancels the portfolios of every account of the key, or of one account', async () => {
    const { cancelAlls } = world.gateway.operations;
    expect((await run(['cancel-all'])).code).toBe(0);
    expect(cancelAlls.splice(0).map((one) => one.filter.account)).toEqual(['10001', '20001']);
    const one = await run(['cancel-all', '--account', '10001', '--coin', 'BTC', '--json']);
    expect(JSON.parse(one.out)).toEqual({ accounts: ['10001'], cancelling: true });
    expect(cancelAlls.splice(0)).toMatchObject([
      { filter: { account: '10001', coinOrSymbol: 'BTC' } },
    ]);
    const foreign = await run(['cancel-all', '--account', '10002']);
    expect(foreign.code).toBe(1);
  });
});

describe('watch', () => {
  /** Runs the next step each time the watcher has printed the expected text. */
  const steps = (awaited: readonly (readonly [string, () => void])[]) => {
    let at = 0;
    return (out: string): void => {
      const next = awaited[at];
      if (next === undefined || !out.includes(next[0])) return;
      at += 1;
      next[1]();
    };
  };

  test('watch prints a line per change and ends when the portfolio ends', async () => {
    const id = await submitted();
    const move = (filled: string, remaining: string) => () =>
      world.move(id, 'PORTFOLIO_SLICE', withFills(filled, remaining));
    const listening = () => {
      setTimeout(move('4000', '6000'), 300);
    };
    const { code, out } = await world.run(
      ['watch', id],
      steps([
        ['ACTIVE', listening],
        ['4000 of 10000', move('10000', '0')],
      ]),
    );
    expect(code).toBe(0);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^[\d:.]+ /, ''));
    expect(lines).toEqual([
      'leg 1 BUY BTC-PERPETUAL: 0 of 10000 USD (0.0 %)',
      `portfolio ${id} ACTIVE`,
      'leg 1 BUY BTC-PERPETUAL: 4000 of 10000 USD (40.0 %) at 61203.5',
      'leg 1 BUY BTC-PERPETUAL: 10000 of 10000 USD (100 %) at 61203.5',
      `portfolio ${id} FILLED (filled)`,
    ]);
  });

  test('watch of an ended portfolio prints it and ends', async () => {
    const id = await submitted();
    world.move(id, 'PORTFOLIO_FILLED', withFills('10000', '0'));
    const { code, out } = await run(['watch', id, '--json']);
    expect(code).toBe(0);
    const records = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { portfolioStatus: number });
    expect(records.map((record) => record.portfolioStatus)).toEqual([2]);
  });

  test('watch of an unknown portfolio is refused', async () => {
    const { code, err } = await run(['watch', '77']);
    expect(code).toBe(1);
    expect(err).toContain('refused (code 40401)');
  });

  test('watch survives a daemon that goes away, and gives up after --wait', async () => {
    const own = await CliWorld.start();
    const form = world.gateway.operations.forms.at(-1);
    if (form === undefined) throw new Error('nothing was submitted');
    const outcome = await own.gateway.operations.submit(form, { uid: '1', nickname: 'x' });
    const id = outcome.kind === 'done' ? outcome.value.portfolio : portfolioId('0');
    const leave = () => {
      setTimeout(() => void own.gateway.close(), 300);
    };
    const { code, err } = await own.run(['watch', id, '--wait', '1'], steps([['ACTIVE', leave]]));
    await own.close();
    expect(code).toBe(3);
    expect(err).toContain('waiting for it');
  });
});

describe('a daemon that does not run', () => {
  test.each([
    ['list'],
    ['status', '--json'],
    ['show', '1'],
    ['watch', '1'],
    ['cancel', '1'],
    ['plan', 'strategies/perpetual-accumulation.yaml'],
    ['submit', 'strategies/perpetual-accumulation.yaml', '--yes'],
  ])('%s fails with exit code 3 if no daemon is running', async (...words) => {
    const { code, out, err } = await warmCli.run([...words, '--url', 'http://127.0.0.1:9']);
    expect(code).toBe(3);
    expect(out).toBe('');
    expect(err).toContain('the daemon does not answer: http://127.0.0.1:9');
  });
});

describe('check', () => {
  test('check passes for both shipped configuration files', async () => {
    for (const config of ['config/paper.yaml', 'config/deribit.yaml']) {
      const { code, out, err } = await warmCli.run(['check', '--offline', '--config', config]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain(`✓ ${config}`);
    }
  });

  test('check reads the file named by TWAPD_CONFIG unless --config is given', async () => {
    const env = { TWAPD_CONFIG: 'config/deribit.yaml' };
    expect((await twapd(['check', '--offline'], { env })).out).toContain('✓ config/deribit.yaml');
    const words = ['check', '--offline', '--config', 'config/paper.yaml'];
    expect((await warmCli.run(words, { env })).out).toContain('✓ config/paper.yaml');
  });

  test('check explains every fault of configuration and strategies at once', async () => {
    const config = join(world.folder, 'bad.yaml');
    writeFileSync(config, 'service: { port: x }\n');
    const strategies = world.folder;
    writeFileSync(join(strategies, 'one.yaml'), 'name: one\nportfolio: { accountId: 1 }\n');
    const words = ['check', '--config', config, '--strategies', strategies];
    const { code, err } = await warmCli.run(words);
    expect(code).toBe(1);
    expect(err).toContain('bad.yaml:1:12 service.port: is "x"; accepted: a whole number');
    expect(err).toContain('one.yaml:2:1 portfolio.legs: is missing');
    const json = await warmCli.run([...words, '--json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, faults: expect.any(Array) });
  });

  test('check detects a strategy that does not fit its configuration', async () => {
    const { code, err } = await warmCli.run([
      'check',
      '--config',
      'config/deribit.yaml',
      '--strategies',
      'strategies',
    ]);
    expect(code).toBe(1);
    expect(err).toContain('portfolio.accountId: is 10001; accepted: 30001');
    expect(err).toContain('portfolio.twapTrade.durationSec: 120 is out of range');
  });
});

describe('start', () => {
  test('start refuses real money before it fetches secrets, unless --live is typed', async () => {
    const config = join(world.folder, 'live.yaml');
    const shipped = readFileSync('config/deribit.yaml', 'utf8');
    writeFileSync(config, shipped.replace('environment: test', 'environment: production'));
    const { code, err } = await twapd(['start', '--config', config]);
    expect(code).toBe(1);
    expect(err).toBe(
      `${config} venues.deribit.environment: is production, which trades real money; accepted: start with --live, or environment: test\n`,
    );
    // Neither a variable nor an option of the file stands in for the word.
    const env = { TWAPD_LIVE: 'true', LIVE: '1' };
    expect((await warmCli.run(['start', '--config', config], { env })).err).toBe(err);
    writeFileSync(config, `live: true\n${readFileSync(config, 'utf8')}`);
    expect((await warmCli.run(['start', '--config', config])).err).toContain('live: unknown key');
  });

  test('with --live a start continues to fetch the secrets, which are then missing', async () => {
    const config = join(world.folder, 'live.yaml');
    const shipped = readFileSync('config/deribit.yaml', 'utf8');
    writeFileSync(config, shipped.replace('environment: test', 'environment: production'));
    const env = { TWAPD_PORT: '0' };
    const { code, err } = await warmCli.run(['start', '--live', '--config', config], { env });
    expect(code).toBe(1);
    expect(err).toContain('names the environment variable DERIBIT_CLIENT_ID, which is not set');
    expect(err).not.toContain('--live');
  });

  test('start refuses the published keys on a non-loopback address', async () => {
    const { code, err } = await warmCli.run(['start'], { env: { TWAPD_HOST: '0.0.0.0' } });
    expect(code).toBe(1);
    expect(err).toContain(
      'TWAPD_HOST service.host: is "0.0.0.0", and a published demo key is configured',
    );
  });
});

describe('schema', () => {
  test('schema writes its files, and a second run finds them up to date', async () => {
    const out = ['--out', world.folder];
    expect((await warmCli.run(['schema', '--check', ...out])).code).toBe(1);
    expect((await twapd(['schema', ...out])).out).toContain('wrote config/config.schema.json');
    expect((await warmCli.run(['schema', '--check', ...out])).code).toBe(0);
  });
});

test('no command prints a secret of the configuration', async () => {
  const ran = await Promise.all([
    warmCli.run(['check', '--json', '--offline']),
    twapd(['list', '--url', 'http://127.0.0.1:9']),
    warmCli.run(['check', '--offline', '--config', 'config/deribit.yaml'], {
      env: { TWAPD_KEY_SECRET: 'hunter2', DERIBIT_CLIENT_SECRET: 'hunter2' },
    }),
  ]);
  for (const { out, err } of nonEmpty(ran)) expect(out + err).not.toMatch(/hunter2|dHdhcGQt/);
});
