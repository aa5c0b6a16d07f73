// The ticket from log-in to a portfolio at work, in a real browser.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { submitSchema } from '../../src/gateway/page/submit-schema-document.ts';
import {
  bare,
  type FieldSchema,
  kindOf,
  pathText,
} from '../../src/page/model/ticket/form-schema.ts';
import { perpetualBody } from '../gateway/gateway-under-test.ts';
import { hasBrowser, launch, NARROW, type Visit, violations, visit, WIDE } from './browser.ts';
import { type TicketStage, ticketStage } from './ticket-stage.ts';

const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true";

describe.runIf(hasBrowser)('the ticket', () => {
  let browser: Browser;
  let own: TicketStage;
  const visits: Visit[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    own = await ticketStage();
  });
  afterEach(async () => {
    const faults = visits.flatMap((one) => one.faults);
    for (const one of visits.splice(0)) await one.close();
    await own.close();
    expect(faults).toEqual([]);
  });

  async function show(options: Parameters<typeof visit>[2] = {}): Promise<Page> {
    const url = `${own.stage.gateway.url}/#code=${await own.stage.codeOf('open')}`;
    const opened = await visit(browser, url, options);
    visits.push(opened);
    await opened.page.getByRole('link', { name: 'Ticket' }).click();
    await opened.page.getByRole('heading', { name: 'Ticket', level: 1 }).waitFor();
    return opened.page;
  }

  const field = (page: Page, path: string) => page.locator(`[data-field="${path}"]`);

  async function addPerpetual(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Add a leg…' }).click();
    const picker = page.getByRole('dialog', { name: 'Pick an instrument' });
    await picker.getByLabel('Kind of instrument').selectOption('PERPETUAL');
    await picker.getByRole('button', { name: /^Buy BTC-PERPETUAL/ }).click();
  }

  async function writePortfolio(page: Page): Promise<void> {
    await addPerpetual(page);
    await field(page, 'legs[0].quantity').fill('6000');
    await page.getByText('60 slices of 100, from').waitFor();
  }

  test('the plan says how old it is, is made again as the market moves, one request at a time, and stays while it is submitted', async () => {
    const page = await show();
    let [open, most, made] = [0, 0, 0];
    page.on('request', (request) => {
      if (!request.url().endsWith('/page/api/plan')) return;
      open += 1;
      made += 1;
      most = Math.max(most, open);
    });
    const ended = (request: { url(): string }): void => {
      if (request.url().endsWith('/page/api/plan')) open -= 1;
    };
    page.on('requestfinished', ended);
    page.on('requestfailed', ended);
    await writePortfolio(page);
    await page.getByText(/^made \d+ s ago$/).waitFor();
    const before = made;
    await expect.poll(() => made, { timeout: 60_000 }).toBeGreaterThan(before + 1);
    expect(most).toBe(1);
    await page.route('**/page/api/plan', (route) => route.abort());
    await page.locator('.plan-pane .age.warn').waitFor();
    await page.getByText('60 slices of 100, from').waitFor();
    await page.unroute('**/page/api/plan');
    await page.locator('.plan-pane .age.warn').waitFor({ state: 'detached' });
    await openSubmit(page);
    await expect.poll(() => open).toBe(0);
    const during = made;
    await page.locator('.plan-pane .age.warn').waitFor();
    expect(made).toBe(during);
  });

  async function openSubmit(page: Page) {
    await page.getByRole('button', { name: 'Submit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit the portfolio' });
    await dialog.waitFor();
    for (const tick of await dialog.getByRole('checkbox').all()) await tick.check();
    return dialog;
  }

  /** Pressed once without a code, which the daemon then requests. */
  async function giveCode(dialog: Locator): Promise<void> {
    await dialog.getByRole('button', { name: 'Submit now' }).click();
    await dialog.getByText(/^Refused: .*code/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Submit now' }).isDisabled()).toBe(true);
    await dialog.getByLabel('One-time code').fill(await own.stage.codeOf('confirm'));
  }

  test('a refused field says so, is put right, and the portfolio is submitted once, with a code, and shown at work', async () => {
    const page = await show();
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/page/api/submit')) {
        keys.push(request.headers()['idempotency-key']);
      }
    });
    await addPerpetual(page);
    const quantity = field(page, 'legs[0].quantity');
    await quantity.fill('15');
    await page
      .locator('[id="field-legs[0].quantity-fault"]')
      .getByText(/accepted/)
      .waitFor();
    expect(await quantity.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'legs[0].quantity' }).click();
    expect(await page.locator(':focus').getAttribute('data-field')).toBe('legs[0].quantity');
    expect(await page.getByRole('button', { name: 'Submit…' }).isDisabled()).toBe(true);
    await quantity.fill('6000');
    await page.getByText('60 slices of 100, from').waitFor();
    await page.getByRole('img', { name: 'Slices of BTC-PERPETUAL' }).waitFor();
    const dialog = await openSubmit(page);
    await dialog.getByText('Buy 6000 BTC-PERPETUAL, 60 slices').waitFor();
    await giveCode(dialog);
    await dialog
      .getByRole('button', { name: 'Submit now' })
      .evaluate((button: { click(): void }) => {
        button.click();
        button.click();
      });
    await page.locator('.portfolio').waitFor();
    expect(page.url()).toMatch(/#portfolio=\d+$/);
    // Refused for want of a code, then made: the second press of the two sent nothing.
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(await page.evaluate("sessionStorage.getItem('twapd.ticket')")).toBeNull();
    const id = page.url().split('=').at(-1) ?? '';
    await own.stage.run(180_000);
    await expect.poll(() => own.stage.filled(id), { timeout: 60_000 }).not.toBe('0');
  });

  test('a submission without an answer is requested again with the same key, and made once', async () => {
    const page = await show();
    await writePortfolio(page);
    await giveCode(await openSubmit(page));
    const keys: (string | undefined)[] = [];
    await page.route('**/page/api/submit', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return await route.continue();
      await route.fetch();
      await route.abort();
    });
    const dialog = page.getByRole('dialog', { name: 'Submit the portfolio' });
    await dialog.getByRole('button', { name: 'Submit now' }).click();
    await dialog.getByText(/^No answer: .* submits it once\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    // Neither closing the dialog nor a reload makes another submission of it.
    await page.reload();
    await page.getByText('60 slices of 100, from').waitFor();
    const again = await openSubmit(page);
    await again.getByRole('button', { name: 'Submit now' }).click();
    await page.locator('.portfolio').waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    await page.goto(`${own.stage.gateway.url}/`);
    await page.getByText('1 shown').waitFor();
  });

  test('a ticket survives a reload, for as long as it is not cleared', async () => {
    const page = await show();
    await writePortfolio(page);
    await page.reload();
    await expect.poll(() => field(page, 'legs[0].quantity').inputValue()).toBe('6000');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Add a leg to see its plan.').waitFor();
    await page.reload();
    await page.getByText('Add a leg to see its plan.').waitFor();
  });

  test('an option is picked from the chain by its bid, which sells it, with its volatility and delta', async () => {
    const page = await show();
    await page.getByRole('button', { name: 'Add a leg…' }).click();
    const picker = page.getByRole('dialog', { name: 'Pick an instrument' });
    const bid = picker.getByRole('button', { name: /^Sell BTC-\w+-\d+-C at / }).first();
    await bid.waitFor();
    const row = bid.locator('xpath=ancestor::tr');
    // Delta and implied volatility of the call, and of the put.
    await expect.poll(() => row.textContent()).toMatch(/^[01]\.\d\d\d+\.\d.*\d\.\d-?[01]\.\d\d$/);
    const name = /BTC-\w+-\d+-C/.exec((await bid.getAttribute('aria-label')) ?? '')?.[0];
    await bid.click();
    await expect.poll(() => field(page, 'legs[0].instrument').inputValue()).toBe(name);
    expect(await field(page, 'legs[0].instrumentType').inputValue()).toBe('OPTION');
    expect(await field(page, 'legs[0].side').inputValue()).toBe('2');
    await page.getByRole('button', { name: 'Pick the instrument of leg 1' }).click();
    await picker.getByLabel('Search instruments by name').fill('eth perp');
    await picker.getByRole('button', { name: 'ETH-PERPETUAL', exact: true }).click();
    await expect.poll(() => field(page, 'legs[0].instrument').inputValue()).toBe('ETH-PERPETUAL');
    expect(await field(page, 'legs[0].side').inputValue()).toBe('2');
  });

  test('every property of the submit body has a field, with the help of the schema', async () => {
    const page = await show();
    await addPerpetual(page);
    const lists = ['escalation', 'wouldPrices', 'dummyAccountScales', 'priceSnapshot'];
    const titles = ['Escalation', 'Would prices', 'Dummy account scales', 'Price snapshot'];
    await page.evaluate(UNFOLD);
    for (const title of titles) await page.getByLabel(`Add to ${title}`, { exact: true }).click();
    const expected = leaves(submitSchema() as FieldSchema).filter(
      ([path]) => !path.startsWith('balanceTrade'),
    );
    expect(expected.length).toBeGreaterThan(60);
    expect(lists.every((name) => expected.some(([path]) => path.includes(name)))).toBe(true);
    for (const [path, help] of expected) {
      expect(await field(page, path).count(), path).toBe(1);
      const shown = await page.locator(`[id="field-${path}-help"]`).textContent();
      if (!path.endsWith('Timestamp')) expect(shown).toBe(help);
    }
    await field(page, 'portfolioType').selectOption('BALANCE');
    for (const [path] of leaves(submitSchema() as FieldSchema)) {
      if (path.startsWith('balanceTrade')) expect(await field(page, path).count(), path).toBe(1);
    }
  });

  test('a strategy is a template, and markup in its name and labels stays text', async () => {
    const { view } = own.strategies;
    own.strategies.view = async () => {
      const before = await view.call(own.strategies);
      const body = { ...perpetualBody(), strategy: MARKUP.slice(0, 64), customizedNote: MARKUP };
      const strategies = before.strategies.map((one) => ({ ...one, name: MARKUP, body }));
      return { ...before, strategies: strategies.slice(0, 1) };
    };
    const page = await show();
    await page.getByLabel('Template').selectOption(MARKUP);
    await expect.poll(() => field(page, 'customizedNote').inputValue()).toBe(MARKUP);
    expect(await field(page, 'legs[0].quantity').inputValue()).toBe('10000');
    await page.getByText('10 slices of 1000, from').waitFor();
    await page.getByRole('button', { name: 'As strategy…' }).click();
    const text = page.getByRole('dialog').getByRole('textbox');
    expect(await text.inputValue()).toContain(JSON.stringify(MARKUP));
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  test('by keyboard alone a portfolio is written and submitted', async () => {
    const page = await show();
    const press = (name: string) => page.getByRole('button', { name }).press('Enter');
    await press('Add a leg…');
    await page.getByLabel('Search instruments by name').focus();
    await page.keyboard.type('btc perpetual');
    await page.getByRole('button', { name: 'BTC-PERPETUAL', exact: true }).press('Enter');
    await field(page, 'legs[0].quantity').focus();
    await page.keyboard.type('6000');
    await page.getByText('60 slices of 100, from').waitFor();
    await page.getByRole('button', { name: 'Add a leg…' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await press('Submit…');
    const dialog = page.getByRole('dialog', { name: 'Submit the portfolio' });
    for (const tick of await dialog.getByRole('checkbox').all()) await tick.press('Space');
    await dialog.getByRole('button', { name: 'Submit now' }).press('Enter');
    await dialog.getByLabel('One-time code').focus();
    await page.keyboard.type(await own.stage.codeOf('confirm'));
    await page.keyboard.press('Enter');
    await page.locator('.portfolio').waitFor();
  });

  test.each([
    ['wide, light', WIDE, 'light'],
    ['wide, dark', WIDE, 'dark'],
    ['phone, light', NARROW, 'light'],
    ['phone, dark', NARROW, 'dark'],
  ] as const)(
    'the ticket and its dialogs are accessible: %s',
    async (_name, viewport, colorScheme) => {
      const page = await show({ viewport, colorScheme });
      await page.getByRole('button', { name: 'Add a leg…' }).click();
      const picker = page.getByRole('dialog', { name: 'Pick an instrument' });
      await picker
        .getByRole('button', { name: /^Sell BTC-/ })
        .first()
        .waitFor();
      expect(await violations(page)).toEqual([]);
      await picker.getByRole('button', { name: 'Back' }).click();
      await addPerpetual(page);
      await page
        .locator('[id="field-legs[0].quantity-fault"]')
        .getByText(/accepted/)
        .waitFor();
      expect(await violations(page)).toEqual([]);
      await field(page, 'legs[0].quantity').fill('6000');
      await page.getByText('60 slices of 100, from').waitFor();
      await page.evaluate(UNFOLD);
      await page.getByLabel('Add to Escalation', { exact: true }).click();
      expect(await violations(page)).toEqual([]);
      const isWider = 'document.documentElement.scrollWidth > innerWidth';
      expect(await page.evaluate(isWider)).toBe(false);
      await page.getByRole('button', { name: 'Remove 1 of Escalation' }).click();
      await page.getByText('60 slices of 100, from').waitFor();
      await giveCode(await openSubmit(page));
      expect(await violations(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
      await page.getByRole('button', { name: 'As program…' }).click();
      await page.getByRole('dialog').getByRole('textbox').waitFor();
      expect(await violations(page)).toEqual([]);
    },
  );
});

/** Path and help of every field without fields of its own; lists by their first item. */
function leaves(
  of: FieldSchema,
  path: readonly (string | number)[] = [],
): readonly (readonly [string, string | undefined])[] {
  const schema = bare(of);
  switch (kindOf(schema, String(path.at(-1) ?? ''))) {
    case 'object':
      return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
        leaves(inner, [...path, name]),
      );
    case 'list':
      return leaves(schema.items ?? {}, [...path, 0]);
    default:
      return [[pathText(path), schema.description]];
  }
}
