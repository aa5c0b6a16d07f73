// Reads the options of `backtest` strictly.
import { InvalidArgumentError } from 'commander';
import type { ImpactModel } from '../../../exchange/market/own-impact.ts';
import type { QueueModel } from '../../../exchange/model/queue-model.ts';
import { parseWrittenTime } from '../../../gateway/wire/written-time.ts';
import {
  DAY_MS,
  INSTANT_MAX,
  type Instant,
  instant,
  later,
  parseIso,
} from '../../../values/instant.ts';
import { FEE_ACCEPTED, plainDecimal, writtenFee } from '../../../values/text/plain-decimal.ts';
import type { BacktestLatency } from '../../../virtual/backtest/backtest-latency.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { DeploymentLimits } from '../deployment-limits.ts';

/** The options as commander passes them. */
export interface WrittenOptions {
  readonly config: string;
  readonly data: string;
  readonly from?: string;
  readonly to?: string;
  readonly date?: string;
  readonly exchange?: string;
  readonly symbol?: string;
  readonly map?: readonly string[];
  readonly instruments?: string;
  readonly maxGap: string;
  readonly assumeSize?: string;
  readonly fees?: string;
  readonly latency: string;
  readonly seed: string;
  readonly queue: QueueModel;
  readonly impact?: string;
  /** False: none. */
  readonly cache?: string | false;
  readonly set?: readonly string[];
  readonly sweep?: boolean;
  readonly starts?: string;
  readonly base?: string;
  readonly out?: string;
  readonly workers?: string;
  readonly report?: string;
  readonly json?: boolean;
}

export interface BacktestSettings {
  readonly folder: string;
  /** Bounds of the rows to read; the whole recording if not given. */
  readonly from: Instant;
  readonly to: Instant;
  readonly exchange?: string | undefined;
  /** The symbol for every leg without a mapping. */
  readonly symbol?: string | undefined;
  /** Maps instruments of the strategy to recorded symbols. */
  readonly map: ReadonlyMap<string, string>;
  readonly instrumentsFile?: string | undefined;
  readonly holeMs: number;
  /** In the unit of the recording. */
  readonly assumeSize?: string | undefined;
  /** Fractions of the value. */
  readonly fees?: { readonly maker: string; readonly taker: string } | undefined;
  readonly latency: BacktestLatency;
  readonly queue: QueueModel;
  /** Default: own orders move nothing. */
  readonly impact?: ImpactModel | undefined;
  /** Default: the widest limits and no controls. */
  readonly deployment?: DeploymentLimits | undefined;
  /** Folder in which recordings are kept as columns; absent: nowhere. */
  readonly cache?: string | undefined;
}

/** Of an option that may be repeated. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

const SECONDS_MAX = 30 * 86_400;
const LATENCY_MS_MAX = 10_000;

export function backtestSettings(written: Omit<WrittenOptions, 'config'>): BacktestSettings {
  const { date } = written;
  const day = date === undefined ? undefined : instantOf('--date', `${date}T00:00:00`);
  const from = written.from === undefined ? day : instantOf('--from', written.from);
  const to =
    written.to === undefined ? day && later(day, DAY_MS - 1) : instantOf('--to', written.to);
  const settings: BacktestSettings = {
    folder: written.data,
    from: from ?? instant(0),
    to: to ?? INSTANT_MAX,
    exchange: written.exchange,
    symbol: written.symbol,
    map: new Map((written.map ?? []).map(mapping)),
    instrumentsFile: written.instruments,
    holeMs: numberOf('--max-gap', written.maxGap, SECONDS_MAX) * 1_000,
    assumeSize: written.assumeSize && sizeOf(written.assumeSize),
    fees: written.fees === undefined ? undefined : feesOf(written.fees),
    latency: { ...latencyOf(written.latency), seed: written.seed },
    queue: written.queue,
    ...(written.impact !== undefined && { impact: impactOf(written.impact) }),
  };
  if (settings.from < settings.to) return settings;
  throw wrong('--to', written.to ?? '', 'a time after --from');
}

/** What a sweep is of, besides the file and the recording. @throws CommandFailure */
export function sweepSettings(written: WrittenOptions): {
  readonly set: readonly string[];
  readonly startsMs: number | undefined;
  readonly base: number;
} {
  const { set = [], starts, base = '1' } = written;
  const startsMs = starts === undefined ? undefined : intervalOf('--starts', starts);
  return { set, startsMs, base: baseNumber(base) };
}

