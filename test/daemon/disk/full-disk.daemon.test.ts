// The real daemon on a disk that fills up: engine and gateway, its journal and Redis on the disk, PostgreSQL elsewhere. It
// says so while there is space, refuses what is new, cancels, and continues once there is space again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpReceiver, httpReceiver } from '../../adapters/notices/http-receiver.ts';
import { submit } from '../../support/daemon/daemon-deployment.ts';
import { type Daemon, daemonFiles, startDaemon } from '../../support/daemon/daemon-process.ts';
import { smallDisk } from '../../support/daemon/full-disk.ts';
import { addressOf, createDatabase } from '../../support/daemon/services.ts';
import { course } from '../../support/engine/two-legs.ts';

const MEGABYTES = 64;
const BYTES = MEGABYTES * 2 ** 20;
const WAIT = { timeout: 120_000, interval: 100 };
const ACCOUNT = 10001;
/** Of a portfolio, as the interface numbers it. */
const CANCELLED = 3;

const disk = smallDisk(MEGABYTES);

describe.runIf(disk !== undefined)('on a disk that fills up', () => {
  const files = daemonFiles('full', 'config/paper.yaml', 'apart');
  const dataDir = join(disk?.folder ?? '', 'data');
  let chat: HttpReceiver;
  let daemon: Daemon;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let cancelled = '';
  let continued = '';

  beforeAll(async () => {
    chat = await httpReceiver();
    database = await createDatabase();
    mkdirSync(dataDir);
    const config = readFileSync(files.configPath, 'utf8').replace(
      /dataDir: .*/,
      `dataDir: ${dataDir}`,
    );
    const notify =
      'notify:\n  channels:\n' +
      '    desk: { kind: slack, url: env:TWAPD_TEST_HOOK, happenings: [disk_low, disk_full], digestSec: 1 }\n';
    writeFileSync(files.configPath, `${config}\n${notify}`);
    daemon = await startDaemon(files, {
      DATABASE_URL: addressOf(database),
      TWAPD_TEST_HOOK: `${chat.url}/hook`,
    });
  });
  afterAll(async () => {
    await daemon?.end('SIGTERM');
    await chat?.close();
    await database?.drop();
    files.remove();
    disk?.remove();
  });

  const ready = async (): Promise<{ readonly status: number; readonly text: string }> => {
    const answer = await fetch(`${daemon.url}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
  const status = async (): Promise<number> => (await ready()).status;
  const reasons = async (): Promise<string> => (await ready()).text;
  const told = (text: string): number =>
    chat.received.filter(({ body }) => body.includes(text)).length;
  const spaceIn = async (name: 'free' | 'size', part: string): Promise<number> => {
    const text = await (await fetch(`${daemon.url}/metrics`)).text();
    const series = `^twapd_disk_${name}_bytes\\{part="${part}",folder="data"\\} (.*)$`;
    return Number(new RegExp(series, 'm').exec(text)?.[1] ?? Number.NaN);
  };

  test('size and free space are metrics of the engine and of the gateway', async () => {
    await expect.poll(status, WAIT).toBe(200);
    for (const part of ['engine', 'gateway']) {
      expect(await spaceIn('size', part)).toBe(BYTES);
      expect(await spaceIn('free', part)).toBeGreaterThan(0.5 * BYTES);
    }
    cancelled = await submit(daemon, ACCOUNT, 600);
    continued = await submit(daemon, ACCOUNT, 600);
  });

  test('people are notified once below a tenth of the disk, and the daemon stays ready', async () => {
    disk?.fill({ leave: 0.08 * BYTES });
    await expect.poll(() => told(`the disk of ${dataDir}`), WAIT).toBe(1);
    expect(await status()).toBe(200);
  });

  test('below a hundredth the daemon is not ready, refuses new portfolios, and cancels', async () => {
    disk?.fill({ leave: 0.008 * BYTES });
    await expect.poll(reasons, WAIT).toContain(`disk: ${dataDir}`);
    expect(await status()).toBe(503);
    await expect.poll(() => told(`the disk of ${dataDir}`), WAIT).toBe(2);
    const refused = await daemon.client.submit({ ...course(600), accountId: ACCOUNT });
    expect(refused).toMatchObject({ kind: 'refused', status: 503 });
    expect(JSON.stringify(refused)).toContain(`the disk of ${dataDir} has 0.`);
    expect(await daemon.client.cancel(cancelled)).toMatchObject({ kind: 'done' });
    const standing = async (): Promise<number | undefined> => {
      const info = await daemon.client.info(cancelled);
      return info.kind === 'done' ? info.value.portfolioStatus : undefined;
    };
    await expect.poll(standing, WAIT).toBe(CANCELLED);
  });

  test('a full disk ends the engine with the name of the file, and the gateway names the disk', async () => {
    disk?.fill();
    const journal = join(dataDir, 'venues', 'paper', 'journal.jsonl');
    await expect
      .poll(() => daemon.output(), WAIT)
      .toContain(`${journal} cannot be written: ENOSPC`);
    await expect.poll(reasons, WAIT).toMatch(/disk: .*engine: /);
  });

  test('the daemon continues by itself once there is space, and its portfolio with it', async () => {
    disk?.free();
    await expect.poll(status, WAIT).toBe(200);
    const before = await filled();
    await expect.poll(filled, WAIT).toBeGreaterThan(before);
    expect(await daemon.client.cancel(continued)).toMatchObject({ kind: 'done' });
    await submit(daemon, ACCOUNT, 600);
    // Nothing logged an error of the disk without the path that it was about.
    const nameless = daemon
      .output()
      .split('\n')
      .filter((line) => line.includes('ENOSPC') && !line.includes(dataDir));
    expect(nameless).toEqual([]);
  });

  async function filled(): Promise<number> {
    const info = await daemon.client.info(continued);
    if (info.kind !== 'done') return 0;
    return info.value.legs.reduce((all, leg) => all + Number(leg.filledQuantity), 0);
  }
});
