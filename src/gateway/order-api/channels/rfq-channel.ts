// Names of the channels of Block RFQs: `block_rfq.taker.btc`, `block_rfq.maker.any`,
// `block_rfq.quotes.any` (also `block_rfq.maker.quotes.any`), `block_rfq.trades.BTC`.
import { type Currency, currency } from '../../../values/ids.ts';

const KINDS = {
  taker: 'rfq_taker',
  maker: 'rfq_maker',
  quotes: 'rfq_quotes',
  'maker.quotes': 'rfq_quotes',
  trades: 'rfq_trades',
} as const;

export interface RfqChannel {
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
  /** Default: every currency. */
  readonly currency: Currency | undefined;
}

const CODE = /^[A-Za-z0-9]{2,12}$/;

/** `parts` follows `block_rfq`; the currency may be in upper or lower case. */
export function rfqChannel(parts: readonly string[]): RfqChannel | undefined {
  const what = parts.slice(0, -1).join('.');
  const code = parts.at(-1) ?? '';
  if (!Object.hasOwn(KINDS, what) || !CODE.test(code)) return undefined;
  const kind = KINDS[what as keyof typeof KINDS];
  const isAny = code.toLowerCase() === 'any';
  return { kind, currency: isAny ? undefined : currency(code.toUpperCase()) };
}
