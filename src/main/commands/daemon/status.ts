// `status`: shows whether the daemon answers and is ready, and how many portfolios it has.
import { CommandFailure } from '../../command-failure.ts';
import { csvOption, jsonOption } from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  type Daemon,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { csvText } from '../terminal/csv-text.ts';
import { paint } from '../terminal/paint.ts';
import { factLines } from '../terminal/wrapped-lines.ts';

interface Status {
  readonly url: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly portfolios: Readonly<Record<(typeof COUNTED)[number][0], number>>;
}

const COUNTED = [
  ['active', 1],
  ['cancelling', 4],
  ['filled', 2],
  ['cancelled', 3],
] as const;

export const addStatus: AddCommand = (program, terminal) => {
  withConnection(program.command('status'))
    .option(...jsonOption)
    .addOption(csvOption())
    .action(async (options: ConnectionOptions & { readonly csv?: boolean }) => {
      const status = await statusOf(reachDaemon(options));
      if (options.json) terminal.print(jsonText(status));
      else if (options.csv) terminal.print(csvText([rowOf(status)]));
      else print(status, terminal);
      if (!status.ready) throw new CommandFailure('refused', []);
    });
};

async function statusOf({ client, url, accounts }: Daemon): Promise<Status> {
  const { ready, reasons } = valueOrFail(await client.health());
  const counts = COUNTED.map(async ([name, status]) => {
    const each = accounts.map(async (accountId) => {
      const page = valueOrFail(await client.page({ accountId, status, pageSize: 1 }));
      return page.totalCount;
    });
    const all = await Promise.all(each);
    return [name, all.reduce((sum, count) => sum + count, 0)] as const;
  });
  const portfolios = Object.fromEntries(await Promise.all(counts)) as Status['portfolios'];
  return { url, ready, reasons, portfolios };
}

const rowOf = ({ url, ready, reasons, portfolios }: Status) => ({
  url,
  ready,
  reasons: reasons.join('; '),
  ...portfolios,
});

function print({ url, ready, reasons, portfolios }: Status, terminal: Terminal): void {
  const word = ready ? paint.green('ready') : paint.yellow('not ready');
  const counts = COUNTED.map(([name]) => `${portfolios[name]} ${name}`);
  terminal.print(
    factLines(
      [
        ['daemon', `${url} ${word}`],
        ...reasons.map((reason) => ['', reason] as const),
        ['portfolios', counts.join(', ')],
      ],
      terminal.columns(),
    ),
  );
}
