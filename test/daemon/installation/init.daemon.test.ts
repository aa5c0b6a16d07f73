// `twapd init` writes what the daemon starts from: run as people run it, then started, traded on, and refused a second time.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../adapters/until.ts';
import { type Ran, twapd } from '../../main/cli-world.ts';
import { type Daemon, startDaemon } from '../../support/daemon/daemon-process.ts';

interface Page {
  readonly values: readonly { readonly legs: readonly { readonly filledQuantity: string }[] }[];
}

let home: string;
let folder: string;
let wrote: Ran;
let daemon: Daemon | undefined;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'twapd-init-'));
  // A name that YAML, shells and patterns would each read differently if it were pasted in.
  folder = join(home, `a "desk's" $& #1`);
  wrote = await twapd(['init', folder]);
});
afterAll(async () => {
  await daemon?.end('SIGTERM');
  rmSync(home, { recursive: true, force: true });
});

const at = (path: string): string => join(folder, path);
const modeOf = (path: string): string => (statSync(at(path)).mode & 0o777).toString(8);

test('what was written is named, with the commands that come next', () => {
  expect([wrote.code, wrote.err]).toEqual([0, '']);
  for (const path of ['config.yaml', 'strategies/first.yaml', 'secrets/desk.secret']) {
    expect(wrote.out).toContain(`wrote ${at(path)}`);
  }
  expect(wrote.out).toMatch(/export TWAPD_CONFIG=.*\n.*check.*\n.*start/);
});

test('only the owner can read secrets, and no secret is in the configuration', () => {
  expect(modeOf('secrets')).toBe('700');
  const config = readFileSync(at('config.yaml'), 'utf8');
  for (const name of ['desk.secret', 'keys.secret', 'metrics.token']) {
    expect(modeOf(`secrets/${name}`)).toBe('600');
    expect(config).not.toContain(readFileSync(at(`secrets/${name}`), 'utf8').trim());
  }
});

test('two installations share neither secrets nor the name in order labels', async () => {
  const other = join(home, 'other');
  await twapd(['init', other]);
  for (const name of ['secrets/desk.secret', 'secrets/keys.secret', 'config.yaml']) {
    const texts = [folder, other].map((of) => readFileSync(join(of, name), 'utf8'));
    expect(new Set(texts).size).toBe(2);
  }
});

test('check finds no fault in it', async () => {
  const checked = await twapd(['check', '--config', at('config.yaml')]);
  expect([checked.code, checked.err]).toEqual([0, '']);
});

test('a second init in the folder is refused and changes nothing', async () => {
  writeFileSync(at('strategies/first.yaml'), 'mine');
  rmSync(at('config.schema.json'));
  const again = await twapd(['init', folder]);
  expect(again.code).toBe(1);
  expect(again.err).toContain(`${at('config.yaml')} exists and is not overwritten`);
  expect(again.out).toBe('');
  expect(readFileSync(at('strategies/first.yaml'), 'utf8')).toBe('mine');
  expect(() => statSync(at('config.schema.json'))).toThrow('ENOENT');
});

test('a folder that cannot be made is named with the reason', async () => {
  const refused = await twapd(['init', join(at('config.yaml'), 'below')]);
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(/config\.yaml.* cannot be written \(ENOTDIR\)/);
});

test('the daemon starts from it, and the first strategy can be submitted and fills', async () => {
  const fresh = join(home, 'fresh');
  await twapd(['init', fresh]);
  const configPath = join(fresh, 'config.yaml');
  const dataDir = join(fresh, 'data');
  const strategies = join(fresh, 'strategies');
  daemon = await startDaemon(
    { folder: fresh, configPath, dataDir, strategies, remove: () => undefined },
    { TWAPD_PORT: '0' },
  );
  const { url } = daemon;
  const run = (...words: readonly string[]): Promise<Ran> =>
    twapd([...words, '--config', configPath, '--url', url]);
  await until(async () => (await run('status')).code === 0);
  const file = join(strategies, 'first.yaml');
  expect((await run('plan', file)).code).toBe(0);
  await until(async () => (await run('submit', file, '--yes')).code === 0);
  await until(async () => {
    const { out } = await run('list', '--json');
    const found = JSON.parse(out) as Page;
    return found.values.some(({ legs }) => legs.some((leg) => Number(leg.filledQuantity) > 0));
  });
});
