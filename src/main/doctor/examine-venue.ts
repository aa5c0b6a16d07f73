// Connects to a Deribit venue as the daemon would, without a ledger, and gathers everything `twapd doctor` reports. It
// changes nothing there but the one order of a probe, and the orders of a capture, which only a test network gets.
import type { DeribitVenue } from '../../adapters/deribit/deribit-venue.ts';
import type {
  AccountInspection,
  VenueInspection,
} from '../../adapters/deribit/inspect/inspection.ts';
import type { Clock } from '../../ports/clock.ts';
import { type AccountId, accountId } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Config, DeribitVenueConfig } from '../config/config.ts';
import { type Equity, equityOf } from '../wiring/equity.ts';
import { openDeribit } from '../wiring/open-deribit.ts';
import { type CapturedPoint, captureVenue } from './capture/capture-venue.ts';
import { type Probe, pause, probeOrder } from './probe-order.ts';

export interface ExamineOptions {
  readonly config: Config;
  readonly name: string;
  readonly section: DeribitVenueConfig;
  readonly clock: Clock;
  /** Whether the open points of docs/deribit.md are tested. */
  readonly captures: boolean;
  /** What is being done, for those who wait. */
  readonly onProgress: (what: string) => void;
}

export interface AccountExamined {
  readonly account: string;
  readonly name: string;
  /** Why it is not connected; the rest is then absent. */
  readonly trouble?: string | undefined;
  readonly scope?: string | undefined;
  /** The venue's own number of it. */
  readonly userId?: string | undefined;
  readonly mmpEnabled?: boolean | undefined;
  readonly rates?: Rates | undefined;
  readonly inspection?: AccountInspection | undefined;
  readonly equity?: Equity | undefined;
  readonly openOrders?: number | undefined;
}

export interface Rates {
  readonly orders: Rate;
  readonly cancelAll: Rate;
  readonly queries: Rate;
}

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Examined {
  /** Why the markets are not connected; the rest is then mostly absent. */
  readonly trouble?: string | undefined;
  readonly clockOffsetMs: number;
  readonly venue: VenueInspection;
  readonly instruments: Readonly<Record<string, number>>;
  readonly accounts: readonly AccountExamined[];
  /** Where an order is placed. */
  readonly probe?: Probe | undefined;
  /** Why no order was placed. */
  readonly whyNoProbe?: string | undefined;
  /** Where it was requested and orders may be placed. */
  readonly captured?: readonly CapturedPoint[] | undefined;
  /** What the venue sent beyond what is known, and how often. */
  readonly unknown: Readonly<Record<string, number>>;
}

const LOOK_MS = 50;

export async function examineVenue(options: ExamineOptions): Promise<Examined> {
  const { config, name, section, clock, onProgress } = options;
  onProgress(`connecting to ${name}`);
  const venue = await openDeribit(
    name,
    { ...section, protection: [] },
    {
      config,
      clock,
      // Reading is harmless anywhere; an order is placed only where the answers say that it is a test network.
      allowsLive: true,
      firstWaitMs: 0,
      report: () => () => undefined,
    },
  );
  try {
    return await examined(venue, options);
  } finally {
    await venue.close();
  }
}

async function examined(venue: DeribitVenue, options: ExamineOptions): Promise<Examined> {
  const { config, section, clock, onProgress } = options;
  const ids = section.credentials.map(({ account }) => accountId(account));
  await settled(venue, ids, { clock, waitMs: section.timeoutMs });
  onProgress('reading the venue');
  const inspection = await venue.inspect();
  const instruments = venue.instruments() ?? [];
  const accounts: AccountExamined[] = [];
  for (const account of ids) {
    onProgress(`reading account ${account}`);
    const named = config.accounts.find(({ id }) => id === account)?.name ?? '';
    accounts.push({ account, name: named, ...(await accountOf(venue, account)) });
  }
  const choice = probeChoice(inspection, accounts, instruments);
  if (typeof choice !== 'string') onProgress('placing, finding, editing and cancelling one order');
  const stepMs = section.timeoutMs;
  const probed =
    typeof choice === 'string'
      ? { whyNoProbe: choice }
      : { probe: await probeOrder({ venue, clock, stepMs, ...choice }) };
  const captured =
    typeof choice === 'string' || !options.captures
      ? undefined
      : await captureVenue({
          venue,
          clock,
          stepMs,
          onProgress,
          account: choice.account,
          perpetual: choice.instrument,
          bumped: bumpedOf(choice.instrument, instruments),
          scope: accounts.find(({ account }) => account === choice.account)?.scope ?? '',
        });
  const { marketTrouble, clockOffsetMs, counts } = venue.facts();
  return {
    trouble: marketTrouble,
    clockOffsetMs,
    venue: inspection,
    accounts,
    ...probed,
    captured,
    instruments: countedByKind(instruments),
    unknown: Object.fromEntries(counts),
  };
}

