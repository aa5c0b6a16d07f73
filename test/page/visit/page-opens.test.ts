// One visit of the page in Chromium: it loads under its policy, signs in by a link, and shows a portfolio and what is published of it. The
// long tests visit every panel.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportPage } from '../../../src/gateway/report/report-page.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { GatewayUnderTest, NOW_MS, perpetualBody } from '../../gateway/gateway-under-test.ts';
import { DISTINCT_REPORT } from '../../support/distinct-report.ts';
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

  test('the report of an option and its hedge prints on two pages of A4: its opening, and the facts of every leg', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.setContent(reportPage(DISTINCT_REPORT));
    const printed = await page.pdf({ preferCSSPageSize: true });
    expect(printed.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('mid against maker fills').first().isVisible()).toBe(true);
    expect(await page.locator('.parts figure').first().isVisible()).toBe(false);
    await context.close();
  });
});
