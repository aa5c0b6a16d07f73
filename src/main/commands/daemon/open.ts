// `open`: prints a link, good once, that opens the page in a browser, and opens it where there is a desktop; with --code
// prints a code that confirms one action there. Lists and ends sessions.
import { Option } from 'commander';
import type { PageSessionRecord } from '../../../gateway/client/client.ts';
import { CommandFailure } from '../../command-failure.ts';
import {
  type BlotterOptions,
  printListing,
  withBlotterOptions,
} from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { pageLink, showInBrowser } from '../console/page-link.ts';
import { reachDaemon, valueOrFail } from '../daemon-client.ts';
import { paint } from '../terminal/paint.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { type ZoneName, zonedText } from '../terminal/time-zone.ts';

interface Options extends BlotterOptions {
  readonly for?: 'read' | 'trade' | 'admin';
  readonly code?: boolean;
  readonly sessions?: boolean;
  readonly end?: string;
  readonly browser: boolean;
}

/** A session that may trade may read, and one that may switch trading on and off may do both. */
const SCOPES = {
  read: ['read'],
  trade: ['read', 'trade'],
  admin: ['read', 'trade', 'admin'],
} as const;

export const addOpen: AddCommand = (program, terminal) => {
  const scope = new Option('--for <scope>', 'what the session may do (default: all of the key)');
  withBlotterOptions(program.command('open'))
    .addOption(scope.choices(Object.keys(SCOPES)))
    .option('--code', 'print a code for an action that asks for one')
    .option('--sessions', 'list the open sessions')
    .option('--end <id>', 'end this session')
    .option('--no-browser', 'print the link only')
    .action(async (options: Options) => {
      if (options.csv && !options.sessions) {
        throw new CommandFailure('usage', ['--csv is of a list; accepted: with --sessions']);
      }
      const { client, url } = reachDaemon(options);
      if (options.sessions) {
        const sessions = valueOrFail(await client.pageSessions());
        const listing = { columns: sessionColumns(options.tz), rows: sessions, none: NO_SESSION };
        return printListing(listing, options, terminal);
      }
      if (options.end !== undefined) {
        valueOrFail(await client.endPageSession(options.end));
        return terminal.print(options.json ? jsonText(null) : 'the session is over');
      }
      if (options.code) {
        const issued = valueOrFail(await client.pageCode({ purpose: 'confirm' }));
        const { code, expiresAt } = issued;
        if (options.json) return terminal.print(jsonText({ code, expiresAt }));
        terminal.print(`${code.slice(0, 4)}-${code.slice(4)}`);
        return terminal.print(
          paint.dim(`good once, until ${zonedText(Number(expiresAt), options.tz)} ${options.tz}`),
        );
      }
      const scopes = options.for && SCOPES[options.for];
      const { link, expiresAt } = await pageLink({ client, url }, scopes);
      if (options.json) return terminal.print(jsonText({ link, expiresAt }));
      terminal.print(link);
      terminal.print(
        paint.dim(`good once, until ${zonedText(Number(expiresAt), options.tz)} ${options.tz}`),
      );
      if (options.browser && terminal.isLive) showInBrowser(link);
    });
};

const NO_SESSION = 'no session is open';

const sessionColumns = (zone: ZoneName): readonly SheetColumn<PageSessionRecord>[] => [
  textColumn(['id', 'id', 0], ({ id }) => id),
  textColumn(['key', 'key', 0], ({ keyId }) => keyId),
  textColumn(['person', 'person', 6], ({ person = '' }) => person),
  textColumn(['scopes', 'scopes', 2], ({ scopes }) => scopes.join(' ')),
  textColumn(['address', 'from', 3], ({ address }) => address),
  textColumn(['browser', 'browser', 5], ({ agent }) => agent),
  timeColumn(['opened', 'opened', 4], zone, ({ openedAt }) => Number(openedAt)),
  timeColumn(['used', 'used', 1], zone, ({ usedAt }) => Number(usedAt)),
];
