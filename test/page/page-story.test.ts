import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PortfolioNews } from '../../src/ports/event-bus.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, portfolioId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import {
  GatewayUnderTest,
  NOW_MS,
  perpetualBody,
  STRANGER,
} from '../gateway/gateway-under-test.ts';
import { pageOf } from '../gateway/page/page-parts.ts';
import { hasBrowser, launch, NARROW, type Visit, violations, visit, WIDE } from './browser.ts';

const TRADING = '/tt/broker/openapi/trading';
const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

describe.runIf(hasBrowser)('the page in a browser', () => {
  let browser: Browser;
  let gateway: GatewayUnderTest;
  const visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    gateway = await GatewayUnderTest.start();
  });
  afterEach(async () => {
    const faults = visits.flatMap((one) => one.faults);
    for (const one of visits.splice(0)) await one.close();
    await gateway.close();
    expect(faults).toEqual([]);
  });

  async function codeOf(purpose: 'open' | 'confirm'): Promise<string> {
    const { json } = await gateway.request(`${TRADING}/page-code`, { body: { purpose } });
    return json.value.code;
  }

  async function signIn(options: Parameters<typeof visit>[2] = {}): Promise<Visit> {
    const opened = await visit(browser, `${gateway.url}/#code=${await codeOf('open')}`, options);
    visits.push(opened);
    await opened.page.getByRole('heading', { name: 'Blotter' }).waitFor();
    await opened.page.getByText('live', { exact: true }).waitFor();
    return opened;
  }

  async function submit(changes: object = {}): Promise<string> {
    const { json } = await gateway.submit(perpetualBody(changes as Record<string, unknown>));
    return String(json.value.portfolioId);
  }

  /** Publishes that half of it is filled while the schedule is at three quarters. */
  function fillHalf(id: string, version: number, orders = '100'): void {
    const record = must(gateway.operations.records.get(portfolioId(id)), 'it was submitted');
    const [leg] = record.legs;
    const half = {
      ...must(leg, 'it has a leg'),
      filled: '5000',
      remaining: '5000',
      scheduled: '7500',
      outstanding: orders,
    };
    const next = { ...record, updatedAt: NOW_MS + version, legs: [half] };
    gateway.operations.records.set(portfolioId(id), next as typeof record);
    gateway.bus.publish([
      {
        messageType: 'PORTFOLIO_FILLED',
        portfolio: portfolioId(id),
        version,
        account: accountId('10001'),
        at: instant(NOW_MS + version),
        record: next,
      } as unknown as PortfolioNews,
    ]);
  }

  test('a link opens the page once, leaves the address bar, and survives a reload', async () => {
    const code = await codeOf('open');
    const first = await visit(browser, `${gateway.url}/#code=${code}`);
    const second = await visit(browser, `${gateway.url}/#code=${code}`);
    visits.push(first, second);
    await first.page.getByRole('heading', { name: 'Blotter' }).waitFor();
    expect(first.page.url()).toBe(`${gateway.url}/`);
    await second.page.getByRole('heading', { name: 'Signed out' }).waitFor();
    await first.page.reload();
    await first.page.getByRole('heading', { name: 'Blotter' }).waitFor();
    expect(await first.page.evaluate('document.cookie')).toBe('');
    expect(await first.page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  });

  test('the blotter shows fills against the schedule as they are published', async () => {
    const id = await submit({ customizedNote: 'month end' });
    const { page } = await signIn();
    const row = page.locator(`[data-portfolio="${id}"]`);
    await row.getByText('month end').waitFor();
    await row.getByLabel('0.0% filled, 0.0% scheduled').waitFor();
    fillHalf(id, 2);
    await row.getByLabel('50.0% filled, 75.0% scheduled').waitFor();
    await row.getByText('behind 25.0%', { exact: true }).waitFor();
    await page.getByLabel('Search portfolios').fill('nothing of that name');
    await page.getByText('No portfolio matches.').waitFor();
  });

  test('the figures on top of the blotter are those of its portfolios, and what is not known says so', async () => {
    const id = await submit();
    await submit({ customizedNote: 'nothing filled yet' });
    fillHalf(id, 2);
    const { page } = await signIn();
    const figure = (name: string) => page.locator('.strip > div').filter({ hasText: name });
    await figure('At work').getByText('2 portfolios').waitFor();
    await figure('At work').getByText('1 behind').waitFor();
    await figure('Filled today').getByText('5,000 USD').waitFor();
    await figure('Money').getByText('paper').waitFor();
    await page.route('**/page/api/summary', (route) => route.abort());
    await page.reload();
    await figure('Late slices').getByText('not known').waitFor();
    await figure('Venues').getByText('not known').waitFor();
  });

  test('while trading is halted, every screen says who halted it, why, since when and how to resume', async () => {
    await gateway.request(`${TRADING}/switch`, {
      body: { scope: 'deployment', state: 'halted', reason: 'drill' },
    });
    const { page } = await signIn();
    const banner = page.getByRole('region', { name: 'Held back' });
    for (const screen of ['Blotter', 'Ticket', 'Risk and operations', 'Block RFQ']) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      await banner.getByText(/HALTED: the deployment/).waitFor();
      const said = await banner.textContent();
      expect(said).toMatch(/By taker desk since 2026-\d\d-\d\d \d\d:\d\d:\d\d UTC \(.*\): drill/);
      expect(said).toContain('To resume: press Resume, with a reason and a code of');
    }
    expect(await banner.getByRole('link').getAttribute('href')).toBe('#screen=risk');
    await banner.getByRole('button', { name: 'Resume the deployment' }).click();
    await page.getByRole('dialog', { name: 'Activate the deployment' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('a portfolio that a switch holds back says so in its row and on its screen', async () => {
    await submit({ customizedNote: 'held' });
    await gateway.request(`${TRADING}/switch`, {
      body: { scope: 'account', of: '10001', state: 'halted', reason: 'drill' },
    });
    const { page } = await signIn();
    const row = page.locator('[data-portfolio]');
    await row.getByText('held: account 10001 halted').waitFor();
    await row.getByText('by taker desk: drill').waitFor();
    await page.locator('.strip > div').getByText('1 held').waitFor();
    await row.getByRole('link').click();
    const state = page.locator('.portfolio').getByText('held: account 10001 halted');
    expect(await state.getAttribute('role')).toBe('status');
  });

  test('keys go from row to row, open one, search and list themselves, and can be switched off', async () => {
    await submit({ customizedNote: 'first' });
    await submit({ customizedNote: 'second' });
    const { page } = await signIn();
    await page.getByText('2 shown').waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    const names = await page.locator('[data-portfolio] a').allTextContents();
    await page.keyboard.press('j');
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press('j');
    expect(await focused()).toBe(names[1]);
    await page.keyboard.press('k');
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press('?');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('dialog').getByLabel('Use the keys of single characters').uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByLabel('Use the keys of single characters').check();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    expect(await page.getByLabel('Search portfolios').inputValue()).toBe('jk');
    await page.getByLabel('Search portfolios').fill('');
    await page.locator('[data-portfolio] a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: names[0] ?? '' }).waitFor();
  });

  test('an older record of a slow answer does not undo what was published since', async () => {
    const id = await submit();
    const { page } = await signIn();
    fillHalf(id, 5);
    await page.getByLabel('50.0% filled, 75.0% scheduled').waitFor();
    gateway.operations.records.delete(portfolioId(id));
    const old = await submit();
    const stale = must(gateway.operations.records.get(portfolioId(old)), 'it was submitted');
    gateway.bus.publish([
      {
        messageType: 'PORTFOLIO_SUBMITTED',
        portfolio: portfolioId(id),
        version: 1,
        account: accountId('10001'),
        at: instant(NOW_MS),
        record: { ...stale, portfolio: portfolioId(id) },
      } as unknown as PortfolioNews,
    ]);
    fillHalf(old, 3);
    await expect.poll(() => page.getByLabel('50.0% filled, 75.0% scheduled').count()).toBe(2);
  });

  test('over a slow network the blotter comes, continues live, and a halt is sent once', async () => {
    const id = await submit({ customizedNote: 'far away' });
    const { page } = await signIn();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 600,
      downloadThroughput: 40_000,
      uploadThroughput: 20_000,
    });
    await page.reload();
    const row = page.locator(`[data-portfolio="${id}"]`);
    await row.getByText('far away').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    fillHalf(id, 2);
    await row.getByLabel('50.0% filled, 75.0% scheduled').waitFor();
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/page/api/switch') && request.method() === 'POST') sent += 1;
    });
    await page.getByRole('button', { name: 'Halt…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type HALT').fill('HALT');
    const halt = dialog.getByRole('button', { name: 'Halt now' });
    await halt.dblclick();
    await dialog.getByText(/^Halted since .* by taker desk/).waitFor();
    expect(sent).toBe(1);
  });

  test('two thousand portfolios are a few dozen rows of the document, and all of them can be reached', async () => {
    const bodies = Array.from({ length: 300 }, (_, at) => ({ customizedNote: `n${at}` }));
    for (const body of bodies) {
      const form = perpetualBody(body);
      await gateway.submit(form);
      // The rates of a key are those of one client.
      gateway.nowMs += 100;
    }
    const [template] = gateway.operations.records.values();
    const record = must(template, 'one was submitted');
    for (let at = 300; at < 2_000; at += 1) {
      const id = portfolioId(String(1_776_000_000_000_000 + at));
      gateway.operations.records.set(id, { ...record, portfolio: id, note: `n${at}` });
    }
    const { page } = await signIn();
    await page.getByText('2,000 shown').waitFor();
    expect(await page.locator('[data-portfolio]').count()).toBeLessThan(100);
    await page.getByLabel('Search portfolios').fill('n1999');
    await page.getByText('1 shown').waitFor();
    await page.getByText('n1999').waitFor();
  });

  test('a view of the blotter is saved under a name, chosen again, and shown at the next start', async () => {
    await submit({ customizedNote: 'month end' });
    await submit({ customizedNote: 'basis' });
    const { page } = await signIn();
    await page.getByLabel('Search portfolios').fill('basis');
    await page.getByRole('button', { name: 'Time left' }).click();
    await page.getByRole('button', { name: 'Views…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Account').uncheck();
    await dialog.getByLabel('Save what is shown as').fill(MARKUP.slice(0, 40));
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await page.getByRole('columnheader', { name: 'Account' }).count()).toBe(0);
    await page.getByLabel('Search portfolios').fill('');
    await page.getByText('2 shown').waitFor();
    await page.getByLabel('View', { exact: true }).selectOption(MARKUP.slice(0, 40));
    await page.getByText('1 shown').waitFor();
    await page.getByRole('button', { name: 'Views…' }).click();
    await dialog.getByRole('button', { name: /^Start with/ }).click();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${gateway.url}/licences.txt`);
    await page.goto(`${gateway.url}/`);
    await page.getByText('1 shown').waitFor();
    const left = page.getByRole('columnheader', { name: 'Time left' });
    expect(await left.getAttribute('aria-sort')).toBe('ascending');
    expect(await page.getByRole('columnheader', { name: 'Account' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Views…' }).click();
    await dialog.getByRole('button', { name: /^Remove/ }).click();
    await expect.poll(() => page.getByLabel('View', { exact: true }).count()).toBe(0);
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  test('markup in texts of others stays text', async () => {
    const id = await submit({ customizedNote: MARKUP });
    await gateway.request(`${TRADING}/switch`, {
      body: { scope: 'deployment', state: 'reducing', reason: MARKUP },
    });
    const record = must(gateway.operations.records.get(portfolioId(id)), 'it was submitted');
    const legs = record.legs.map((leg) => ({ ...leg, waiting: MARKUP, instrument: MARKUP }));
    gateway.operations.records.set(portfolioId(id), {
      ...record,
      strategy: MARKUP,
      legs,
      status: 'cancelled',
      reason: MARKUP,
    } as unknown as typeof record);
    const { page } = await signIn();
    await page.getByLabel('Which portfolios').selectOption('all');
    await page.getByText(MARKUP).first().waitFor();
    await page.getByText('REDUCING').first().waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  test('the dialog of a halt reads which orders are open, as news has no message for one that is closed unfilled', async () => {
    const id = await submit();
    fillHalf(id, 2);
    const { page } = await signIn();
    await page.getByRole('button', { name: 'Halt…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of them has orders open now').waitFor();
    const record = must(gateway.operations.records.get(portfolioId(id)), 'it was submitted');
    const legs = record.legs.map((leg) => ({ ...leg, outstanding: '0' }));
    gateway.operations.records.set(portfolioId(id), { ...record, legs } as typeof record);
    await dialog.getByText('0 of them have orders open now').waitFor();
  });

  test('halting takes two presses and a word, sends once, and shows what the daemon says', async () => {
    const id = await submit();
    fillHalf(id, 2);
    const { page } = await signIn({ viewport: NARROW, hasTouch: true });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/page/api/switch')) sent.push(request.method());
    });
    await page.getByRole('button', { name: 'Halt…' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of them has orders open now').waitFor();
    const halt = dialog.getByRole('button', { name: 'Halt now' });
    expect(await halt.isDisabled()).toBe(true);
    await dialog.getByLabel('Type HALT').fill('halt');
    await halt.evaluate((button: { click(): void }) => {
      button.click();
      button.click();
    });
    await dialog.getByText(/^Halted since .* by taker desk: orders behave unexpectedly$/).waitFor();
    expect(sent).toEqual(['POST']);
    await dialog.getByText('1 portfolio still has orders open').waitFor();
    fillHalf(id, 3, '0');
    await dialog.getByText('No portfolio of your accounts has an order open.').waitFor();
    await page.getByText('HALTED', { exact: false }).first().waitFor();
    expect(await page.title()).toBe('HALTED · twapd');
  });

  test('by keyboard alone one can halt, and activate with a fresh code only', async () => {
    const { page } = await signIn();
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole('button', { name: 'Halt…' }).focus();
    await press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByLabel('Type HALT').focus();
    await page.keyboard.type('HALT');
    await press('Enter');
    await page.getByText(/^Halted since/).waitFor();
    await press('Escape');
    await page.getByRole('button', { name: 'Activate…' }).press('Enter');
    await page.getByLabel('Reason').fill('all clear');
    await page.getByLabel('One-time code').fill('AAAA-AAAA');
    await press('Enter');
    await page.getByText(/^Refused: .*fresh one/).waitFor();
    await page.getByLabel('One-time code').fill(await codeOf('confirm'));
    await press('Enter');
    await page.getByText(/^Active since .* by taker desk: all clear$/).waitFor();
  });

  test('on paper money a press activates, and no code is shown or sent', async () => {
    await gateway.close();
    gateway = await GatewayUnderTest.start({}, { page: pageOf('paper', true) });
    const { page } = await signIn();
    await page.getByRole('button', { name: 'Halt…' }).click();
    await page.getByLabel('Type HALT').fill('HALT');
    await page.getByRole('button', { name: 'Halt now' }).click();
    await page.getByText(/^Halted since/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('To resume: press Resume, with a reason.').waitFor();
    await page.getByRole('button', { name: 'Activate…' }).click();
    await page.getByText('Paper money: the press of the button confirms it.').waitFor();
    expect(await page.getByLabel('One-time code').count()).toBe(0);
    await page.getByLabel('Reason').fill('all clear');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByText(/^Active since .* by taker desk: all clear$/).waitFor();
  });

  test('a session that is ended elsewhere is shown as signed out at once', async () => {
    const { page } = await signIn();
    const { json } = await gateway.request(`${TRADING}/page-sessions`);
    await gateway.request(`${TRADING}/page-session-end`, { body: { id: json.value[0].id } });
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
  });

  test('a reload while the gateway does not answer asks again until it does, instead of signing out', async () => {
    const { page } = await signIn();
    await page.route('**/page/hello', (route) => route.abort());
    await page.reload();
    await page.getByText(/^The gateway does not answer .* Asking again/).waitFor();
    expect(await page.getByRole('heading', { name: 'Signed out' }).count()).toBe(0);
    await page.unroute('**/page/hello');
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('a page at another port can use neither the session nor its stream', async () => {
    const own = await signIn();
    const other = await GatewayUnderTest.start();
    try {
      const page = await own.page.context().newPage();
      await page.goto(`${other.url}/page/licences.txt`);
      const reached = await page.evaluate(async (url) => {
        const hello = await fetch(`${url}/page/hello`, {
          method: 'POST',
          body: '{}',
          credentials: 'include',
          mode: 'no-cors',
          headers: { 'content-type': 'text/plain' },
        }).then(
          (answer) => answer.type,
          () => 'failed',
        );
        const stream = await new Promise<string>((resolve) => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/api`);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('failed');
        });
        return { hello, stream };
      }, gateway.url);
      expect(['opaque', 'failed']).toContain(reached.hello);
      expect(reached.stream).toBe('failed');
    } finally {
      await other.close();
    }
  });

  test.each([
    ['wide, light', WIDE, 'light'],
    ['wide, dark', WIDE, 'dark'],
    ['phone, light', NARROW, 'light'],
    ['phone, dark', NARROW, 'dark'],
  ] as const)('every screen is accessible: %s', async (_name, viewport, colorScheme) => {
    await submit({ customizedNote: 'one' });
    fillHalf(await submit({ customizedNote: 'two' }), 2);
    const { page } = await signIn({ viewport, colorScheme });
    await page.getByText('one').first().waitFor();
    expect(await violations(page)).toEqual([]);
    const isWider = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(isWider)).toBe(false);
    await page.getByRole('button', { name: 'Halt…' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Type HALT').fill('HALT');
    await page.getByRole('button', { name: 'Halt now' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Activate…' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('what another key owns is not shown', async () => {
    await gateway.submit(perpetualBody({ accountId: 10002, customizedNote: 'not yours' }), {
      by: STRANGER,
    });
    await submit({ customizedNote: 'yours' });
    const { page } = await signIn();
    await page.getByText('yours').first().waitFor();
    expect(await page.getByText('not yours').count()).toBe(0);
  });
});
