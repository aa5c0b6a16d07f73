// The indexes market-maker protection can be configured for. `all` stands for every index at once.

export const INDEX_NAMES = [
  'btc_usd',
  'eth_usd',
  'btc_usdc',
  'eth_usdc',
  'ada_usdc',
  'algo_usdc',
  'avax_usdc',
  'bch_usdc',
  'bnb_usdc',
  'doge_usdc',
  'dot_usdc',
  'hype_usdc',
  'link_usdc',
  'ltc_usdc',
  'near_usdc',
  'paxg_usdc',
  'shib_usdc',
  'sol_usdc',
  'ton_usdc',
  'trx_usdc',
  'trump_usdc',
  'uni_usdc',
  'xrp_usdc',
  'usde_usdc',
  'buidl_usdc',
  'btcdvol_usdc',
  'ethdvol_usdc',
  'btc_usdt',
  'eth_usdt',
] as const;

export const ALL_INDEXES = 'all';

const KNOWN: ReadonlySet<string> = new Set([...INDEX_NAMES, ALL_INDEXES]);

export const isIndexName = (name: string): boolean => KNOWN.has(name);
