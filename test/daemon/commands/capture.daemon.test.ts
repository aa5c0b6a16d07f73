// `doctor --capture` against the Deribit wire of a real daemon: it tests the open points, keeps sanitised answers and a
// table, and leaves the account as it was; a venue that answers otherwise than assumed is noticed.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AlteringProxy } from '../../adapters/deribit/line/altering-proxy.ts';
import { postRpc } from '../../gateway/deribit/raw-client.ts';
import { twapd } from '../../main/cli-world.ts';
import {
  type Daemon,
  daemonFiles,
  deribitUrl,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';
import { DEMO_SECRET, deribitConfiguration } from '../../support/daemon/deribit-config.ts';

const KEY = { id: 'demo-taker', secret: DEMO_SECRET };
const venueFiles = daemonFiles('capv');
const folder = mkdtempSync(join(tmpdir(), 'twapd-capture-'));
const configPath = join(folder, 'config.yaml');
/** No combo is listed, and the past of the generated market is shorter than 1 000 hours. */
const EXPECTED: Readonly<Record<string, string>> = {
  combos: 'undecided',
  steps: 'agrees',
  'tape sequence': 'agrees',
  'tape ids': 'agrees',
  'chart end': 'agrees',
  'chart length': 'agrees',
  'funding hours': 'agrees',
  'index bars': 'undecided',
  volatility: 'agrees',
  locks: 'agrees',
  'channel twice': 'agrees',
  'channel wrong': 'agrees',
  'price band': 'agrees',
  'unknown RFQ': 'agrees',
  'closed margin': 'agrees',
  'MMP required': 'agrees',
  'MMP omitted': 'agrees',
};
/** On a busy machine the bump may be over before the second request is read. */
const BY_CHANCE = /^bump/;
let venue: Daemon;

const configuration = (url: string): string =>
  deribitConfiguration({
    url,
    deployment: 'capd',
    dataDir: join(folder, 'data'),
    strategies: folder,
  });

const query = async (method: string, params: object = {}) =>
  (await postRpc(venue.url, { method, params, by: KEY })).result;

/** Size of every position, orders that are open, and groups of protection. */
async function held() {
  const positions = await query('private/get_positions', { currency: 'any', kind: 'any' });
  const groups = await query('private/get_mmp_config');
  return {
    sizes: positions.map((one: { readonly size: number }) => one.size).filter(Boolean),
    open: await query('private/get_open_orders'),
    groups: groups.filter((one: { readonly interval: number }) => one.interval > 0),
  };
}

async function capture(url: string, to: string) {
  writeFileSync(configPath, configuration(url));
  const { code, out, err } = await twapd([
    'doctor',
    '--json',
    '--config',
    configPath,
    '--capture',
    to,
  ]);
  const report = JSON.parse(out);
  const [{ examined }] = report.venues;
  const points = examined.captured as readonly {
    readonly point: { readonly name: string };
    readonly verdict: { readonly kind: string; readonly seen: string };
    readonly left?: string;
  }[];
  const faults = report.faults.filter((text: string) => text.includes('open points'));
  const verdicts = new Map(points.map(({ point, verdict }) => [point.name, verdict.kind]));
  return { code, err, points, faults, verdicts };
}

/**
 * A venue that has just started shows trades computed for the time before, which no sequence number selects: the latest page has
 * only trades that were made.
 */
async function tradeOnTheTape(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    for (const method of ['private/buy', 'private/sell']) {
      const params = { instrument_name: 'BTC-PERPETUAL', amount: 10, type: 'market' };
      const { order } = await query(method, params);
      expect(order.order_state).toBe('filled');
    }
  }
}

beforeAll(async () => {
  venue = await startDaemon(venueFiles);
  await tradeOnTheTape();
}, 240_000);
afterAll(async () => {
  await venue.end('SIGTERM');
  venueFiles.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('doctor --capture', () => {
  test('a venue that answers as assumed agrees, and its account is left as it was', async () => {
    const before = await held();
    const to = join(folder, 'as-assumed');
    const { points, faults } = await capture(deribitUrl(venue.url), to);
    expect(faults).toEqual([]);
    expect(points.filter(({ left }) => left !== undefined)).toEqual([]);
    for (const { point, verdict } of points) {
      const accepted = BY_CHANCE.test(point.name)
        ? ['agrees', 'undecided']
        : [EXPECTED[point.name]];
      expect(accepted, `${point.name}: ${verdict.seen}`).toContain(verdict.kind);
    }
    expect(await held()).toEqual(before);
    const files = readdirSync(to);
    expect(files.length).toBe(
      points.filter(({ verdict }) => !verdict.seen.startsWith('not tested')).length + 1,
    );
    const texts = files.map((name) => readFileSync(join(to, name), 'utf8')).join('\n');
    expect(texts).not.toContain(DEMO_SECRET);
    expect(texts).not.toContain('capture');
    expect(texts).not.toContain('"user_id": "10');
  });

  test('a venue that answers otherwise than assumed is noticed, point by point', async () => {
    const proxy = await AlteringProxy.to(deribitUrl(venue.url), {
      'private/edit_by_label': () => ({ error: { code: 11_888, message: 'order_in_speed_bump' } }),
      'private/get_block_rfqs': () => ({ error: { code: 10_001, message: 'error' } }),
      'public/get_historical_volatility': () => ({ result: [{ timestamp: 1, value: 2 }] }),
      'public/get_tradingview_chart_data': ({ result }) => ({
        result: {
          ...(result as object),
          ticks: (result as { ticks: number[] }).ticks.slice(0, -2),
        },
      }),
    });
    try {
      const to = join(folder, 'otherwise');
      const { code, verdicts, faults } = await capture(proxy.url, to);
      expect(code).toBe(1);
      const differing = [...verdicts]
        .filter(([, kind]) => kind === 'differs')
        .map(([name]) => name);
      expect(differing.sort()).toEqual([
        'bump edit',
        'chart end',
        'chart length',
        'unknown RFQ',
        'volatility',
      ]);
      expect(faults).toHaveLength(differing.length);
      const table = readFileSync(join(to, 'points.md'), 'utf8');
      expect(table).toContain('| refused: 11888 order_in_speed_bump | differs |');
      expect(await held()).toMatchObject({ sizes: [], open: [] });
    } finally {
      await proxy.close();
    }
  });
});
