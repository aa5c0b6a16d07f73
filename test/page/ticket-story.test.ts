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
/** At two keys a second, what a person types in a minute. */
const STROKES_MOST = 120;
const PRICED = ['price', 'priceIn', 'dynamicPriceStrategy', 'dynamicPriceOffset', 'dynamicMs'];
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

  async function show(
    options: Parameters<typeof visit>[2] = {},
    first: 'Ticket' | 'Blotter' = 'Ticket',
  ): Promise<Page> {
    const url = `${own.stage.gateway.url}/#code=${await own.stage.codeOf('open')}`;
    const opened = await visit(browser, url, options);
    visits.push(opened);
    if (first === 'Ticket') await opened.page.getByRole('link', { name: 'Ticket' }).click();
    await opened.page.getByRole('heading', { name: first, level: 1 }).waitFor();
    return opened.page;
  }

  const field = (page: Page, path: string) => page.locator(`[data-field="${path}"]`);

  /** Of the first leg. */
  const side = (page: Page, name: 'Buy' | 'Sell') =>
    field(page, 'legs[0].side').getByRole('radio', { name });

  async function choosePerpetual(page: Page): Promise<void> {
    await field(page, 'legs[0].instrument').fill('btc perpetual');
    await page.getByRole('option', { name: 'BTC-PERPETUAL', exact: true }).click();
  }

  async function addPerpetual(page: Page): Promise<void> {
    await choosePerpetual(page);
    await side(page, 'Buy').check();
  }

  async function writePortfolio(page: Page): Promise<void> {
    await addPerpetual(page);
    await field(page, 'legs[0].quantity').fill('6000');
    await page.getByText('60 slices of 100 USD, one every 1 min, from now').waitFor();
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
    await page.getByText('60 slices of 100 USD, one every 1 min, from now').waitFor();
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
    await page.getByRole('button', { name: 'Size of leg 1' }).click();
    expect(await page.locator(':focus').getAttribute('data-field')).toBe('legs[0].quantity');
    expect(await page.getByRole('button', { name: 'Submit…' }).isDisabled()).toBe(true);
    await quantity.fill('6000');
    await page.getByText('60 slices of 100 USD, one every 1 min, from now').waitFor();
    await page.getByRole('img', { name: 'Slices of BTC-PERPETUAL' }).waitFor();
    const dialog = await openSubmit(page);
    await dialog.getByText('Buy 6,000 USD of BTC-PERPETUAL, 60 slices').waitFor();
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
    await page.getByText('60 slices of 100 USD, one every 1 min, from now').waitFor();
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
    await page.getByText('Choose an instrument to see the plan.').waitFor();
    await page.reload();
    await page.getByText('Choose an instrument to see the plan.').waitFor();
  });

  test('an option is picked from the chain by its bid, which sells it, with its volatility and delta', async () => {
    const page = await show();
    await page.getByRole('button', { name: 'Pick the instrument of leg 1' }).click();
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
    expect(await side(page, 'Sell').isChecked()).toBe(true);
    const focused = page.locator(':focus');
    await expect.poll(() => focused.getAttribute('data-field')).toBe('legs[0].quantity');
    await page.getByRole('button', { name: 'Pick the instrument of leg 1' }).click();
    await picker.getByLabel('Search instruments by name').fill('eth perp');
    await picker.getByRole('button', { name: 'ETH-PERPETUAL', exact: true }).click();
    await expect.poll(() => field(page, 'legs[0].instrument').inputValue()).toBe('ETH-PERPETUAL');
    expect(await side(page, 'Sell').isChecked()).toBe(true);
  });

  test.each([
    ['MARKET', []],
    ['LIMIT', ['price', 'priceIn']],
    ['DYNAMIC', ['priceIn', 'dynamicPriceStrategy', 'dynamicPriceOffset', 'dynamicMs']],
  ])(
    'every property of the submit body has a field, with the help of the schema, but for those that the price type %s has not',
    async (priceType, has) => {
      const page = await show();
      await addPerpetual(page);
      await page.evaluate(UNFOLD);
      await field(page, 'legs[0].priceOptions.priceType').selectOption(priceType);
      for (const title of [
        'Escalation',
        'Would prices',
        'Dummy account scales',
        'Price snapshot',
      ]) {
        await page.getByLabel(`Add to ${title}`, { exact: true }).click();
      }
      const all = leaves(submitSchema() as FieldSchema);
      expect(all.length).toBeGreaterThan(60);
      const lists = ['escalation', 'wouldPrices', 'dummyAccountScales', 'priceSnapshot'];
      expect(lists.every((name) => all.some(([path]) => path.includes(name)))).toBe(true);
      for (const [path, help] of all.filter(([name]) => !name.startsWith('balanceTrade'))) {
        const name = path.split('.').at(-1) ?? '';
        const isOther =
          PRICED.includes(name) && path.includes('priceOptions') && !has.includes(name);
        expect(await field(page, path).count(), path).toBe(isOther ? 0 : 1);
        if (isOther || path.endsWith('Timestamp')) continue;
        expect(await page.locator(`[id="field-${path}-help"]`).textContent()).toBe(help);
      }
      await field(page, 'portfolioType').selectOption('BALANCE');
      for (const [path] of all.filter(([name]) => name.startsWith('balanceTrade'))) {
        expect(await field(page, path).count(), path).toBe(1);
      }
    },
  );

  test('nothing is called wrong before it was typed in: what is empty is still to be filled in', async () => {
    const page = await show();
    const focused = page.locator(':focus');
    await expect.poll(() => focused.getAttribute('data-field')).toBe('legs[0].instrument');
    await choosePerpetual(page);
    const missing = page.getByText('Still to fill in:');
    await missing.waitFor();
    await expect.poll(() => missing.textContent()).toMatch(/Side of leg 1.*Size of leg 1$/);
    expect(
      await page.locator('.ticket :is(.wrong, [aria-invalid], .bad:not(:empty))').count(),
    ).toBe(0);
    expect(await page.getByRole('button', { name: 'Submit…' }).isDisabled()).toBe(true);
    await field(page, 'legs[0].quantity').fill('many');
    await page.locator('.wrong [data-field="legs[0].quantity"]').waitFor();
    expect(await page.locator('.wrong').count()).toBe(1);
    // What was typed in and then emptied is wrong.
    await field(page, 'legs[0].quantity').fill('');
    await expect.poll(() => missing.textContent()).toMatch(/: Side of leg 1$/);
    expect(await page.locator('.wrong [data-field="legs[0].quantity"]').count()).toBe(1);
  });

  test('a duration is written in words, sent in seconds, and wrong text is refused at its field', async () => {
    const page = await show();
    await addPerpetual(page);
    await field(page, 'legs[0].quantity').fill('6000');
    const duration = page.getByLabel('Duration');
    expect(await duration.inputValue()).toBe('1 h');
    await duration.fill('30 min');
    await page.getByText('30 slices of 200 USD, one every 1 min, from now').waitFor();
    await duration.fill('soon');
    await page.locator('.wrong [data-field="twapTrade.durationSec"]').waitFor();
    await duration.fill('5400');
    await page.getByText('90 slices of').waitFor();
    await duration.blur();
    await expect.poll(() => duration.inputValue()).toBe('1 h 30 min');
  });

  test('what is under Advanced is closed at first, and stays as it was left while one goes to other screens', async () => {
    const page = await show();
    const advanced = page.locator('details.part');
    const isOpen = () => advanced.evaluate((one: { open: boolean }) => one.open);
    expect(await isOpen()).toBe(false);
    await addPerpetual(page);
    await page.getByText('Advanced').click();
    expect(await isOpen()).toBe(true);
    await page.getByText('Timing and size').click();
    await page.getByLabel('Random size').fill('0.2');
    await page.getByRole('link', { name: 'Blotter' }).click();
    await page.getByRole('link', { name: 'Ticket' }).click();
    await expect.poll(isOpen).toBe(true);
    expect(await field(page, 'execution.randomSize').inputValue()).toBe('0.2');
    await page.getByText('Advanced (1 set)').click();
    await field(page, 'legs[0].quantity').fill('6000');
    await page.getByText('60 slices of').waitFor();
    expect(await isOpen()).toBe(false);
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
    await page.getByText('10 slices of 1,000 USD, one every 1 min, from now').waitFor();
    await page.getByText('Advanced', { exact: false }).first().click();
    await page.getByRole('button', { name: 'As strategy…' }).click();
    const text = page.getByRole('dialog').getByRole('textbox');
    expect(await text.inputValue()).toContain(JSON.stringify(MARKUP));
    expect(await page.locator('img, main script').count()).toBe(0);
  });

  test(`a trader submits a hedged option TWAP from nothing by keyboard, in at most ${STROKES_MOST} keystrokes`, async () => {
    const page = await show({}, 'Blotter');
    let strokes = 0;
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
      strokes += keys.length;
    };
    const write = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      strokes += text.length;
    };
    const focused = () => page.evaluate('document.activeElement?.textContent');
    const reach = async (what: Locator): Promise<void> => {
      const hasFocus = (one: { matches(selector: string): boolean }) => one.matches(':focus');
      await expect.poll(() => what.evaluate(hasFocus)).toBe(true);
    };
    let sent: Record<string, unknown> = {};
    page.on('request', (request) => {
      if (request.url().endsWith('/page/api/submit')) sent = request.postDataJSON();
    });
    const link = page.getByRole('link', { name: 'Ticket' });
    for (let tabs = 0; tabs < 10 && (await focused()) !== 'Ticket'; tabs += 1) {
      await press('Tab');
    }
    await reach(link);
    await press('Enter');
    await reach(field(page, 'legs[0].instrument'));
    await write('btc 25dec26 100000 c');
    await page.getByRole('option', { name: 'BTC-25DEC26-100000-C' }).waitFor();
    await press('Enter');
    await reach(side(page, 'Buy'));
    await press('b', 'Tab');
    await reach(field(page, 'legs[0].quantity'));
    await write('6');
    await press('Tab');
    await reach(page.getByLabel('Duration'));
    await write('30 min');
    await press('Tab', 'ArrowDown', 'Tab');
    expect(await page.getByLabel('How patient').inputValue()).toBe('mid');
    const hedge = page.getByRole('checkbox', { name: 'Hedge the delta' });
    await reach(hedge);
    await press('Space');
    await expect.poll(() => field(page, 'legs[1].quantity').inputValue()).toMatch(/^[1-9]\d*0$/);
    await page
      .getByText(/^Buy BTC-25DEC26-100000-C: 30 slices of 0.2 BTC, one every 1 min/)
      .waitFor();
    await page
      .getByText(/^Sell BTC-PERPETUAL: up to [\d,]+ USD, as the other legs fill\.$/)
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Submit…' }).isEnabled()).toBe(true);
    await press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Submit the portfolio' });
    await dialog.waitFor();
    for (const tick of await dialog.getByRole('checkbox').all()) {
      await reach(tick);
      await press('Space', 'Tab');
    }
    // Neither the first press of Enter nor the second submits: the focus is where one goes back.
    await reach(dialog.getByRole('button', { name: 'Back' }));
    await press('Tab');
    await reach(dialog.getByRole('button', { name: 'Submit now' }));
    await press('Enter');
    await reach(dialog.getByLabel('One-time code'));
    await write(await own.stage.codeOf('confirm'));
    await press('Enter');
    await page.locator('.portfolio').waitFor();
    expect(sent).toMatchObject({
      twapTrade: { durationSec: 1_800, frequencySec: 60 },
      legs: [
        {
          instrument: 'BTC-25DEC26-100000-C',
          instrumentType: 'OPTION',
          side: 1,
          quantity: '6',
          priceOptions: { priceType: 'DYNAMIC', dynamicPriceStrategy: 'MID', priceIn: 'BTC' },
        },
        {
          instrument: 'BTC-PERPETUAL',
          instrumentType: 'PERPETUAL',
          side: 2,
          hedge: true,
          priceOptions: { priceType: 'MARKET' },
        },
      ],
    });
    expect(strokes).toBeLessThanOrEqual(STROKES_MOST);
  });

  test('the hedge is sized again with the size it hedges, until somebody writes its size, and goes with its switch', async () => {
    const page = await show();
    await field(page, 'legs[0].instrument').fill('btc 25dec26 100000 c');
    await page.getByRole('option', { name: 'BTC-25DEC26-100000-C' }).click();
    const hedge = page.getByRole('checkbox', { name: 'Hedge the delta' });
    await side(page, 'Sell').check();
    await field(page, 'legs[0].quantity').fill('2');
    await hedge.check();
    const size = field(page, 'legs[1].quantity');
    await expect.poll(() => size.inputValue()).toMatch(/^[1-9]\d*0$/);
    const bought = field(page, 'legs[1].side').getByRole('radio', { name: 'Buy' });
    expect(await bought.isChecked()).toBe(true);
    const single = Number(await size.inputValue());
    await field(page, 'legs[0].quantity').fill('4');
    // Prices move meanwhile: about twice as much.
    await expect.poll(async () => Number(await size.inputValue())).toBeGreaterThan(1.9 * single);
    await size.fill('10');
    await field(page, 'legs[0].quantity').fill('2');
    await page.getByText('That calls for another hedge:').waitFor();
    expect(await size.inputValue()).toBe('10');
    await page.getByRole('button', { name: /^Buy [\d,]+ USD$/ }).click();
    await expect.poll(async () => Number(await size.inputValue())).toBeGreaterThan(0.9 * single);
    await hedge.uncheck();
    await expect.poll(() => size.count()).toBe(0);
    await choosePerpetual(page);
    await page.getByText('For options and spot.').waitFor();
    expect(await hedge.isDisabled()).toBe(true);
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
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Pick the instrument of leg 1' }).click();
      const picker = page.getByRole('dialog', { name: 'Pick an instrument' });
      await picker
        .getByRole('button', { name: /^Sell BTC-/ })
        .first()
        .waitFor();
      expect(await violations(page)).toEqual([]);
      await picker.getByRole('button', { name: 'Back' }).click();
      await field(page, 'legs[0].instrument').fill('btc');
      await page.getByRole('listbox').getByRole('option').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await addPerpetual(page);
      await field(page, 'legs[0].quantity').fill('15');
      await page
        .locator('[id="field-legs[0].quantity-fault"]')
        .getByText(/accepted/)
        .waitFor();
      expect(await violations(page)).toEqual([]);
      await field(page, 'legs[0].quantity').fill('6000');
      await page.getByText('60 slices of 100 USD, one every 1 min, from now').waitFor();
      await page.evaluate(UNFOLD);
      await page.getByLabel('Add to Escalation', { exact: true }).click();
      expect(await violations(page)).toEqual([]);
      const isWider = 'document.documentElement.scrollWidth > innerWidth';
      expect(await page.evaluate(isWider)).toBe(false);
      await page.getByRole('button', { name: 'Remove 1 of Escalation' }).click();
      await page.getByText('60 slices of 100 USD, one every 1 min, from now').waitFor();
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
