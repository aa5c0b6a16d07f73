// The real daemon trades on the real paper exchange over Deribit's wire, each in a process of its own, and `doctor`
// examines that venue as it would the test network.
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { until } from '../adapters/until.ts';
import { twapd } from '../main/cli-world.ts';
import {
  type Daemon,
  daemonFiles,
  deribitUrl,
  startDaemon,
  startExchange,
} from '../support/daemon/daemon-process.ts';
import { DEMO_SECRET, deribitConfiguration } from '../support/daemon/deribit-config.ts';

const OTHER = 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';
const exchangeFiles = daemonFiles('exdb', 'config/exchange.yaml');
const strangerFiles = daemonFiles('exd2', 'config/exchange.yaml');
const files = daemonFiles('ddbt');
const running: Daemon[] = [];

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.end('SIGTERM');
});
afterAll(() => {
  for (const each of [files, exchangeFiles, strangerFiles]) each.remove();
});

const configuration = (exchange: Pick<Daemon, 'url'>, secret = DEMO_SECRET): string =>
  deribitConfiguration({
    secret,
    deployment: 'ddbt',
    dataDir: files.dataDir,
    strategies: files.strategies,
    url: deribitUrl(exchange.url),
  });

async function exchange(of = exchangeFiles, port = 0): Promise<Daemon> {
  const started = await startExchange(of, port);
  running.push(started);
  return started;
}

async function daemonOn(venue: Daemon): Promise<Daemon> {
  writeFileSync(files.configPath, configuration(venue));
  const daemon = await startDaemon(files);
  running.push(daemon);
  return daemon;
}

const doctor = (...words: readonly string[]) =>
  twapd(['doctor', '--config', files.configPath, ...words]);

describe('a daemon on an exchange that speaks Deribit', () => {
  test('a ledger does not continue on another exchange, and the reason is reported', async () => {
    const known = await exchange();
    const bound = await daemonOn(known);
    expect(await bound.end('SIGTERM')).toBe(0);
    running.splice(running.indexOf(bound), 1);
    const daemon = await daemonOn(await exchange(strangerFiles));
    const reasons = async (): Promise<string> => (await fetch(`${daemon.url}/readyz`)).text();
    await until(async () => (await reasons()).includes('this ledger belongs to'));
    expect(await daemon.end('SIGTERM')).toBe(0);
    running.splice(running.indexOf(daemon), 1);
  }, 240_000);
});

describe('doctor', () => {
  test('a venue in order is measured with one order, which is gone afterwards', async () => {
    const venue = await exchange();
    writeFileSync(files.configPath, configuration(venue));
    const { code, out, err } = await doctor('--json');
    const report = JSON.parse(out);
    const [only] = report.venues;
    // How slow this machine is at this moment is no fault of the venue.
    const faults = report.faults.filter((text: string) => !text.includes('LagMs'));
    expect(faults).toEqual([]);
    expect(code === 0).toBe(report.faults.length === 0);
    expect(err).toBe('');
    expect(only).toMatchObject({ name: 'deribit', isLive: false });
    expect(only.recommended.readLagMs).toBeGreaterThan(0);
    expect(only.examined.probe).toMatchObject({
      instrument: 'BTC-PERPETUAL',
      steps: [{ name: 'place' }, { name: 'edit' }, { name: 'cancel' }],
    });
    const { probe } = only.examined;
    expect([probe.fault, probe.leftOpen]).toEqual([undefined, undefined]);
    expect(out).not.toContain(DEMO_SECRET);
    const again = await doctor();
    expect(again.out).toContain('✓ open orders   0');
    expect(again.out).toContain('play money, on this machine');
  });

  test('refused credentials are the fault, with the account and the words of the venue', async () => {
    const venue = await exchange();
    writeFileSync(
      files.configPath,
      configuration(venue, OTHER).replace('clientId: demo-taker', 'clientId: demo-maker/10001'),
    );
    const { code, out, err } = await doctor();
    expect(code).toBe(1);
    expect(out).toContain('✗ login');
    expect(err).toMatch(
      /deribit: account 10001 \(Desk\), login: the venue refuses demo-maker\/10001: 13/,
    );
    expect(out + err).not.toContain(OTHER);
  });

  test('an address where nothing answers is the fault', async () => {
    const gone = await exchange();
    expect(await gone.end('SIGTERM')).toBe(0);
    running.splice(running.indexOf(gone), 1);
    const short = configuration(gone).replace('kind: deribit', 'kind: deribit\n    timeoutMs: 500');
    writeFileSync(files.configPath, short);
    const { code, out, err } = await doctor();
    expect(code).toBe(1);
    expect(out).toContain('✗ connection');
    expect(err).toContain('ECONNREFUSED');
  });

  test('a configuration without a live venue is refused with what is accepted', async () => {
    const paper = await twapd(['doctor', '--config', 'config/paper.yaml']);
    expect([paper.code, paper.err]).toEqual([
      1,
      'config/paper.yaml has no venue of kind deribit; accepted: a configuration with one\n',
    ]);
    writeFileSync(files.configPath, configuration({ url: 'http://127.0.0.1:9' } as Daemon));
    const named = await doctor('--venue', 'paper');
    expect(named.err).toBe(
      `--venue is "paper", which is not a venue of kind deribit of ${files.configPath}; accepted: deribit\n`,
    );
  });
});
