// Block RFQs entered manually. Labels reserved for portfolios are refused, so that no portfolio adopts a foreign
// RFQ.
import type { Settings } from '../../core/terms/settings.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import { ownLabelObjection } from '../risk/gate-orders.ts';

export const manualRfqs = (rfqs: RfqDesk, settings: Pick<Settings, 'deployment'>): RfqDesk => ({
  create: async (rfq) => {
    const objection = ownLabelObjection(settings, rfq.label ?? '', 'label');
    return objection === undefined ? await rfqs.create(rfq) : objection.reply;
  },
  accept: (accept) => rfqs.accept(accept),
  quote: (quote) => rfqs.quote(quote),
  editQuote: (change) => rfqs.editQuote(change),
  rfqs: (filter) => rfqs.rfqs(filter),
  cancelRfq: (of) => rfqs.cancelRfq(of),
  cancelTrigger: (of) => rfqs.cancelTrigger(of),
  cancelQuote: (of) => rfqs.cancelQuote(of),
  cancelQuotes: (of) => rfqs.cancelQuotes(of),
  quotes: (of) => rfqs.quotes(of),
  makers: (account) => rfqs.makers(account),
  blockTrades: (of) => rfqs.blockTrades(of),
  tape: (of) => rfqs.tape(of),
  aliasOf: (account) => rfqs.aliasOf(account),
  listen: (listener) => rfqs.listen(listener),
});
