// The Block RFQ methods of a venue behind a faulty connection.
import type { VenueRfqDesk } from '../../../src/ports/block-rfq.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import { refusedWith, type VenueLink } from './faulty-link.ts';

export function faultyRfqDesk(desk: VenueRfqDesk, link: VenueLink): VenueRfqDesk {
  const request = <T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> =>
    link.carry(send, refusedWith);
  const query = <T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> =>
    link.query(send, refusedWith);
  return {
    create: (rfq) => request(() => desk.create(rfq)),
    accept: (accept) => request(() => desk.accept(accept)),
    quote: (quote) => request(() => desk.quote(quote)),
    editQuote: (change) => request(() => desk.editQuote(change)),
    cancelRfq: (of) => request(() => desk.cancelRfq(of)),
    cancelTrigger: (of) => request(() => desk.cancelTrigger(of)),
    cancelQuote: (of) => request(() => desk.cancelQuote(of)),
    cancelQuotes: (of) => request(() => desk.cancelQuotes(of)),
    rfqs: (filter) => query(() => desk.rfqs(filter)),
    quotes: (of) => query(() => desk.quotes(of)),
    makers: (account) => query(() => desk.makers(account)),
    blockTrades: (of) => query(() => desk.blockTrades(of)),
    tape: (of) => query(() => desk.tape(of)),
    aliasOf: (account) => desk.aliasOf(account),
    listen: (listener) => {
      const leave = desk.listen((news) => link.deliver(() => listener(news)));
      const settle = link.onReconnect(() => listener({ kind: 'reconnected' }));
      return () => {
        leave();
        settle();
      };
    },
  };
}
