// `override`: lets one order past one control; requested with one key, granted with another.
import { InvalidArgumentError, Option } from 'commander';
import type { OverrideRecord } from '../../../gateway/client/client.ts';
import { printListing, withBlotterOptions } from '../blotter/blotter-options.ts';
import type { AddCommand } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { sideWordOf } from '../side-word.ts';
import { paint } from '../terminal/paint.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import type { ZoneName } from '../terminal/time-zone.ts';

interface Options extends ConnectionOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly tz?: ZoneName;
}

interface EngineOperationsOptions extends Options {
  readonly control: OverrideRecord['control'];
  readonly account: string;
  readonly instrument: string;
  readonly side: OverrideRecord['side'];
  readonly quantity: string;
  readonly reason: string;
  readonly seconds?: string;
}

export const addOverride: AddCommand = (program, terminal) => {
  const override = program.command('override');
  const show = (
    rows: readonly OverrideRecord[],
    { json, csv = false, tz = 'UTC' }: Options,
  ): void => {
    const listing = { columns: columnsFor(tz), rows, none: 'no overrides' };
    printListing(listing, { json: json === true, csv }, terminal);
  };
  withBlotterOptions(override.command('list'))
    .description('overrides that have not expired')
    .action(async (options: Options) =>
      show(valueOrFail(await reachDaemon(options).client.overrides()), options),
    );
  withConnection(override.command('ask'))
    .description('request one; needs scope trade')
    .requiredOption('--control <name>', 'the control, as a refusal names it')
    .requiredOption('-a, --account <id>', 'account of the order')
    .requiredOption('--instrument <name>', 'instrument of the order')
    .addOption(sideOption().makeOptionMandatory())
    .requiredOption('--quantity <amount>', 'largest amount of the order')
    .requiredOption('-r, --reason <text>', 'why; kept with who and when')
    .option('--seconds <count>', 'how long it may be used, at most 300', '60')
    .option('--json', 'print the answer as JSON')
    .action(async (options: EngineOperationsOptions) => {
      const { control, account, instrument, side, quantity, reason, seconds } = options;
      const wish = { control, accountId: account, instrumentName: instrument, quantity, reason };
      const asked = { ...wish, side, expiresSec: Number(seconds) };
      show([valueOrFail(await reachDaemon(options).client.askOverride(asked))], options);
    });
  withConnection(override.command('grant'))
    .description('grant one that another key requested; needs scope admin')
    .argument('<id>', 'as `override ask` printed it')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, options: Options) =>
      show([valueOrFail(await reachDaemon(options).client.grantOverride(id))], options),
    );
};

const sideOption = (): Option =>
  new Option('--side <side>', 'side of the order').choices(['buy', 'sell']).argParser(readSide);

function readSide(text: string): OverrideRecord['side'] {
  const side = sideWordOf(text);
  if (side !== undefined) return side;
  throw new InvalidArgumentError('accepted: buy or sell');
}

const columnsFor = (zone: ZoneName): readonly SheetColumn<OverrideRecord>[] => [
  textColumn(['id', 'id', 0], ({ id }) => id),
  textColumn(['control', 'control', 0], ({ control }) => control),
  textColumn(
    ['order', 'order', 1],
    (one) => `${one.side} ${one.quantity} ${one.instrumentName} on ${one.accountId}`,
  ),
  textColumn(['asked_by', 'asked by', 3], ({ askedBy }) => askedBy),
  {
    ...textColumn<OverrideRecord>(['granted_by', 'granted by', 3], ({ isUsed, grantedBy }) =>
      isUsed ? 'used' : grantedBy || undefined,
    ),
    shown: ({ isUsed, grantedBy }) => (isUsed ? paint.dim('used') : (grantedBy ?? '')),
  },
  timeColumn(['until', 'until', 2], zone, ({ expiresAt }) => Number(expiresAt)),
  textColumn(['why', 'why', 4], ({ reason }) => reason),
];
