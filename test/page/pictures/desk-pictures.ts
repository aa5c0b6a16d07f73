// The pictures of the screens of the desk in docs/page.
import type { Browser } from 'playwright-core';
import { centre, NARROW, visit } from '../browser.ts';
import { type DeskStage, deskStage, MAKER } from '../desk-stage.ts';

const WINDOW = { width: 1_200, height: 900 };

export async function writeDeskPictures(browser: Browser, folder: string): Promise<void> {
  const desk = await deskStage();
  const { stage } = desk;
  await desk.bestBid('1230');
  await desk.rest('example');
  // The market of the exchange stands still from here on.
  stage.holdTime();
  const show = async (screen: string, options: Parameters<typeof visit>[2]) => {
    const url = `${stage.gateway.url}/#code=${await desk.codeOf('open')}`;
    const { page } = await visit(browser, url, options);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('link', { name: screen }).click();
    return page;
  };
  const chain = await show('Option chain', { viewport: WINDOW, colorScheme: 'light' });
  await chain
    .getByRole('link', { name: /^Bid of BTC-.*-P: \d/ })
    .last()
    .waitFor();
  await chain.screenshot({ path: `${folder}/chain.png` });
  const phone = await show('Option chain', { viewport: NARROW, colorScheme: 'dark' });
  await phone
    .getByRole('link', { name: /^Bid of BTC-.*-C: \d/ })
    .last()
    .waitFor();
  await phone.screenshot({ path: `${folder}/chain-phone.png` });
  const ladder = await show('Ladder and orders', { viewport: WINDOW, colorScheme: 'light' });
  await ladder.getByRole('cell', { name: 'example' }).waitFor();
  await ladder.getByRole('row', { name: /bid$/ }).first().waitFor();
  await ladder.screenshot({ path: `${folder}/ladder.png` });
  const order = await show('Ladder and orders', { viewport: NARROW, colorScheme: 'dark' });
  await order.getByRole('row', { name: /bid$/ }).first().waitFor();
  await order.getByLabel('Size in USD').fill('1000');
  await order.getByLabel('Type').selectOption('market');
  await order.getByRole('button', { name: 'Buy…' }).click();
  await order.getByRole('dialog').waitFor();
  await order.screenshot({ path: `${folder}/order-phone.png` });
  await writeRfqPictures(browser, folder, desk);
  await stage.close();
}

/** What was asked with a quote on it, as its taker and its maker see it. */
async function writeRfqPictures(browser: Browser, folder: string, desk: DeskStage): Promise<void> {
  const { result } = await desk.createRfq();
  await desk.quote();
  // The exchange has a clock of its own, by which the RFQ ends.
  desk.stage.gateway.nowMs = result.createdAt;
  const show = async (by: typeof MAKER, options: Parameters<typeof visit>[2]) => {
    const url = `${desk.stage.gateway.url}/#code=${await desk.codeOf('open', by)}`;
    const { page } = await visit(browser, url, options);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Block RFQ' }).click();
    return page;
  };
  const taker = await show(desk.taker, { viewport: WINDOW, colorScheme: 'light' });
  await taker.getByRole('button', { name: /^Buy at / }).waitFor();
  await centre(taker.getByRole('button', { name: /^Buy at / }));
  await taker.screenshot({ path: `${folder}/rfq.png` });
  const maker = await show(MAKER, { viewport: WINDOW, colorScheme: 'dark' });
  await maker.getByRole('button', { name: /^Edit quote/ }).click();
  await maker.getByRole('dialog').waitFor();
  await maker.screenshot({ path: `${folder}/rfq-quote.png` });
}
