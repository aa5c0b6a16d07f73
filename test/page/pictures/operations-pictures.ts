// The pictures of the screens of operations in docs/page.
import type { Browser } from 'playwright-core';
import { NOON } from '../../adapters/paper/paper-stage.ts';
import { perpetualBody } from '../../gateway/gateway-under-test.ts';
import { centre, NARROW, visit } from '../browser.ts';
import { operationsStage } from '../operations-stage.ts';

const WINDOW = { width: 1_200, height: 760 };

export async function writeOperationsPictures(browser: Browser, folder: string): Promise<void> {
  const { stage, codeOf, protect, buy, buyProtected } = await operationsStage();
  const { gateway } = stage;
  // The market of the exchange stands still from here on.
  stage.holdTime();
  gateway.notReady = ['venue deribit: not connected'];
  await gateway.submit(perpetualBody());
  const times = { submittedAt: NOON, updatedAt: NOON, startAt: NOON };
  for (const [id, record] of gateway.operations.records) {
    const endAt = NOON + record.durationMs;
    gateway.operations.records.set(id, { ...record, ...times, endAt });
  }
  await protect();
  await buy();
  await buyProtected('240000');
  await gateway.request('/tt/broker/openapi/trading/switch', {
    body: { scope: 'account', of: '20001', state: 'halted', reason: 'drill' },
  });
  const show = async (screen: string, options: Parameters<typeof visit>[2]) => {
    const { page } = await visit(browser, `${gateway.url}/#code=${await codeOf('open')}`, options);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('link', { name: screen }).click();
    return page;
  };
  const risk = await show('Risk and operations', { viewport: WINDOW, colorScheme: 'light' });
  await risk.getByRole('button', { name: 'End the session of taker' }).first().waitFor();
  await risk.screenshot({ path: `${folder}/risk.png` });
  await centre(risk.getByRole('heading', { name: 'Market-maker protection' }));
  await risk.screenshot({ path: `${folder}/limits.png` });
  const phone = await show('Risk and operations', { viewport: NARROW, colorScheme: 'dark' });
  await phone.getByText('deribit cannot be traded on').waitFor();
  await phone.screenshot({ path: `${folder}/risk-phone.png` });
  const strategies = await show('Strategies', { viewport: WINDOW, colorScheme: 'light' });
  await strategies.getByText('bad.yaml:3:5').waitFor();
  await strategies.screenshot({ path: `${folder}/strategies.png` });
  const positions = await show('Positions', { viewport: WINDOW, colorScheme: 'dark' });
  await positions.getByRole('row', { name: /^10001 BTC \d/ }).waitFor();
  await positions.screenshot({ path: `${folder}/positions.png` });
  await stage.close();
}
