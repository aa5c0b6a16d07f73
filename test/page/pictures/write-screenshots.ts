// Writes the pictures of docs/page: the page over a gateway whose portfolios come from a fixed seed, at a fixed time. With a
// folder, and names of screens if not all are meant, it writes every screen at every width and in both themes there.
import { mkdirSync } from 'node:fs';
import process from 'node:process';
import type { Browser } from 'playwright-core';
import { launch, NARROW, type Visit, visit } from '../browser.ts';
import { PortfolioStage } from '../portfolio-stage.ts';
import { blotterStage, PORTFOLIOS } from './blotter-stage.ts';
import { writeDeskPictures } from './desk-pictures.ts';
import { writeEveryScreen } from './every-screen.ts';
import { writeOperationsPictures } from './operations-pictures.ts';
import { writeTicketPictures } from './ticket-pictures.ts';

const FOLDER = 'docs/page';
const MINUTE_MS = 60_000;

/** One portfolio that an engine has traded for 25 minutes, on a market that is the same in every run. */
async function portfolioPictures(browser: Browser): Promise<void> {
  const stage = await PortfolioStage.open();
  const note = { customizedNote: 'month-end roll' };
  const id = await stage.submit({ ...stage.resting('99980', '12000'), ...note });
  await stage.run(25 * MINUTE_MS);
  const enterStage = async (options: Parameters<typeof visit>[2]): Promise<Visit> => {
    const code = await stage.codeOf('open');
    const opened = await visit(browser, `${stage.gateway.url}/#code=${code}`, options);
    await opened.page.locator(`[data-portfolio="${id}"] a`).click();
    await opened.page.getByText(/positive is a cost/).waitFor();
    await opened.page.getByRole('img', { name: /^Prices of/ }).waitFor();
    return opened;
  };
  const desk = await enterStage({
    viewport: { width: 1_200, height: 1_000 },
    colorScheme: 'light',
  });
  await desk.page.screenshot({ path: `${FOLDER}/portfolio.png` });
  const pocket = await enterStage({ viewport: NARROW, colorScheme: 'dark' });
  await pocket.page.screenshot({ path: `${FOLDER}/portfolio-phone.png` });
  await desk.page.getByRole('button', { name: 'Amend…' }).click();
  await desk.page.getByLabel(/^Total of/).fill('18000');
  await desk.page.getByLabel('One-time code').waitFor();
  await desk.page.getByText('What it will be').waitFor();
  await desk.page.screenshot({ path: `${FOLDER}/amend.png` });
  await stage.close();
}

/** The blotter, and halting on a phone. */
async function blotterPictures(browser: Browser): Promise<void> {
  const own = await blotterStage();
  const enter = async (options: Parameters<typeof visit>[2]): Promise<Visit> => {
    const url = `${own.stage.gateway.url}/#code=${await own.codeOf('open')}`;
    const opened = await visit(browser, url, options);
    await opened.page.getByText('live', { exact: true }).waitFor();
    await opened.page.getByText(`${PORTFOLIOS} shown`).waitFor();
    return opened;
  };
  const wide = await enter({ viewport: { width: 1_200, height: 640 }, colorScheme: 'light' });
  await wide.page.screenshot({ path: `${FOLDER}/blotter.png` });
  const phone = await enter({ viewport: NARROW, colorScheme: 'dark' });
  await phone.page.screenshot({ path: `${FOLDER}/phone.png` });
  await phone.page.getByRole('button', { name: 'Halt…' }).click();
  await phone.page.getByLabel('Type HALT').fill('HALT');
  await phone.page.screenshot({ path: `${FOLDER}/halt.png` });
  await own.stage.close();
}

async function writePictures(browser: Browser): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await blotterPictures(browser);
  await writeOperationsPictures(browser, FOLDER);
  await writeTicketPictures(browser, FOLDER);
  await writeDeskPictures(browser, FOLDER);
  await portfolioPictures(browser);
}

const [folder, ...screens] = process.argv.slice(2);
const browser = await launch();
try {
  if (folder === undefined) await writePictures(browser);
  else await writeEveryScreen(browser, folder, screens);
} finally {
  await browser.close();
}
