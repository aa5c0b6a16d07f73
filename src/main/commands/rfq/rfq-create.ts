// `rfq create LEG...`: requests prices for a structure from makers.
import { CLI_NAME } from '../../cli-name.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { paint } from '../terminal/paint.ts';
import { type LegArgument, readAliases, readHedge, readLeg, readShare } from './rfq-arguments.ts';
import { RfqDaemon, type RfqOptions, withRfqOptions } from './rfq-daemon.ts';
import { leftText, type RfqView, structureText } from './rfq-text.ts';

interface Options extends RfqOptions {
  readonly hedge?: ReturnType<typeof readHedge>;
  readonly makers?: readonly string[];
  readonly anonymous?: boolean;
  readonly label?: string;
  readonly share?: ReturnType<typeof readShare>;
  readonly once?: string;
}

export const addRfqCreate: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('create'))
    .description('request prices for a structure from makers')
    .argument('<leg...>', 'side:size:instrument, such as buy:25:BTC-27NOV26-90000-C', readLeg)
    .option('--hedge <leg>', 'a leg with a fixed price: side:size:instrument@price', readHedge)
    .option(
      '-m, --makers <aliases>',
      'request from only these, with commas (default: all)',
      readAliases,
    )
    .option('--anonymous', 'show no names; takes five makers or all')
    .option('-l, --label <label>', 'label of your own')
    .option('--share <user=amount>', 'allocate a share; repeat until all is shared', readShare)
    .option('--once <key>', 'idempotency key: repeating the request returns the first result')
    .action(async (legs: readonly LegArgument[], options: Options) => {
      const { hedge, makers, label, share: tradeAllocations, once: idempotencyKey } = options;
      const daemon = new RfqDaemon(options);
      const disclosed = options.anonymous !== true;
      const asked = { legs, hedge, makers, disclosed, label, tradeAllocations, idempotencyKey };
      const rfq = await daemon.get<RfqView>('create_rfq', asked);
      if (options.json) terminal.print(jsonText(rfq));
      else print(rfq, terminal);
    });
};

function print(rfq: RfqView, terminal: Terminal): void {
  const whom = rfq.makers.length === 0 ? 'every maker' : rfq.makers.join(', ');
  const left = leftText(rfq, rfq.createdAt);
  terminal.print(`RFQ ${paint.bold(rfq.blockRfqId)}: ${rfq.quantity} × ${structureText(rfq)}`);
  terminal.print(`requested from ${whom}; ends in ${left}`);
  terminal.print(paint.dim(`see the offers:  ${CLI_NAME} rfq watch`));
  terminal.print(
    paint.dim(`trade:           ${CLI_NAME} rfq trade ${rfq.blockRfqId} --buy (or --sell)`),
  );
}
