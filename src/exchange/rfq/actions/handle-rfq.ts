// The door for everything about Block RFQs: time first, then the request, then what came of it is told.
import { must, unreachable } from '../../../values/assert.ts';
import type { ExchangeAnswer } from '../../exchange-command.ts';
import type { ExchangeState } from '../../exchange-state.ts';
import type { Refusal } from '../../model/refusal.ts';
import { shownQuote, shownTrade } from '../queries/quote-shown.ts';
import { shownRfq } from '../queries/rfq-shown.ts';
import type { Rfq } from '../rfq.ts';
import type { RfqCommand, SeatRfqMakersCommand } from '../rfq-command.ts';
import { type AcceptOutcome, acceptRfq, cancelRfq, cancelTrigger } from './accept-rfq.ts';
import { advanceRfqs } from './advance-rfqs.ts';
import { createRfq } from './create-rfq.ts';
import { cancelQuote, cancelQuotes, editQuote, quoteRfq } from './quote-rfq.ts';

export function handleRfq(state: ExchangeState, command: RfqCommand): ExchangeAnswer {
  advanceRfqs(state);
  state.rfqs.forget((state.now - state.settings.ordersMs) as typeof state.now);
  const answer = perform(state, command);
  for (const event of state.rfqs.takeChanges(state.now)) state.outbox.emit(event);
  return answer;
}

function perform(state: ExchangeState, command: RfqCommand): ExchangeAnswer {
  switch (command.kind) {
    case 'create_rfq':
      return takersAnswer(state, createRfq(state, command));
    case 'cancel_rfq':
      return takersAnswer(state, cancelRfq(state, command));
    case 'cancel_rfq_trigger':
      return takersAnswer(state, cancelTrigger(state, command));
    case 'accept_rfq':
      return acceptedAnswer(state, acceptRfq(state, command));
    case 'quote_rfq':
      return quoteAnswer(state, quoteRfq(state, command));
    case 'edit_rfq_quote':
      return quoteAnswer(state, editQuote(state, command));
    case 'cancel_rfq_quote':
      return quoteAnswer(state, cancelQuote(state, command));
    case 'cancel_rfq_quotes': {
      const count = cancelQuotes(state, command);
      return typeof count === 'number' ? { kind: 'count', count } : count;
    }
    case 'advance_rfqs':
      return { kind: 'done' };
    case 'seat_rfq_makers':
      return seatMakers(state, command);
    default:
      return unreachable(command);
  }
}

const takersAnswer = (state: ExchangeState, rfq: Rfq | Refusal): ExchangeAnswer =>
  'code' in rfq ? rfq : { kind: 'rfq', rfq: shownRfq(state, rfq, rfq.taker) };

function acceptedAnswer(state: ExchangeState, outcome: AcceptOutcome | Refusal): ExchangeAnswer {
  if ('code' in outcome) return outcome;
  const { rfq, trades, trigger } = outcome;
  return {
    kind: 'rfq_accepted',
    rfq: shownRfq(state, rfq, rfq.taker),
    blockTrades: trades.map((trade) => shownTrade(trade, rfq.taker)),
    ...(trigger !== undefined && {
      trigger: { state: trigger.state, side: trigger.side, price: trigger.price },
    }),
  };
}

function quoteAnswer(state: ExchangeState, id: string | Refusal): ExchangeAnswer {
  if (typeof id !== 'string') return id;
  const quote = must(state.rfqs.quote(id), 'what was changed is there');
  return { kind: 'rfq_quote', quote: shownQuote(state.rfqs.get(quote.rfq), quote) };
}

function seatMakers(
  state: ExchangeState,
  { now, makers, unseated = [] }: SeatRfqMakersCommand,
): ExchangeAnswer {
  for (const account of unseated) {
    cancelQuotes(state, { kind: 'cancel_rfq_quotes', now, account });
    state.rfqs.makers.delete(account);
  }
  for (const { account, alias } of makers) state.rfqs.makers.set(account, alias);
  return { kind: 'done' };
}
