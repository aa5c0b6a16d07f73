// `rfq`: Block RFQs from both sides: a taker requests, watches and trades; a maker watches and quotes.
import { CLI_NAME } from '../../cli-name.ts';
import type { AddCommand } from '../command.ts';
import { addRfqCancel } from './rfq-cancel.ts';
import { addRfqCreate } from './rfq-create.ts';
import {
  addRfqInstruments,
  addRfqList,
  addRfqMakers,
  addRfqQuotes,
  addRfqTrades,
} from './rfq-list.ts';
import { addRfqQuote } from './rfq-quote.ts';
import { addRfqTrade } from './rfq-trade.ts';
import { addRfqWatch } from './rfq-watch.ts';

const WORKFLOW = `
A taker in one terminal, a maker in another:
  ${CLI_NAME} rfq create buy:200000:BTC-PERPETUAL            ask; makers have five seconds for themselves
  ${CLI_NAME} rfq watch --key demo-maker                     see what is asked, with the maker's ids
  ${CLI_NAME} rfq quote ID --spread 0.1 --key demo-maker     quote both sides around the marks
  ${CLI_NAME} rfq trade ID --buy                             trade the whole quantity at what is offered
`;

export const addRfq: AddCommand = (program, terminal) => {
  const rfq = program.command('rfq').addHelpText('after', WORKFLOW);
  for (const add of PARTS) add(rfq, terminal);
  for (const command of rfq.commands) command.copyInheritedSettings(rfq);
};

const PARTS: readonly AddCommand[] = [
  addRfqCreate,
  addRfqQuote,
  addRfqTrade,
  addRfqCancel,
  addRfqList,
  addRfqQuotes,
  addRfqTrades,
  addRfqWatch,
  addRfqMakers,
  addRfqInstruments,
];
