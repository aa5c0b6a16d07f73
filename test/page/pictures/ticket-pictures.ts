// The pictures of the ticket in docs/page.
import type { Browser, Page } from 'playwright-core';
import { NARROW, visit } from '../browser.ts';
import { ticketStage } from '../ticket-stage.ts';

const WINDOW = { width: 1_300, height: 1_000 };

export async function writeTicketPictures(browser: Browser, folder: string): Promise<void> {
  const own = await ticketStage();
  const show = async (options: Parameters<typeof visit>[2]): Promise<Page> => {
    const code = await own.stage.codeOf('open');
    const { page } = await visit(browser, `${own.stage.gateway.url}/#code=${code}`, options);
    await page.getByRole('link', { name: 'Ticket' }).click();
    await page.getByRole('button', { name: 'Pick the instrument of leg 1' }).click();
    return page;
  };
  const write = async (page: Page): Promise<void> => {
    await page.getByLabel('Kind of instrument').selectOption('PERPETUAL');
    await page.getByRole('button', { name: /^Buy BTC-PERPETUAL at/ }).click();
    await page.locator('[data-field="legs[0].quantity"]').fill('60000');
    await page.getByText('60 slices of 1,000 USD').waitFor();
    await page.getByText('Greeks').waitFor();
  };
  const desk = await show({ viewport: WINDOW, colorScheme: 'light' });
  await desk.getByLabel('Expiry').selectOption({ index: 4 });
  await desk
    .getByRole('button', { name: /^Sell BTC-.*-C at/ })
    .first()
    .waitFor();
  await desk.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
  await desk.screenshot({ path: `${folder}/picker.png` });
  await write(desk);
  await desk.screenshot({ path: `${folder}/ticket.png` });
  const phone = await show({ viewport: NARROW, colorScheme: 'dark' });
  await write(phone);
  await phone.getByRole('heading', { name: 'Plan' }).scrollIntoViewIfNeeded();
  await phone.screenshot({ path: `${folder}/ticket-phone.png` });
  await own.close();
}
