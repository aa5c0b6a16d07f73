// What `start` prints once on a terminal when the daemon is ready: whether real money is traded, and where everything is.
import type { Traded } from '../../../gateway/page/hello-record.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { flowed, widthOf } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import { type Fact, factLines } from '../terminal/wrapped-lines.ts';

export interface BannerFacts extends Traded {
  readonly version: string;
  readonly url: string;
  readonly readyMs: number;
  /** `undefined`: the daemon gave none. */
  readonly link: { readonly address: string; readonly until: string } | undefined;
  readonly dataDir: string;
  /** `undefined`: it cannot be written. */
  readonly logPath: string | undefined;
}

const MONEY: Readonly<Record<Traded['money'], (venues: string) => string>> = {
  paper: () => paint.green('paper money'),
  test: (venues) => paint.yellow(`test money on ${venues}`),
  live: (venues) => paint.bold(paint.red(`LIVE: real money on ${venues}`)),
};
const NAME_WIDTH = 10;

/** Lines without line ends; only the link may be wider than the terminal, so that it can be copied. */
export function bannerLines(facts: BannerFacts, columns: number): readonly string[] {
  const { version, money, venues, url, readyMs, dataDir, logPath } = facts;
  const head = [
    paint.bold(`twapd ${version}`),
    MONEY[money](venues.join(', ')),
    `ready on ${url} after ${(readyMs / 1_000).toFixed(1)} s`,
  ];
  const below: readonly Fact[] = [
    ['metrics', `${url}/metrics`],
    ['documents', `docs/tutorial.md; of the interface: ${url}/docs`],
    ['data', dataDir],
    ['log', logPath ?? 'not kept'],
    ['commands', `${CLI_NAME} list, ${CLI_NAME} watch ID, ${CLI_NAME} --help`],
    ['stop', `${money === 'live' ? 'q twice' : 'q'} or Ctrl-C; open orders stay at the exchange`],
  ];
  return [
    '',
    ...flowed(head, { gap: '  ', columns, linesMax: head.length }),
    '',
    ...linkLines(facts, columns),
    ...factLines(below, columns, NAME_WIDTH).split('\n'),
    '',
  ];
}

function linkLines({ link, url }: BannerFacts, columns: number): readonly string[] {
  if (link === undefined) {
    const page: Fact = ['page', `${url} (no link could be made; ${CLI_NAME} open makes one)`];
    return factLines([page], columns, NAME_WIDTH).split('\n');
  }
  const { address, until } = link;
  const name = `${paint.dim('page'.padEnd(NAME_WIDTH))} `;
  const note = paint.dim(`good once, until ${until} UTC`);
  const isBeside = widthOf(name) + widthOf(address) <= columns;
  return isBeside ? [name + address, ' '.repeat(widthOf(name)) + note] : [name + note, address];
}
