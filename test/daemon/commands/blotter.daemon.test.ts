// The reading commands against a real daemon: what its gate has counted is what `account` shows as used.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../src/gateway/client/client.ts';
import { must } from '../../../src/values/assert.ts';
import { until } from '../../adapters/until.ts';
import { demoKeys, twapd } from '../../main/cli-world.ts';
import {
  ANSWER_MS,
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';

let files: DaemonFiles;
let daemon: Daemon | undefined;
beforeAll(() => {
  files = daemonFiles('blot', 'config/paper.yaml', 'apart');
});
afterAll(async () => {
  await daemon?.end('SIGKILL');
  files.remove();
});

test('a trade shows in positions, fills, and the use of the limits of its account', async () => {
  daemon = await startDaemon(files);
  const { url } = daemon;
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into documents of every shape
  const json = async (...words: readonly string[]): Promise<any> => {
    const how = ['--json', '--config', files.configPath, '--url', url];
    const { code, out, err } = await twapd([...words, ...how]);
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  };
  const { id: keyId, secret } = must(demoKeys().get('demo-taker'), 'it is in config/paper.yaml');
  const client = connect({ baseUrl: url, timeoutMs: ANSWER_MS, keyId, secret });
  // Until the gate has read the account it lets no order pass.
  await until(async () => {
    const params = { instrumentName: 'ETH-PERPETUAL', quantity: '7000', type: 'market' } as const;
    return (await client.call('private/buy', params)).kind === 'done';
  });
  const ofEth = ({ instrumentName }: { instrumentName?: string }): boolean =>
    instrumentName === 'ETH-PERPETUAL';
  expect((await json('positions')).find(ofEth)).toMatchObject({ accountId: '10001', size: '7000' });
  const fills = await json('fills', '-i', 'eth-perpetual');
  const sizes = fills.map(({ quantity }: { quantity: string }) => Number(quantity));
  expect(sizes.reduce((sum: number, size: number) => sum + size, 0)).toBe(7_000);
  await until(async () => {
    const { limits } = await json('account', '--account', '10001');
    return limits.find(ofEth)?.used === '7000';
  });
  const { limits } = await json('account', '--account', '10001');
  expect(limits.find(ofEth)).toMatchObject({ control: 'position', limit: '100000000' });
  const gross = limits.find(({ control }: { control: string }) => control === 'gross');
  expect(Number(gross.used)).toBeGreaterThanOrEqual(7_000);
  expect(gross.limit).toBe('1000000000');
});
