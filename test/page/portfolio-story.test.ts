// The screen of one portfolio, in a browser, over an engine that trades it in virtual time.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readPageFiles } from '../../src/gateway/page/page-files.ts';
import { READER } from '../gateway/gateway-under-test.ts';
import { hasBrowser, launch, NARROW, type Visit, violations, visit, WIDE } from './browser.ts';
import { PortfolioStage } from './portfolio-stage.ts';

const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const BUDGET_BYTES = 200_000;
/** Far below the market: what is bought at it rests. */
const DEEP = '99000';

describe.runIf(hasBrowser)('the screen of one portfolio', () => {
  let browser: Browser;
  let stage: PortfolioStage;
  const visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    stage = await PortfolioStage.open();
  });
  afterEach(async () => {
    const faults = visits.flatMap((one) => one.faults);
    for (const one of visits.splice(0)) await one.close();
    await stage.close();
    expect(faults).toEqual([]);
  });

  async function signIn(options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const url = `${stage.gateway.url}/#code=${await stage.codeOf('open')}`;
    const opened = await visit(browser, url, options);
    visits.push(opened);
    await opened.page.getByText('live', { exact: true }).waitFor();
    return opened.page;
  }

  async function show(id: string, options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const page = await signIn(options);
    await page.locator(`[data-portfolio="${id}"] a`).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    return page;
  }

  const sentTo = (page: Page, operation: string): string[] => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(`/page/api/${operation}`)) sent.push(request.postData() ?? '');
    });
    return sent;
  };

  test('a row is opened by the keyboard, its address survives a reload, and Escape leads back to the same place of the blotter', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 40; at += 1) {
      ids.push(await stage.submit({ ...stage.resting(DEEP), customizedNote: `roll ${at}` }));
    }
    const page = await signIn();
    await page.getByLabel('Search portfolios').fill('roll');
    const rows = page.getByRole('rowgroup');
    await rows.evaluate((element: { scrollTop: number }) => {
      element.scrollTop = 600;
    });
    const link = page.getByRole('link', { name: 'roll 20' });
    await link.focus();
    const scrolled = () => rows.evaluate((element: { scrollTop: number }) => element.scrollTop);
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'roll 20' }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#portfolio=${ids[20]}`);
    await page.keyboard.press('Escape');
    await link.waitFor();
    await expect.poll(scrolled).toBe(before);
    expect(await page.getByLabel('Search portfolios').inputValue()).toBe('roll');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('roll 20');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'roll 20' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'roll 20' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'Blotter' }).waitFor();
  });

  test('a portfolio opens beside the blotter, another row replaces it, and it may have the whole screen', async () => {
    const first = await stage.submit({ ...stage.resting(DEEP), customizedNote: 'roll 1' });
    const second = await stage.submit({ ...stage.resting(DEEP), customizedNote: 'roll 2' });
    const page = await show(first);
    await page.getByRole('heading', { name: 'roll 1' }).waitFor();
    await page.locator(`[data-portfolio="${second}"]`).click();
    await page.getByRole('heading', { name: 'roll 2' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Blotter' }).count()).toBe(1);
    expect(await page.getByRole('heading', { name: 'roll 1' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Enlarge' }).click();
    await page.getByRole('heading', { name: 'Blotter' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Beside the blotter' }).click();
    await page.getByRole('heading', { name: 'Blotter' }).waitFor();
    // Names of products are cut where less is left.
    await page.setViewportSize({ width: 1_359, height: 900 });
    await page.getByRole('heading', { name: 'Blotter' }).waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1_360, height: 900 });
    await page.getByRole('heading', { name: 'Blotter' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'roll 2' }).waitFor({ state: 'detached' });
    const focused = 'document.activeElement.textContent';
    await expect.poll(() => page.evaluate(focused)).toBe('roll 2');
  });

  test('it shows resting orders, fills, slices and the history, as they happen', async () => {
    const id = await stage.submit({ customizedNote: 'quick' });
    const page = await show(id);
    await page.getByText('Slice 1 of BTC-PERPETUAL started: 100 wanted, 100 planned.').waitFor();
    await stage.run(11_000);
    await page.getByText('Slice 2 of BTC-PERPETUAL started: 100 wanted, 100 planned.').waitFor();
    await expect
      .poll(() =>
        page
          .locator('.portfolio .strip')
          .getByLabel(/% filled/)
          .getAttribute('aria-label'),
      )
      .toBe('33.3% filled, 33.3% scheduled');
    await page.getByLabel(/Schedule and fills of BTC-PERPETUAL: 200 of 600 filled/).waitFor();
    await stage.run(60_000);
    await page.getByText('Every leg is filled.').waitFor();
    await page.getByText('No order of this portfolio is at the venue.').waitFor();
    const slices = page.getByRole('region', { name: /^Slices/ }).last();
    await expect.poll(() => slices.getByRole('row').count()).toBe(7);
    expect(await page.getByRole('button', { name: 'Cancel…' }).count()).toBe(0);
  });

  test('a slice that sends nothing says why', async () => {
    const id = await stage.submit({ execution: { endAction: 'cancel', spreadMaxBps: 0.5 } });
    const page = await show(id);
    await page.getByText(/^not sent: the spread is too wide/).waitFor();
    await page.getByText(/^Slice 1 of BTC-PERPETUAL waits: the spread is too wide/).waitFor();
  });

  test('a row that waits is active again once its order rests, without a message of it', async () => {
    // Ten dollars of a hundred thousand are a basis point.
    const execution = { endAction: 'cancel', spreadMaxBps: 0.5 } as const;
    const id = await stage.submit({ ...stage.resting(DEEP), execution });
    const page = await signIn();
    const word = page.locator(`[data-portfolio="${id}"]`).locator('.word');
    await word.getByText('waiting').waitFor();
    stage.quoteWide(2);
    await stage.run(20_000);
    await word.getByText('active').waitFor();
    expect(await stage.filled(id)).toBe('0');
  });

  test('what stands at the crosshair is read off by keyboard, to the instant', async () => {
    const id = await stage.submit({ ...stage.resting('99980', '12000'), customizedNote: 'roll' });
    await stage.run(1_500_000);
    const page = await show(id);
    const slider = page.getByRole('slider', { name: 'Time that is read off' });
    const said = () => slider.getAttribute('aria-valuetext');
    await expect
      .poll(said)
      .toMatch(/^12:25:0\d UTC\. .*Filled, filled 4,000 USD; Filled, due 6,000 USD/);
    await slider.press('Home');
    await expect
      .poll(said)
      .toMatch(/^12:00:01 UTC\. .*Filled, filled 0 USD; Filled, due 1,000 USD/);
    const filled = page.locator('.readings', { hasText: 'Filled' }).last();
    expect(await filled.textContent()).toContain('filled 0 USD');
    await slider.blur();
    await expect.poll(said).toMatch(/^12:25:0\d UTC/);
  });

  test('a package shows the filled share of every leg, and delta and profit of all together', async () => {
    const id = await stage.submit(stage.hedged('6'));
    await stage.run(600_000);
    const page = await show(id);
    await page
      .getByRole('img', { name: /^Net delta of what is filled: [-+]?[\d.]+ BTC/ })
      .waitFor();
    await page.getByRole('img', { name: /^Profit or loss .*: [-+]?[\d.]+ BTC/ }).waitFor();
    await page.getByRole('img', { name: /^Prices of BTC-25DEC26-100000-C/ }).waitFor();
    await page.getByRole('button', { name: 'sell BTC-PERPETUAL' }).click();
    await page.getByRole('img', { name: /^Prices of BTC-PERPETUAL/ }).waitFor();
  });

  test('a course that cannot be read any more says since when, and keeps what was read', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    const page = await show(id);
    await page.getByRole('img', { name: /^Prices of/ }).waitFor();
    await page.route('**/page/api/course*', (route) => route.abort());
    const charts = page.getByRole('region', { name: 'Course' });
    await charts.getByText(/^▲ Not current since/).waitFor();
    expect(await charts.getByRole('img', { name: /^Prices of/ }).count()).toBe(1);
  });

  test('the report of costs opens in a tab of its own, by the session', async () => {
    const id = await stage.submit();
    const page = await show(id);
    await page.getByText(/positive is a cost/).waitFor();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Report on its costs' }).click();
    const report = await opened;
    await report.getByRole('heading', { name: `Execution costs of portfolio ${id}` }).waitFor();
  });

  test('by keyboard alone one pauses and resumes, each is sent once, and is done when the record says so', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    stage.goLive();
    const page = await show(id);
    const sent = sentTo(page, 'pause');
    await page.getByRole('button', { name: 'Pause…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('500 USD in orders at the venue').waitFor();
    expect(await page.locator('.portfolio .word').first().textContent()).toContain('active');
    const pause = dialog.getByRole('button', { name: 'Pause now' });
    await pause.focus();
    await pause.evaluate((button: { click(): void }) => {
      button.click();
      button.click();
    });
    await dialog.getByText(/^Paused since .* by 7001\.$/).waitFor();
    await dialog.getByText('No order of it is at the venue.').waitFor();
    expect(sent).toHaveLength(1);
    await page.keyboard.press('Escape');
    await page.getByText('Paused by 7001.').waitFor();
    await page.getByRole('button', { name: 'Resume…' }).press('Enter');
    await dialog.getByRole('button', { name: 'Resume now' }).press('Enter');
    await dialog.getByText(/^Resumed, as of/).waitFor();
  });

  test('what another paused is resumed with a fresh code, and the dialog names who paused it', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    await stage.pauseBy('7999', id);
    stage.goLive();
    const page = await show(id);
    await page.getByRole('button', { name: 'Resume…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It was paused by 7999, not by you.').waitFor();
    const resume = dialog.getByRole('button', { name: 'Resume now' });
    expect(await resume.isDisabled()).toBe(true);
    await dialog.getByLabel('One-time code').fill('AAAA-AAAA');
    await resume.click();
    await dialog.getByText(/^Refused: .*fresh one/).waitFor();
    await dialog.getByLabel('One-time code').fill(await stage.codeOf('confirm'));
    await resume.click();
    await dialog.getByText(/^Resumed, as of/).waitFor();
  });

  test('on a phone, the dialog of a cancel shows resting orders and the unfilled quantity before, and the cancelled portfolio after', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    stage.goLive();
    const page = await show(id, { viewport: NARROW, hasTouch: true });
    await page.getByRole('button', { name: 'Cancel…' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('BTC-PERPETUAL: 6000 USD unfilled, of which 500 USD in orders at the venue')
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel it now' }).tap();
    await dialog.getByText(/^Cancelled at/).waitFor();
    await dialog.getByText('No order of it is at the venue.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await page.getByText('Cancelled: somebody asked for it.').waitFor();
  });

  test('an amendment is previewed before and after, and one that enlarges is made only with a fresh code', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    stage.goLive();
    const page = await show(id);
    const sent = sentTo(page, 'amend');
    await page.getByRole('button', { name: 'Amend…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing is changed yet.').waitFor();
    await dialog.getByLabel(/^Total of BTC-PERPETUAL/).fill('400');
    await dialog.getByText(/^Not possible: /).waitFor();
    await dialog.getByLabel(/^Total of BTC-PERPETUAL/).fill('9000');
    await dialog.getByRole('row', { name: 'Total of BTC-PERPETUAL 6000 9000' }).waitFor();
    const amend = dialog.getByRole('button', { name: 'Amend now' });
    expect(await amend.isDisabled()).toBe(true);
    await dialog.getByLabel('One-time code').fill('AAAA-AAAA');
    await amend.press('Enter');
    await dialog.getByText(/^Refused: .*fresh one/).waitFor();
    await dialog.getByLabel('One-time code').fill(await stage.codeOf('confirm'));
    await expect.poll(() => amend.isDisabled()).toBe(false);
    await amend.press('Enter');
    await dialog.getByText('Amended: the history has it.').waitFor();
    expect(sent.filter((body) => !body.includes('"preview"'))).toHaveLength(2);
    await page.keyboard.press('Escape');
    await page.getByText('total of leg 1: 6,000 → 9,000').waitFor();
  });

  test('of two people who amend limits at once, the second is refused and sees why', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    stage.goLive();
    const [one, two] = [await show(id), await show(id)];
    for (const page of [one, two]) {
      await page.getByRole('button', { name: 'Amend…' }).click();
      await page.getByText('Limits (empty: off)').click();
      await page.getByLabel('Largest slippage of a slice, bp').fill('20');
      await page.getByRole('row', { name: 'slippageMaxBps off 20' }).waitFor();
    }
    await one.getByRole('button', { name: 'Amend now' }).click();
    await one.getByText('Amended: the history has it.').waitFor();
    await two.getByLabel('Largest slippage of a slice, bp').fill('15');
    await two.getByText(/^Not possible: .*amend/i).waitFor();
    expect(await two.getByRole('button', { name: 'Amend now' }).isDisabled()).toBe(true);
  });

  test('a request without an answer is not shown as done, and may be asked again', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    stage.goLive();
    const page = await show(id);
    await page.route('**/page/api/pause', (route) => route.abort());
    await page.getByRole('button', { name: 'Pause…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Pause now' }).click();
    await dialog.getByText(/^Asked; the daemon has not confirmed it yet\. No answer: /).waitFor();
    await page.unroute('**/page/api/pause');
    await dialog.getByRole('button', { name: 'Ask again' }).click();
    await dialog.getByText(/^Paused since/).waitFor();
  });

  test('a session that may only read shows no actions', async () => {
    const id = await stage.submit(stage.resting(DEEP));
    const { json } = await stage.gateway.request('/tt/broker/openapi/trading/page-code', {
      body: { purpose: 'open' },
      by: READER,
    });
    const url = `${stage.gateway.url}/#code=${json.value.code}`;
    const opened = await visit(browser, url);
    visits.push(opened);
    await opened.page.locator(`[data-portfolio="${id}"] a`).click();
    await opened.page.getByRole('heading', { name: 'Orders at the venue' }).waitFor();
    for (const name of ['Pause…', 'Amend…', 'Cancel…']) {
      expect(await opened.page.getByRole('button', { name }).count()).toBe(0);
    }
  });

  test('markup in the texts of a portfolio and of the venue stays text', async () => {
    stage.refuse(MARKUP);
    const id = await stage.submit({ customizedNote: MARKUP, strategy: MARKUP });
    const page = await show(id);
    await page.getByText(`An order of BTC-PERPETUAL was refused: ${MARKUP}`).first().waitFor();
    await page.getByRole('heading', { name: MARKUP }).waitFor();
    await page.getByRole('button', { name: 'Cancel…' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.locator('main img, main script, dialog img').count()).toBe(0);
  });

  test('the address of a portfolio that does not exist shows that there is none', async () => {
    const page = await signIn();
    await page.goto(`${stage.gateway.url}/#portfolio=1`);
    await page
      .getByRole('alert')
      .getByText(/portfolio not found/)
      .waitFor();
  });

  test.each([
    ['wide, light', WIDE, 'light'],
    ['wide, dark', WIDE, 'dark'],
    ['phone, light', NARROW, 'light'],
    ['phone, dark', NARROW, 'dark'],
  ] as const)('it and its dialogs are accessible: %s', async (_name, viewport, colorScheme) => {
    const id = await stage.submit({ ...stage.resting('99990', '12000'), customizedNote: 'one' });
    await stage.run(900_000);
    const page = await show(id, { viewport, colorScheme });
    await page.getByText(/positive is a cost/).waitFor();
    await page.getByRole('img', { name: /^Prices of/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    for (const name of ['Pause…', 'Cancel…', 'Amend…']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      if (name === 'Amend…') {
        await page.getByLabel(/^Total of BTC-PERPETUAL/).fill('18000');
        await page.getByLabel('One-time code').waitFor();
        await page.getByText('Limits (empty: off)').click();
      }
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  test('everything that the page loads is at most 200 kB compressed', async () => {
    const files = readPageFiles('dist/page').filter(({ name }) => !name.endsWith('.txt'));
    expect(files.length).toBeGreaterThan(2);
    const sizes = await Promise.all(files.map(async ({ small }) => (await small()).length));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BUDGET_BYTES);
  });
});
