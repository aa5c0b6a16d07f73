// What the reading commands of accounts and markets have in common: their options, their questions to the daemon, and
// the three forms of their answers.
import { type Command, Option } from 'commander';
import type { MethodName, MethodParams, MethodResults } from '../../../gateway/client/client.ts';
import type { MethodAnswer } from '../../../gateway/client/method-client.ts';
import { printable } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import { jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  type Daemon,
  notReached,
  reachDaemon,
  withConnection,
} from '../daemon-client.ts';
import { paint } from '../terminal/paint.ts';
import { CSV_ONLY, type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';
import { KINDS, type KindWord, readCurrency, readKind } from './blotter-arguments.ts';

export interface BlotterOptions extends ConnectionOptions {
  readonly csv?: boolean;
  readonly tz: ZoneName;
}

export interface AccountOptions extends BlotterOptions {
  readonly account?: string;
}

export const jsonOption = ['--json', 'print the answer as JSON'] as const;
export const accountOption = [
  '-a, --account <id>',
  'only this account of the key (default: all of them)',
] as const;

export const csvOption = (): Option =>
  new Option('--csv', 'print every column as CSV').conflicts('json');

export const withBlotterOptions = (command: Command): Command =>
  withTimeZone(withConnection(command))
    .option(...jsonOption)
    .addOption(csvOption());

export const withAccountOptions = (command: Command): Command =>
  withBlotterOptions(command).option(...accountOption);

/** In either case. */
export const kindOption = (): Option =>
  new Option('--kind <kind>', 'only of this kind; future includes perpetuals')
    .choices(KINDS)
    .argParser(readKind);

/** Of what an account holds or has traded: in which currency it is settled, and its kind. */
export interface HoldingOptions extends AccountOptions {
  readonly currency?: string;
  readonly kind?: KindWord;
}

export const withHoldingOptions = (command: Command): Command =>
  withAccountOptions(command)
    .option('--currency <code>', 'only those settled in it, such as BTC', readCurrency)
    .addOption(kindOption());

/** Settlement currencies of the interface. */
export const CURRENCIES = ['BTC', 'ETH', 'USDC', 'USDT', 'EURR'];

/** Of an account. */
export type Owned<T> = T & { readonly accountId: string };

export class BlotterDaemon {
  readonly #daemon: Daemon;

  constructor(options: ConnectionOptions) {
    this.#daemon = reachDaemon(options);
  }

  /** Calls an order method that changes nothing. */
  async query<N extends MethodName>(method: N, params: MethodParams[N]): Promise<MethodResults[N]> {
    return resultOrFail(await this.#call(method, params));
  }

  /** The same, where a refusal is an answer too. */
  outcome<N extends MethodName>(
    method: N,
    params: MethodParams[N],
  ): Promise<MethodAnswer<MethodResults[N]>> {
    return this.#call(method, params);
  }

  /** The same for the named account, or for each account of the key that has an exchange; dummy accounts have none. */
  async queryAccounts<N extends MethodName, T>(
    { account }: Pick<AccountOptions, 'account'>,
    method: N,
    params: Omit<MethodParams[N], 'accountId'>,
    rowsOf: (result: MethodResults[N]) => readonly T[],
  ): Promise<readonly Owned<T>[]> {
    const accounts = account === undefined ? this.#daemon.accounts : [account];
    const asked = accounts.map(async (accountId) => {
      const answer = await this.#call(method, { ...params, accountId } as MethodParams[N]);
      if (accounts.length > 1 && isDummy(answer)) return [];
      return rowsOf(resultOrFail(answer)).map((row) => ({ accountId, ...row }));
    });
    return (await Promise.all(asked)).flat();
  }

  /** Those of perpetuals, if that kind is wanted: asked with `daemonKind`, the daemon returned dated futures too. */
  async ofKind<T extends { readonly instrumentName: string }>(
    kind: KindWord | undefined,
    rows: readonly T[],
  ): Promise<readonly T[]> {
    if (kind !== 'perpetual' || rows.length === 0) return rows;
    const listed = await this.query('public/get_instruments', { currency: 'any', kind: 'future' });
    const names = new Set(listed.filter(isPerpetual).map(({ instrumentName }) => instrumentName));
    return rows.filter(({ instrumentName }) => names.has(instrumentName));
  }

  #call<N extends MethodName>(
    method: N,
    params: MethodParams[N],
  ): Promise<MethodAnswer<MethodResults[N]>> {
    const call = this.#daemon.client.call as (
      name: N,
      given: MethodParams[N],
    ) => Promise<MethodAnswer<MethodResults[N]>>;
    return call(method, params);
  }

  get daemon(): Daemon {
    return this.#daemon;
  }
}

export const isPerpetual = (one: MethodResults['public/get_instruments'][number]): boolean =>
  one.settlementPeriod === 'perpetual';

const INVALID_PARAM = -32_602;

const isDummy = (answer: MethodAnswer): boolean =>
  answer.kind === 'refused' && answer.code === INVALID_PARAM && answer.param === 'accountId';

/** Nothing was to be changed, so a lost answer means only that there is none. */
function resultOrFail<T>(answer: MethodAnswer<T>): T {
  switch (answer.kind) {
    case 'done':
      return answer.value;
    case 'refused': {
      const { code, message, param, reason } = answer;
      const why = reason === message ? message : `${message}: ${param} ${reason}`;
      throw new CommandFailure('refused', [`refused (code ${code}) ${printable(why)}`]);
    }
    case 'unknown':
    case 'unreachable':
      throw notReached(answer.reason);
  }
}

export interface Listing<T> {
  readonly columns: readonly SheetColumn<T>[];
  readonly rows: readonly T[];
  /** Printed in place of a table without rows. */
  readonly none: string;
  /** Of `--limit`, where there is one: a list as long as that may not be complete. */
  readonly limit?: number;
  /** Every column is in the table, however wide the terminal is. */
  readonly isWhole?: boolean;
}

/** Prints a list in the requested form. */
export function printListing<T>(
  { columns, rows, none, limit, isWhole = false }: Listing<T>,
  options: Pick<BlotterOptions, 'json' | 'csv'>,
  terminal: Terminal,
): void {
  if (options.json) return terminal.print(jsonText(rows));
  if (options.csv) return terminal.print(sheetCsv(columns, rows));
  if (rows.length === 0) return terminal.print(none);
  terminal.print(
    sheetTable(columns, rows, isWhole ? Number.POSITIVE_INFINITY : terminal.columns()),
  );
  if (rows.length === limit) terminal.print(paint.dim(`the first ${limit}; see --limit`));
}

/** The column of the account; needed in a table only if there are several. */
export const accountColumn = <T extends { readonly accountId: string }>(
  rows: readonly T[],
): SheetColumn<T> => ({
  name: 'account',
  head: 'account',
  cell: ({ accountId }) => accountId,
  rank: new Set(rows.map(({ accountId }) => accountId)).size > 1 ? 0 : CSV_ONLY,
});
