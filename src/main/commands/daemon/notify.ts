// `notify`: `test` sends a message through each channel that notifies people, from here and at once, and says what came
// of it; `status` shows what waits to be sent.
import type { NoticeMessage } from '../../../ports/notify/notice-channel.ts';
import type { ChannelBacklog } from '../../../ports/notify/notice-outbox.ts';
import { instant, isoText } from '../../../values/instant.ts';
import { printableData } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { csvOption, jsonOption, printListing } from '../blotter/blotter-options.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { readConfig } from '../files.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { paint } from '../terminal/paint.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { tableText } from '../terminal/table.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';

interface Options extends LedgerOptions {
  readonly channel?: string;
  readonly json?: boolean;
}

interface StatusOptions extends LedgerOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly tz: ZoneName;
}

interface Tried {
  readonly channel: string;
  readonly kind: string;
  /** `delivered`, or why not. */
  readonly outcome: string;
}

export const addNotify: AddCommand = (program, terminal) => {
  const notify = program.command('notify');
  notify
    .command('test')
    .description('send a test message through each channel; exit code 1 if one fails')
    .option(...configOption)
    .option('--channel <name>', 'only through this one')
    .option('--json', 'print it as JSON')
    .action((options: Options) => test(options, terminal));
  const waiting = notify
    .command('status')
    .description('list how much waits, was sent and was dropped, by channel')
    .option(...configOption)
    .option(...jsonOption)
    .addOption(csvOption());
  withTimeZone(waiting).action((options: StatusOptions) => status(options, terminal));
};

async function test(options: Options, terminal: Terminal): Promise<void> {
  const config = readConfig(options.config);
  const names = namesOf(config, options.channel);
  // Loaded only here, so that the other commands start fast.
  const { noticeRoutes } = await import('../../wiring/notice-channels.ts');
  const message = testMessage(config.service.deployment);
  const routes = noticeRoutes(config).filter(({ name }) => names.includes(name));
  const tried = await Promise.all(
    routes.map(async ({ name, channel }): Promise<Tried> => {
      const delivery = await channel.send(message);
      channel.close();
      const { kind = '' } = config.notify.channels[name]?.reach ?? {};
      const outcome = delivery.kind === 'delivered' ? delivery.kind : delivery.why;
      return { channel: name, kind, outcome };
    }),
  );
  terminal.print(options.json ? jsonText(tried) : triedTable(printableData(tried)));
  if (tried.some(({ outcome }) => outcome !== 'delivered')) throw new CommandFailure('refused', []);
}

function namesOf({ notify }: Config, only: string | undefined): readonly string[] {
  const names = Object.keys(notify.channels);
  if (names.length === 0) {
    throw new CommandFailure('refused', [
      'no channel is configured; docs/notifications.md describes the section notify',
    ]);
  }
  if (only === undefined) return names;
  if (names.includes(only)) return [only];
  const known = names.join(', ');
  throw new CommandFailure('usage', [`--channel ${only}: no such channel; accepted: ${known}`]);
}

function testMessage(deployment: string): NoticeMessage {
  const at = instant(Date.now());
  const title = `twapd ${deployment}: a test message`;
  return { deployment, at, title, lines: [`${isoText(at)} nothing has happened`], happenings: [] };
}

const triedTable = (tried: readonly Tried[]): string =>
  tableText(
    ['channel', 'kind', 'outcome'].map((head) => ({ head })),
    tried.map(({ channel, kind, outcome }) => [
      channel,
      kind,
      outcome === 'delivered' ? paint.green(outcome) : paint.red(outcome),
    ]),
  );

async function status(options: StatusOptions, terminal: Terminal): Promise<void> {
  const backlog = await onLedger(ledgerConfig(options), async (connectionString) => {
    const { PostgresNoticeOutbox } = await import(
      '../../../adapters/postgres/notify/postgres-notice-outbox.ts'
    );
    const outbox = new PostgresNoticeOutbox({ connectionString });
    return await outbox.backlog().finally(() => outbox.close());
  });
  const rows = options.json ? backlog : printableData(backlog);
  const columns = backlogColumns(options.tz);
  printListing({ columns, rows, none: 'no notices yet' }, options, terminal);
}

const backlogColumns = (zone: ZoneName): readonly SheetColumn<ChannelBacklog>[] => [
  textColumn(['channel', 'channel', 0], ({ channel }) => channel),
  amountColumn(['waiting', 'waiting', 0], ({ waiting }) => String(waiting)),
  timeColumn(['oldest', 'oldest', 2], zone, ({ oldestAt }) => oldestAt),
  amountColumn(['sent', 'sent', 1], ({ sent }) => String(sent)),
  amountColumn(['dropped', 'dropped', 1], ({ dropped }) => String(dropped)),
];
