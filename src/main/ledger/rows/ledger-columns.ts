// The tables that are exported from the ledger: their columns, in order, and what each holds. New columns are added at the
// end only; a changed meaning is a new name.

/**
 * `amount`  exact decimal, as text
 * `time`    Unix milliseconds
 * `count`   whole number
 */
export type ColumnKind = 'text' | 'amount' | 'time' | 'count' | 'number' | 'flag';

export type Columns = Readonly<Record<string, ColumnKind>>;

interface Cells {
  readonly text: string;
  readonly amount: string;
  readonly time: number;
  readonly count: number;
  readonly number: number;
  readonly flag: boolean;
}

/** Null = not known, or does not apply. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: Cells[C[Name]] | null };

/** A row of any table. */
export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

const OF_PORTFOLIO = { portfolio: 'text', account: 'text', strategy: 'text' } as const;
const OF_SLICE = { ...OF_PORTFOLIO, leg: 'count', slice: 'count' } as const;
const OF_CHILD = { ...OF_SLICE, attempt: 'count', instrument: 'text', side: 'text' } as const;

export const LEDGER_TABLES = {
  /** Trades of child orders, as the venue reported them. */
  fills: {
    ...OF_CHILD,
    traded_at: 'time',
    booked_at: 'time',
    quantity: 'amount',
    price: 'amount',
    fee: 'amount',
    fee_currency: 'text',
    liquidity: 'text',
    is_block: 'flag',
    label: 'text',
    order_id: 'text',
    trade_id: 'text',
  },
  /** Slices that started, and those that were missed. */
  slices: {
    ...OF_SLICE,
    instrument: 'text',
    side: 'text',
    due_at: 'time',
    started_at: 'time',
    sent_at: 'time',
    late_ms: 'count',
    planned: 'amount',
    asked: 'amount',
    filled: 'amount',
    children: 'count',
    is_sent: 'flag',
    is_missed: 'flag',
    reasons: 'text',
  },
  /** Child orders, and legs of accepted Block RFQs. */
  children: {
    ...OF_CHILD,
    intended_at: 'time',
    live_at: 'time',
    closed_at: 'time',
    quantity: 'amount',
    sent_price: 'amount',
    price: 'amount',
    edits: 'count',
    time_in_force: 'text',
    post_only: 'flag',
    reduce_only: 'flag',
    is_block: 'flag',
    outcome: 'text',
    filled: 'amount',
    filled_as_maker: 'amount',
    reason: 'text',
    label: 'text',
    order_id: 'text',
  },
  portfolios: {
    ...OF_PORTFOLIO,
    type: 'text',
    status: 'text',
    reason: 'text',
    mirror_of: 'text',
    submitted_at: 'time',
    start_at: 'time',
    end_at: 'time',
    ended_at: 'time',
    frequency_ms: 'count',
    end_action: 'text',
    legs: 'count',
    fills: 'count',
    children: 'count',
    amendments: 'count',
    uid: 'text',
    nickname: 'text',
    note: 'text',
  },
  legs: {
    ...OF_PORTFOLIO,
    leg: 'count',
    instrument: 'text',
    kind: 'text',
    side: 'text',
    is_hedge: 'flag',
    submitted_at: 'time',
    quantity: 'amount',
    quantity_in: 'text',
    filled: 'amount',
    average_price: 'amount',
    remaining: 'amount',
    slices_planned: 'count',
    slices_placed: 'count',
    slices_missed: 'count',
    edits: 'count',
  },
} as const satisfies Readonly<Record<string, Columns>>;

export type LedgerTable = keyof typeof LEDGER_TABLES;
export type LedgerRow<T extends LedgerTable> = RowOf<(typeof LEDGER_TABLES)[T]>;
