// `rfq cancel`: cancels an RFQ, a waiting accept, a quote, or every quote of a maker.
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { RfqDaemon, type RfqOptions, withRfqOptions } from './rfq-daemon.ts';
import { type QuoteView, quoteTable, type RfqView, rfqTable } from './rfq-text.ts';

interface Options extends RfqOptions {
  readonly wait?: boolean;
  readonly quote?: boolean;
  readonly allQuotes?: boolean;
}

export const addRfqCancel: AddCommand = (program, terminal) => {
  withRfqOptions(program.command('cancel'))
    .description('cancel an RFQ, a waiting accept, or quotes')
    .argument('[id]', 'id of the RFQ; with --quote, of the quote')
    .option('--wait', 'only the accept that waits, not the RFQ')
    .option('--quote', 'a quote; for makers')
    .option('--all-quotes', 'every own quote, or with an id those on that RFQ; for makers')
    .action(async (id: string | undefined, options: Options) => {
      const daemon = new RfqDaemon(options);
      if (options.allQuotes) {
        const count = await daemon.get<number>('cancel_all_quotes', { blockRfqId: id });
        terminal.print(options.json ? jsonText(count) : `cancelled ${count}`);
        return;
      }
      if (id === undefined) throw new CommandFailure('usage', ['accepted: an id, or --all-quotes']);
      if (options.quote) {
        const quote = await daemon.get<QuoteView>('cancel_quote', { quoteId: id });
        terminal.print(options.json ? jsonText(quote) : quoteTable([quote], terminal.columns()));
        return;
      }
      const method = options.wait ? 'cancel_trigger' : 'cancel_rfq';
      const rfq = await daemon.get<RfqView>(method, { blockRfqId: id });
      terminal.print(
        options.json ? jsonText(rfq) : rfqTable([rfq], Date.now(), terminal.columns()),
      );
    });
};
