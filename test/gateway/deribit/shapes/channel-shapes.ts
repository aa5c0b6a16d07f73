// Every documented channel and the shape of its data, from the published reference. `*` stands for
// one part of the name.

export interface ChannelShape {
  readonly pattern: string;
  readonly data: string;
}

const INTERVALS = ['100ms', 'agg2', 'raw'];

const of = (pattern: string, data: string): ChannelShape => ({ pattern, data });
const paced = (pattern: string, data: string): ChannelShape[] =>
  INTERVALS.map((interval) => of(`${pattern}.${interval}`, data));

export const CHANNEL_SHAPES: readonly ChannelShape[] = [
  ...paced('book.*', 'BookChange'),
  ...paced('book.*.*.*', 'GroupedBook'),
  of('quote.*', 'Quote'),
  ...paced('ticker.*', 'Ticker'),
  of('incremental_ticker.*', '{type:snapshot|change ...?Ticker}'),
  ...paced('trades.*', '[PublicTrade]'),
  ...paced('trades.*.*', '[PublicTrade]'),
  of('user.orders.*.raw', 'Order'),
  of('user.orders.*.*.raw', 'Order'),
  ...['100ms', 'agg2'].flatMap((interval) => [
    of(`user.orders.*.${interval}`, '[Order]'),
    of(`user.orders.*.*.${interval}`, '[Order]'),
  ]),
  ...paced('user.trades.*', '[UserTrade]'),
  ...paced('user.trades.*.*', '[UserTrade]'),
  ...paced('user.combo_trades.*', '[UserTrade]'),
  ...paced('user.combo_trades.*.*', '[UserTrade]'),
  ...paced('user.changes.*', 'UserChanges'),
  ...paced('user.changes.*.*', 'UserChanges'),
  of('user.portfolio.*', 'Portfolio'),
  of('user.mmp_trigger.*', '{frozen_until:int index_name:id mmp_group?:str block_rfq?:bool}'),
  of('user.lock', '{locked:bool currency:id}'),
  of('user.liquidation', '{state:id isolated?:bool}'),
  of('user.access_log', '{id:int ip:str timestamp:ms country:str city:str log:str data?:any}'),
  of('block_rfq.taker.*', 'Rfq'),
  of('block_rfq.maker.*', 'Rfq'),
  of('block_rfq.maker.quotes.*', '[RfqQuote]'),
  of('block_rfq.trades.*', 'RfqTape'),
  of('deribit_price_index.*', '{index_name:id price:num timestamp:ms}'),
  of('deribit_volatility_index.*', '{index_name:id volatility:num timestamp:ms}'),
  of(
    'estimated_expiration_price.*',
    '{price:num seconds:int is_estimated:bool left_ticks?:int total_ticks?:int}',
  ),
  of('markprice.options.*', '[{instrument_name:id mark_price:num iv:num timestamp:ms}]'),
  ...paced('perpetual.*', '{interest:num index_price:num timestamp:ms}'),
  of('chart.trades.*.*', '{tick:ms open:num high:num low:num close:num volume:num cost:num}'),
  of('instrument.state.*.*', '{timestamp:ms state:id instrument_name:id}'),
  of('instrument.creation.*.*', 'Instrument'),
  of('platform_state', '{price_index:id locked:bool}|{maintenance:bool}'),
  of('platform_state.public_methods_state', '{allow_unauthenticated_public_requests:bool}'),
  of('announcements', 'map<any>'),
];

const matches = (pattern: string, name: string): boolean => {
  const [wanted, given] = [pattern.split('.'), name.split('.')];
  return (
    wanted.length === given.length && wanted.every((part, at) => part === '*' || part === given[at])
  );
};

/** The narrowest pattern that matches: the one with the fewest stars. */
export function channelShape(name: string): ChannelShape | undefined {
  return CHANNEL_SHAPES.filter(({ pattern }) => matches(pattern, name)).sort(
    (a, b) => stars(a) - stars(b),
  )[0];
}

const stars = ({ pattern }: ChannelShape): number => pattern.split('*').length;
