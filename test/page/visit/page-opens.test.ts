// One visit of the page in Chromium: it loads under its policy, signs in by a link, and shows a portfolio and what is published of it. The
// long tests visit every panel.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { GatewayUnderTest, NOW_MS, perpetualBody } from '../../gateway/gateway-under-test.ts';
import { hasBrowser, launch, visit } from '../browser.ts';

describe.runIf(hasBrowser)('the page in a browser', () => {
  let browser: Browser;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    [browser, gateway] = await Promise.all([launch(), GatewayUnderTest.start()]);
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  test('the page opens by a link, shows a portfolio and its fill as it is published, and does nothing that it may not', async () => {
    const submitted = await gateway.submit(perpetualBody({ customizedNote: 'month end' }));
    const id = portfolioId(String(submitted.json.value.portfolioId));
    const code = await gateway.request('/tt/broker/openapi/trading/page-code', {
      body: { purpose: 'open' },
    });
    const { page, faults, close } = await visit(
      browser,
      `${gateway.url}/#code=${code.json.value.code}`,
    );
    await page.getByRole('heading', { name: 'Blotter' }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    expect(page.url()).toBe(`${gateway.url}/`);
    const row = page.locator(`[data-portfolio="${id}"]`);
    await row.getByText('month end').waitFor();
    await row.getByLabel('0.0% filled, 0.0% scheduled').waitFor();

    const record = must(gateway.operations.records.get(id), 'it was submitted');
    const [leg] = record.legs;
    const legs = [{ ...must(leg, 'a leg'), filled: '2500', remaining: '7500', scheduled: '5000' }];
    const filled = { ...record, updatedAt: instant(NOW_MS + 2), legs };
    gateway.operations.records.set(id, filled);
    gateway.bus.publish([
      {
        messageType: 'PORTFOLIO_FILLED',
        portfolio: id,
        version: 2,
        account: accountId('10001'),
        at: instant(NOW_MS + 2),
        record: filled,
      },
    ]);
    await row.getByLabel('25.0% filled, 50.0% scheduled').waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
