// Runs the examples against a gateway, as a user who copies them would.
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { must } from '../../src/values/assert.ts';
import { typedMethodsProgram } from './client/typed-methods-program.ts';
import { GatewayUnderTest, TAKER } from './gateway-under-test.ts';

const run = promisify(execFile);
let gateway: GatewayUnderTest;
let folder: string;

beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
  // The programs sign with the machine's clock.
  gateway.nowMs = Date.now();
  folder = mkdtempSync(join(tmpdir(), 'twapd-examples-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway.close();
});

const env = { ...process.env, TWAPD_KEY: TAKER.id, TWAPD_SECRET: TAKER.secret };

it.each([
  ['Node', process.execPath, 'examples/submit.mjs'],
  ['Python', 'python3', 'examples/submit.py'],
])(
  'the example in plain %s submits a portfolio and reads it back',
  async (_what, program, file) => {
    const { stdout } = await run(program, [file, gateway.url], { env });
    const [id] = gateway.operations.records.keys();
    expect(stdout.trim()).toBe(`portfolio ${id} has status 1, 0 filled`);
    expect(gateway.operations.forms).toHaveLength(1);
  },
);

it.each([
  ['Node', process.execPath, 'examples/submit.mjs'],
  ['Python', 'python3', 'examples/submit.py'],
])(
  'the example in plain %s prints only the reason when it is refused',
  async (_what, program, file) => {
    const stranger = { ...env, TWAPD_KEY: 'nobody' };
    const failure = await run(program, [file, gateway.url], { env: stranger }).catch(
      (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
    );
    expect(failure).toMatchObject({ code: 1, stdout: '' });
    expect(failure.stderr.trim()).toMatch(/^[^\n]*signature[^\n]*$/);
    expect(gateway.operations.forms).toHaveLength(0);
  },
);

it.each(['examples/submit.mjs', 'examples/submit.py'])('%s has at most thirty lines', (file) => {
  expect(readFileSync(file, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(30);
});

/** Packs the project with `npm pack` and installs it where a program finds it as a dependency. */
async function packed(): Promise<void> {
  const source = join(folder, 'source');
  mkdirSync(source);
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'README.md',
  ]) {
    cpSync(name, join(source, name));
  }
  for (const name of ['src', 'config', 'strategies', 'docs']) {
    cpSync(name, join(source, name), { recursive: true });
  }
  // The same code and declarations come out; whether the types are right is for `npm run check`, and costs most of a build.
  const build = join(source, 'tsconfig.build.json');
  const { compilerOptions, ...rest } = JSON.parse(readFileSync(build, 'utf8'));
  const unchecked = { ...rest, compilerOptions: { ...compilerOptions, noCheck: true } };
  writeFileSync(build, JSON.stringify(unchecked));
  symlinkSync(resolve('node_modules'), join(source, 'node_modules'));
  const offline = { ...env, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  await run('npm', ['pack', '--pack-destination', folder], { cwd: source, env: offline });
  const tarball = must(
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
    'a package',
  );
  const place = join(folder, 'node_modules/twapd');
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', place]);
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
}

it("a program with the packed package's client submits, watches, and resumes where it left off", async () => {
  await packed();
  const cli = join(folder, 'node_modules/twapd/dist/main/cli.js');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const shown = await run(process.execPath, [cli, '--version'], { cwd: folder, env });
  expect(shown.stdout.trim()).toBe(version);
  const compiler = resolve('node_modules/typescript/bin/tsc');
  writeFileSync(join(folder, 'typed.mts'), TYPED);
  writeFileSync(join(folder, 'methods.mts'), typedMethodsProgram());
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2024'];
  const modules = [
    '--module',
    'nodenext',
    '--types',
    'node',
    '--typeRoots',
    'node_modules/twapd/node_modules/@types',
  ];
  const programs = ['typed.mts', 'methods.mts'];
  await run(process.execPath, [compiler, ...strict, ...modules, ...programs], { cwd: folder });
  // Compiling takes longer than a signature stays valid.
  gateway.nowMs = Date.now();
  const { stdout } = await run(process.execPath, ['typed.mts', gateway.url], { cwd: folder, env });
  const [id] = gateway.operations.records.keys();
  expect(stdout.trim().split('\n')).toEqual([
    `submitted ${id}`,
    'listening',
    'status 1',
    'the id is string',
    'the version is string',
    'refused',
  ]);
}, 1200_000);

const TYPED = `
import { connect, type PortfolioBody, type PortfolioRecord } from 'twapd/client';
const client = connect({
  baseUrl: process.argv[2] ?? '',
  keyId: process.env['TWAPD_KEY'] ?? '',
  secret: process.env['TWAPD_SECRET'] ?? '',
});
const asked: PortfolioBody = {
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 300, frequencySec: 30 },
  legs: [{
    instrument: 'BTC-PERPETUAL', instrumentType: 'PERPETUAL', side: 1, quantity: '1000',
    priceOptions: { priceType: 'MARKET' },
  }],
};
const submitted = await client.submit(asked, 'one');
if (submitted.kind !== 'done') throw new Error(submitted.message);
const id = String(submitted.value.portfolioId);
console.log('submitted ' + id);
for await (const item of client.watch(id, { after: '0' })) {
  console.log(item.kind);
  if (item.kind === 'listening') break;
}
const info = await client.info(id);
if (info.kind !== 'done') throw new Error(info.message);
const record: PortfolioRecord = info.value;
console.log('status ' + record.portfolioStatus);
// @ts-expect-error the id is text: the types are those of the package
const wrong: number = record.portfolioId;
console.log('the id is ' + typeof wrong);
const met = await client.call('public/hello', { clientName: 'typed', clientVersion: '1' });
if (met.kind !== 'done') throw new Error(met.kind);
const version: string = met.value.version;
console.log('the version is ' + typeof version);
// @ts-expect-error a param is misspelt
const misspelt = await client.call('public/hello', { clientname: 'typed', clientVersion: '1' });
console.log(misspelt.kind);
`;
