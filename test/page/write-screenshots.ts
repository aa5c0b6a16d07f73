// Writes the pictures of docs/page: the page over a gateway whose portfolios come from a fixed seed, at a fixed time.
import { mkdirSync } from 'node:fs';
import type { PortfolioSummary } from '../../src/core/portfolio/summary/portfolio-summary.ts';
import { must } from '../../src/values/assert.ts';
import { portfolioId } from '../../src/values/ids.ts';
import { rng } from '../../src/values/rng.ts';
import { NOON } from '../adapters/paper/paper-stage.ts';
import { GatewayUnderTest, perpetualBody } from '../gateway/gateway-under-test.ts';
import { launch, NARROW, type Visit, visit } from './browser.ts';
import { writeDeskPictures } from './desk-pictures.ts';
import { writeOperationsPictures } from './operations-pictures.ts';
import { PortfolioStage } from './portfolio-stage.ts';
import { writeTicketPictures } from './ticket-pictures.ts';

const FOLDER = 'docs/page';
const MINUTE_MS = 60_000;
const INSTRUMENTS = ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC-25DEC26', 'BTC-29JAN27-90000-C'];
const NOTES = [
  'month-end roll',
  'hedge of the book',
  'basis',
  'call overwrite',
  'rebalance',
  'client 4711',
];
const PORTFOLIOS = 16;

const random = rng('pictures of the page');
const pick = <T>(values: readonly T[]): T =>
  must(values[Math.floor(random.next() * values.length)], 'the list is not empty');

function portfolio(template: PortfolioSummary, at: number): PortfolioSummary {
  const startAt = NOON - Math.floor(random.next() * 50) * MINUTE_MS;
  const endAt = startAt + (60 + at * 7) * MINUTE_MS;
  const total = 100 * (1 + Math.floor(random.next() * 400));
  const due = Math.floor((total * (NOON - startAt)) / (endAt - startAt));
  const filled = Math.floor(due * (0.85 + random.next() * 0.15));
  const isWaiting = random.next() < 0.15;
  return {
    ...template,
    portfolio: portfolioId(String(NOON * 1_000 + at)),
    startAt,
    endAt,
    note: pick(NOTES),
    submittedAt: startAt - MINUTE_MS,
    updatedAt: NOON,
    ...(at === 5 && { paused: { by: '7001', at: NOON - 4 * MINUTE_MS } }),
    legs: template.legs.map((leg) => ({
      ...leg,
      instrument: pick(INSTRUMENTS),
      side: pick(['buy', 'sell'] as const),
      quantity: String(total),
      filled: String(filled),
      scheduled: String(due),
      remaining: String(total - filled),
      outstanding: isWaiting ? '0' : '100',
      ...(isWaiting && { waiting: 'no fresh quote' as never }),
    })),
  };
}

async function gatewayOfPictures(): Promise<GatewayUnderTest> {
  const gateway = await GatewayUnderTest.start();
  gateway.nowMs = NOON;
  await gateway.submit(perpetualBody());
  const { records } = gateway.operations;
  const [template] = records.values();
  records.clear();
  for (let at = 0; at < PORTFOLIOS; at += 1) {
    const made = portfolio(must(template, 'it was submitted'), at);
    records.set(made.portfolio, made);
  }
  return gateway;
}

/** One portfolio that an engine has traded for 25 minutes, on a market that is the same in every run. */
async function portfolioPictures(): Promise<void> {
  const stage = await PortfolioStage.open();
  const note = { customizedNote: 'month-end roll' };
  const id = await stage.submit({ ...stage.resting('99980', '12000'), ...note });
  await stage.run(25 * MINUTE_MS);
  const own = await launch();
  const enterStage = async (options: Parameters<typeof visit>[2]): Promise<Visit> => {
    const code = await stage.codeOf('open');
    const opened = await visit(own, `${stage.gateway.url}/#code=${code}`, options);
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
  await own.close();
  await stage.close();
}

mkdirSync(FOLDER, { recursive: true });
const gateway = await gatewayOfPictures();
const browser = await launch();
const enter = async (options: Parameters<typeof visit>[2]): Promise<Visit> => {
  const body = { purpose: 'open' };
  const { json } = await gateway.request('/tt/broker/openapi/trading/page-code', { body });
  const opened = await visit(browser, `${gateway.url}/#code=${json.value.code}`, options);
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
await gateway.close();
await writeOperationsPictures(browser, FOLDER);
await writeTicketPictures(browser, FOLDER);
await writeDeskPictures(browser, FOLDER);
await browser.close();
await portfolioPictures();