/** Waits until every connection is up or its credentials are refused, but no longer than `waitMs`. */
async function settled(
  venue: DeribitVenue,
  accounts: readonly AccountId[],
  { clock, waitMs }: { readonly clock: Clock; readonly waitMs: number },
): Promise<void> {
  const refused = new Set<AccountId>();
  // Unexamined: why it was refused is asked of the venue below, which has reported it.
  for (const account of accounts) venue.attach(account).catch(() => refused.add(account));
  const untilMs = clock.monotonicMs() + waitMs;
  const isSettled = (): boolean =>
    (venue.facts().marketTrouble === undefined || refused.size === accounts.length) &&
    accounts.every((one) => refused.has(one) || venue.accountFacts(one).trouble === undefined);
  do {
    await pause(clock, LOOK_MS);
  } while (!isSettled() && clock.monotonicMs() < untilMs);
}

async function accountOf(
  venue: DeribitVenue,
  account: AccountId,
): Promise<Omit<AccountExamined, 'account' | 'name'>> {
  const { trouble, scope } = venue.accountFacts(account);
  if (trouble !== undefined) return { trouble, scope };
  const inspection = await venue.inspectAccount(account);
  const equity = await equityOf(venue, account);
  const open = await venue.openOrders({ account });
  const { userId, mmpEnabled, rates } = venue.facts().details.get(account) ?? {};
  const openOrders = open.kind === 'done' ? open.value.length : undefined;
  return { scope, userId, mmpEnabled, rates, inspection, equity, openOrders };
}

/** Candidates for an order that meets a speed bump, in a currency of which the account has some; a few of them. */
const bumpedOf = (
  { settlement }: Instrument,
  instruments: readonly Instrument[],
): readonly Instrument[] =>
  instruments
    .filter((one) => one.kind === 'future' && one.settlement === settlement)
    .sort((one, other) => (other.expiresAt ?? 0) - (one.expiresAt ?? 0))
    .slice(0, BUMPED_MAX);

const BUMPED_MAX = 6;

const countedByKind = (instruments: readonly Instrument[]): Readonly<Record<string, number>> => {
  const counted: Record<string, number> = {};
  for (const { kind } of instruments) counted[kind] = (counted[kind] ?? 0) + 1;
  return counted;
};

/** The account and the instrument of the one order, or why none is placed. */
export function probeChoice(
  { testnet }: Pick<VenueInspection, 'testnet'>,
  accounts: readonly AccountExamined[],
  instruments: readonly Instrument[],
): { readonly account: AccountId; readonly instrument: Instrument } | string {
  if (testnet !== true) {
    return 'an order is placed only where the venue says that it is a test network';
  }
  const connected = accounts.filter(({ trouble }) => trouble === undefined);
  if (connected.length === 0) return 'no account is connected';
  const perpetuals = instruments.filter(({ kind }) => kind === 'perpetual');
  for (const { account, equity } of connected) {
    const has = equity?.kind === 'known' ? equity.byCurrency : {};
    const instrument = perpetuals.find(({ settlement }) => Number(has[settlement] ?? 0) > 0);
    if (instrument !== undefined) return { account: accountId(account), instrument };
  }
  return 'no account has funds in a currency of a perpetual';
}
