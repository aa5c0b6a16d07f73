// Median widths of option books by coin, days to expiry and delta, recorded and generated.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Exchange } from '../../src/exchange/exchange.ts';
import { seededMarket } from '../../src/exchange/market/market.ts';
import { toNumber } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { DAY_MS, later } from '../../src/values/instant.ts';
import { type Regime, SEEDS, START } from './generated.ts';
import { type Row, rowsOf } from './recordings.ts';
import { quantile } from './statistics.ts';

/** Lower bounds of the cells; the last is open above. */
const TENORS = [0.2, 1, 2, 4, 8, 15, 30, 60, 120, 200] as const;
const DELTAS = [0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97] as const;
const CHAINS = 'deribit_option_chain';
/** A cell with fewer quoted options is left out. */
const QUOTED_MIN = 20;

/** Median widths in coins by cell. */
export type Widths = ReadonlyMap<string, number>;

interface Quoted {
  readonly coin: string;
  readonly days: number;
  readonly delta: number;
  readonly width: number;
}

export function cellOf({ coin, days, delta }: Omit<Quoted, 'width'>): string | undefined {
  const tenor = TENORS.findLast((each) => days >= each);
  const moneyness = DELTAS.findLast((each) => Math.abs(delta) >= each);
  if (tenor === undefined || moneyness === undefined) return undefined;
  return `${coin}, from ${tenor} days, |delta| from ${moneyness}`;
}

/** Days of the folder whose place in it is `remainder` modulo 2: even days are fitted, odd ones are held out. */
export function recordedWidths(folder: string, remainder: number): Widths {
  const files = readdirSync(path.join(folder, CHAINS))
    .filter((file) => file.startsWith('deribit_options_chain_'))
    .toSorted()
    .filter((_, at) => at % 2 === remainder);
  return mediansOf(
    files.flatMap((file) =>
      rowsOf(folder, path.join(CHAINS, file)).flatMap((row) => quotedIn(row) ?? []),
    ),
  );
}

function quotedIn(row: Row): Quoted | undefined {
  const of = (column: string): number => Number(row.get(column) || Number.NaN);
  const width = of('ask_price') - of('bid_price');
  if (!(width > 0)) return undefined;
  const days = (of('expiration') - of('timestamp')) / 1_000 / DAY_MS;
  const coin = (row.get('symbol') ?? '').split('-')[0] ?? '';
  return { coin, days, delta: of('delta'), width };
}

export function generatedWidths(settings: Regime): Widths {
  const quoted: Quoted[] = [];
  for (const seed of SEEDS.slice(0, 8)) {
    for (const day of [0, 4.2, 9.4, 13.7, 20.1]) {
      const now = later(START, Math.round(day * DAY_MS));
      const market = seededMarket({ ...settings, seed, startAt: START });
      const exchange = new Exchange({ instruments: [], accounts: [] });
      for (const { kind, name, base, expiresAt } of market.instruments(now)) {
        if (kind !== 'option') continue;
        for (const command of market.start(name, now)) exchange.handle(command);
        const { bid, ask } = exchange.best(name);
        if (bid === undefined || ask === undefined) continue;
        const delta = must(exchange.reference(name)?.greeks?.delta, 'a delta');
        const days = (Number(expiresAt) - now) / DAY_MS;
        const width = toNumber(ask.price) - toNumber(bid.price);
        quoted.push({ coin: String(base), days, delta, width });
      }
    }
  }
  return mediansOf(quoted);
}

function mediansOf(quoted: readonly Quoted[]): Widths {
  const cells = new Map<string, number[]>();
  for (const each of quoted) {
    const cell = cellOf(each);
    if (cell === undefined) continue;
    const widths = cells.get(cell);
    if (widths === undefined) cells.set(cell, [each.width]);
    else widths.push(each.width);
  }
  return new Map(
    [...cells]
      .filter(([, widths]) => widths.length >= QUOTED_MIN)
      .map(([cell, widths]) => [cell, quantile(widths, 0.5)]),
  );
}
