import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';
import { hasBrowser, launch, visit } from './browser.ts';

const FOUR_HOURS_SEC = 14_400;

async function openLink(configPath: string, url: string): Promise<string> {
  const words = ['open', '--json', '--config', configPath, '--url', url];
  const args = [resolve('src/setup/run.mjs'), '--quiet', resolve('src/main/cli.ts'), ...words];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return (JSON.parse(stdout) as { link: string }).link;
}

async function submitNamed(daemon: Daemon, customizedNote: string): Promise<void> {
  const submitted = await daemon.client.submit({
    accountId: 10001,
    portfolioType: 'TWAP',
    customizedNote,
    twapTrade: { durationSec: FOUR_HOURS_SEC, frequencySec: 600 },
    legs: [
      {
        instrument: 'BTC-PERPETUAL',
        instrumentType: 'PERPETUAL',
        side: 1,
        quantity: '24000',
        priceOptions: { priceType: 'MARKET' },
      },
    ],
  });
  expect(submitted.kind).toBe('done');
}

describe.runIf(hasBrowser)('the page of a daemon', () => {
  test('continues with the same session, and shows what is new, after the daemon was killed and started again', async () => {
    const files = daemonFiles('page');
    const browser = await launch();
    let daemon = await startDaemon(files);
    try {
      const { url } = daemon;
      await submitNamed(daemon, 'before the kill');
      const { page, faults } = await visit(browser, await openLink(files.configPath, url));
      await page.getByText('before the kill').waitFor();
      await page.getByText('live', { exact: true }).waitFor();
      await daemon.end('SIGKILL');
      await page.getByText(/reconnecting, data .* old/).waitFor();
      expect(await page.getByText('before the kill').count()).toBe(1);
      daemon = await startDaemon(files, { TWAPD_PORT: new URL(url).port });
      await page.getByText('live', { exact: true }).waitFor();
      await submitNamed(daemon, 'after the kill');
      await page.getByText('after the kill').waitFor();
      // A dialog that is open while the daemon is killed shows nothing as done, and works when it is back.
      await page.getByRole('link', { name: 'after the kill' }).click();
      await page.getByRole('img', { name: /^Schedule and fills of BTC-PERPETUAL/ }).waitFor();
      await page.getByText(/positive is a cost/).waitFor();
      await page.getByRole('button', { name: 'Pause…' }).click();
      await daemon.end('SIGKILL');
      await page.getByText(/reconnecting, data .* old/).waitFor();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Pause now' }).click();
      await dialog.getByText(/^Asked; the daemon has not confirmed it yet\. No answer/).waitFor();
      daemon = await startDaemon(files, { TWAPD_PORT: new URL(url).port });
      await page.getByText('live', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Ask again' }).click();
      await dialog.getByText(/^Paused since/).waitFor();
      expect(faults).toEqual([]);
      expect(daemon.output()).not.toContain('#code=');
    } finally {
      await browser.close();
      await daemon.end('SIGTERM');
      files.remove();
    }
  });
});
