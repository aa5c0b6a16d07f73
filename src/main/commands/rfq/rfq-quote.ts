// `rfq quote ID`: quotes on an RFQ, on one side or both, at prices given per leg or around the mark prices.
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { readPercent, readPrices, readSeconds } from './rfq-arguments.ts';
import { RfqDaemon, type RfqOptions, withRfqOptions } from './rfq-daemon.ts';
import { pricesAround } from './rfq-marks.ts';
import { type QuoteView, quoteTable, type RfqView } from './rfq-text.ts';

interface Options extends RfqOptions {
  readonly buy?: readonly string[];
  readonly sell?: readonly string[];
  readonly spread?: number;
  readonly quantity?: string;
  readonly allOrNone?: boolean;
  readonly label?: string;
  readonly seconds?: number;
  readonly mmpGroup?: string;
}

type Side = 'buy' | 'sell';

export const addRfqQuote: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('quote'))
    .description('quote on a Block RFQ; for makers')
    .argument('<id>', `the maker's id of the RFQ; see: ${CLI_NAME} rfq list --key KEY`)
    .option('--buy <prices>', 'bid, a price per leg in their order: 0.051/0.02', readPrices)
    .option('--sell <prices>', 'offer, a price per leg in their order', readPrices)
    .option('--spread <percent>', 'both sides, this far around the marks', readPercent)
    .option('-q, --quantity <size>', 'size (default: that of the RFQ)')
    .option('--all-or-none', 'the whole quantity or nothing')
    .option('-l, --label <label>', 'label of your own')
    .option('--seconds <sec>', 'end of the quote (default: that of the RFQ)', readSeconds)
    .option('--mmp-group <group>', 'group of market maker protection')
    .action(async (id: string, options: Options) => {
      const daemon = new RfqDaemon(options);
      const rfq = await findRfq(daemon, id);
      const quotes: QuoteView[] = [];
      for (const [side, prices] of await sides(daemon, rfq, options)) {
        const params = quoteParams(rfq, options, { side, prices });
        quotes.push(await daemon.get<QuoteView>('create_quote', params));
      }
      terminal.print(options.json ? jsonText(quotes) : quoteTable(quotes, terminal.columns()));
    });
};

export async function findRfq(daemon: RfqDaemon, id: string): Promise<RfqView> {
  const found = await daemon.get<{ readonly blockRfqs: readonly RfqView[] }>('get_rfqs', {
    blockRfqId: id,
    count: 1,
  });
  const [rfq] = found.blockRfqs;
  if (rfq !== undefined) return rfq;
  throw new CommandFailure('refused', [
    `account ${daemon.accountId} knows no RFQ ${id}`,
    `  takers and makers know one RFQ by ids of their own; see: ${CLI_NAME} rfq list --key KEY`,
  ]);
}

async function sides(
  daemon: RfqDaemon,
  rfq: RfqView,
  { buy, sell, spread }: Options,
): Promise<readonly (readonly [Side, readonly string[]])[]> {
  if (spread !== undefined && buy === undefined && sell === undefined) {
    const around = await pricesAround(daemon, rfq, spread);
    return [
      ['buy', around.buy],
      ['sell', around.sell],
    ];
  }
  const given = [['buy', buy] as const, ['sell', sell] as const];
  const wanted = given.flatMap(([side, prices]) =>
    prices === undefined ? [] : [[side, prices] as const],
  );
  if (wanted.length === 0 || spread !== undefined) {
    throw new CommandFailure('usage', ['accepted: --buy, --sell or both; or --spread alone']);
  }
  for (const [side, prices] of wanted) {
    if (prices.length === rfq.legs.length) continue;
    const names = rfq.legs.map(({ instrumentName }) => instrumentName).join(', ');
    throw new CommandFailure('usage', [
      `--${side} has ${prices.length} prices; accepted: one for each of ${names}`,
    ]);
  }
  return wanted;
}

function quoteParams(
  rfq: RfqView,
  options: Options,
  { side, prices }: { readonly side: Side; readonly prices: readonly string[] },
) {
  const { quantity = rfq.quantity, label, seconds, mmpGroup } = options;
  return {
    blockRfqId: rfq.blockRfqId,
    side,
    quantity,
    label,
    hedge: rfq.hedge,
    mmpGroup,
    legs: rfq.legs.map((leg, at) => ({ ...leg, price: prices[at] })),
    executionInstruction: options.allOrNone ? 'all_or_none' : 'any_part_of',
    expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1_000,
  };
}
