// `rfq trade ID`: trades the whole quantity of the user's own RFQ, at the best quote or at a given limit.
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { paint } from '../terminal/paint.ts';
import { answerOrFail, RfqDaemon, type RfqOptions, withRfqOptions } from './rfq-daemon.ts';
import { findRfq } from './rfq-quote.ts';
import { type BlockTradeView, type RfqView, tradeTable } from './rfq-text.ts';

interface Options extends RfqOptions {
  readonly buy?: boolean;
  readonly sell?: boolean;
  readonly price?: string;
  readonly wait?: boolean;
}

interface Traded {
  readonly blockTrades: readonly BlockTradeView[];
  readonly tradeTrigger: { readonly price: string } | null;
}

type Side = 'buy' | 'sell';

export const addRfqTrade: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('trade'))
    .description('trade the whole quantity of an own RFQ')
    .argument('<id>', "the taker's id of the RFQ")
    .option('--buy', 'buy the structure from the offers')
    .option('--sell', 'sell the structure to the bids')
    .option('-p, --price <price>', 'worst price for the whole structure (default: what is shown)')
    .option('--wait', 'where it cannot be traded now, as soon as quotes reach the price')
    .action(async (id: string, options: Options) => {
      const side = sideOf(options);
      const daemon = new RfqDaemon(options);
      const rfq = await findRfq(daemon, id);
      const price = options.price ?? shownPrice(rfq, side);
      const timeInForce = options.wait ? 'good_til_cancelled' : 'fill_or_kill';
      const { quantity } = rfq;
      const accept = { blockRfqId: id, side, quantity, price, timeInForce };
      const answer = await daemon.call('trade', accept);
      if (answer.kind === 'unknown') return await printUnknown(daemon, id, terminal);
      const traded = answerOrFail<Traded>(answer);
      if (options.json) terminal.print(jsonText(traded));
      else print(traded, terminal);
    });
};

function sideOf({ buy, sell }: Options): Side {
  if (buy !== sell && (buy || sell)) return buy ? 'buy' : 'sell';
  throw new CommandFailure('usage', ['accepted: one of --buy and --sell']);
}

function shownPrice(rfq: RfqView, side: Side): string {
  const [level] = (side === 'buy' ? rfq.asks : rfq.bids) ?? [];
  if (level !== undefined) return level.price;
  if (rfq.status !== 'open' && rfq.status !== 'created') {
    const seen = `see: ${CLI_NAME} rfq trades ${rfq.blockRfqId}`;
    throw new CommandFailure('refused', [`RFQ ${rfq.blockRfqId} is ${rfq.status}; ${seen}`]);
  }
  const isEarly = rfq.status === 'created';
  throw new CommandFailure('refused', [
    `nobody ${side === 'buy' ? 'offers' : 'bids for'} the whole ${rfq.quantity} of RFQ ${rfq.blockRfqId} now`,
    isEarly
      ? '  the first five seconds belong to the makers; try again then'
      : `  see ${CLI_NAME} rfq watch; or name a price and wait for it: --price PRICE --wait`,
  ]);
}

function print({ blockTrades, tradeTrigger }: Traded, terminal: Terminal): void {
  if (blockTrades.length > 0) return terminal.print(tradeTable(blockTrades, terminal.columns()));
  const price = tradeTrigger?.price ?? '';
  terminal.print(
    `waits for quotes at ${price} or better; cancel it: ${CLI_NAME} rfq cancel --wait ID`,
  );
}

/** It may have traded: the block trades of the RFQ show whether it did. */
async function printUnknown(
  daemon: RfqDaemon,
  blockRfqId: string,
  terminal: Terminal,
): Promise<void> {
  terminal.complain('no answer: it may have traded; checking');
  const { trades } = await daemon.get<{ readonly trades: readonly BlockTradeView[] }>(
    'get_trades',
    { blockRfqId },
  );
  if (trades.length > 0) return terminal.print(tradeTable(trades, terminal.columns()));
  throw new CommandFailure('unreachable', [
    'no trade is known so far',
    paint.dim(`  check before you try again: ${CLI_NAME} rfq trades ${blockRfqId}`),
  ]);
}