/** @throws CommandFailure */
export function baseNumber(base: string): number {
  if (/^[1-9]\d{0,4}$/.test(base)) return Number(base);
  throw wrong('--base', base, 'the number of a setting in their order, from 1');
}

/** @throws CommandFailure if an option was given that only a sweep has. */
export function requireNoSweep({ starts, base, workers, out }: WrittenOptions): void {
  if ([starts, base, workers, out].every((option) => option === undefined)) return;
  throw new CommandFailure('usage', [
    '--starts, --base, --workers and --out belong to a sweep; accepted: with --sweep, which may be of one run',
  ]);
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS };

function intervalOf(option: string, text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms > 0) return ms;
  throw wrong(option, text, 'a time such as 90s, 30m, 1h or 1d');
}

/** `--latency`: one number of milliseconds, or the bounds of a range. @throws CommandFailure */
export function latencyOf(text: string): { readonly minMs: number; readonly maxMs: number } {
  const [low = '', high = low, ...rest] = text.split('-');
  const [minMs, maxMs] = [Number(low), Number(high)];
  const isRange = [low, high].every((bound) => /^\d{1,5}$/.test(bound)) && rest.length === 0;
  if (isRange && minMs <= maxMs && maxMs <= LATENCY_MS_MAX) return { minMs, maxMs };
  const accepted = `whole milliseconds from 0 to ${LATENCY_MS_MAX}, or a range such as 5-80`;
  throw wrong('--latency', text, accepted);
}

const QUEUES: Readonly<Record<string, QueueModel>> = {
  arrival: 'arrival',
  behind: 'behind',
  'pro-rata': 'pro_rata',
};

/** Values of `--queue`. */
export const QUEUE_NAMES = Object.keys(QUEUES);

export function readQueue(text: string): QueueModel {
  const model = Object.hasOwn(QUEUES, text) ? QUEUES[text] : undefined;
  if (model !== undefined) return model;
  throw new InvalidArgumentError(`accepted: ${QUEUE_NAMES.join(', ')}`);
}

const IMPACT_MAX = 100;

function impactOf(text: string): ImpactModel {
  const [coefficient = '', seconds = '', ...rest] = text.split(',');
  const isNumber = (one: string, max: number): boolean =>
    /^\d+(?:\.\d+)?$/.test(one) && Number(one) > 0 && Number(one) <= max;
  if (isNumber(coefficient, IMPACT_MAX) && isNumber(seconds, DAY_MS / 1_000) && rest.length === 0) {
    return { coefficient: Number(coefficient), halfLifeMs: Number(seconds) * 1_000 };
  }
  const accepted = `COEFFICIENT,SECONDS such as 0.5,30: half-spreads for taking the whole touch, above 0 to ${IMPACT_MAX}, and the half-life`;
  throw wrong('--impact', text, accepted);
}

function mapping(text: string): readonly [string, string] {
  const at = text.lastIndexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw wrong('--map', text, 'LEG=SYMBOL, such as BTC_USDC=BTCUSDT');
}

/** @throws CommandFailure */
export function instantOf(option: string, text: string): Instant {
  const written = parseWrittenTime(text);
  const at = written.kind === 'instant' ? written.at : parseIso(text);
  if (at !== undefined) return at;
  throw wrong(
    option,
    text,
    'a day or time in UTC, such as 2021-07-01T09:30, or a time with an offset or a zone',
  );
}

function numberOf(option: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value <= max) return value;
  throw wrong(option, text, `a number from 0 to ${max}`);
}

function sizeOf(text: string): string {
  const size = plainDecimal(text);
  if (size !== undefined && Number(size) > 0) return size;
  throw wrong('--assume-size', text, 'an amount above 0');
}

function feesOf(text: string): { readonly maker: string; readonly taker: string } {
  const [maker, taker, ...rest] = text.split(',').map(writtenFee);
  if (maker !== undefined && taker !== undefined && rest.length === 0) return { maker, taker };
  throw wrong('--fees', text, `MAKER,TAKER such as 0.0001,0.0005, each ${FEE_ACCEPTED}`);
}

/** The failure of an option that is written wrongly. */
export const wrong = (option: string, text: string, accepted: string): CommandFailure =>
  new CommandFailure('usage', [`${option} is ${JSON.stringify(text)}; accepted: ${accepted}`]);
