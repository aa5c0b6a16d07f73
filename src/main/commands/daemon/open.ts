// `open`: prints a link, good once, that opens the page in a browser, and opens it where there is a desktop; with --code
// prints a code that confirms one action there. Lists and ends sessions.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { Option } from 'commander';
import type { PageSessionRecord } from '../../../gateway/client/client.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonText } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { paint, timeText } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';

interface Options extends ConnectionOptions {
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
  withConnection(program.command('open'))
    .addOption(scope.choices(Object.keys(SCOPES)))
    .option('--code', 'print a code for an action that asks for one')
    .option('--sessions', 'list the open sessions')
    .option('--end <id>', 'end this session')
    .option('--no-browser', 'print the link only')
    .option('--json', 'print the answer as JSON')
    .action(async (options: Options) => {
      const { client, url } = reachDaemon(options);
      if (options.sessions) {
        const sessions = valueOrFail(await client.pageSessions());
        return terminal.print(options.json ? jsonText(sessions) : sessionTable(sessions));
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
        return terminal.print(paint.dim(`good once, until ${timeText(Number(expiresAt))} UTC`));
      }
      const scopes = options.for && SCOPES[options.for];
      const issued = valueOrFail(await client.pageCode({ purpose: 'open', scopes }));
      if (issued.scopes.length === 0) {
        throw new CommandFailure('refused', ['the key has none of these scopes']);
      }
      // In the fragment, which browsers send to nobody and write to no log.
      const link = `${url}/#code=${issued.code}`;
      if (options.json) return terminal.print(jsonText({ link, expiresAt: issued.expiresAt }));
      terminal.print(link);
      terminal.print(paint.dim(`good once, until ${timeText(Number(issued.expiresAt))} UTC`));
      if (options.browser && terminal.isLive) showInBrowser(link);
    });
};

/** Whether it worked is not known: the link was printed. */
function showInBrowser(link: string): void {
  const hasDesktop = process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'];
  const program = process.platform === 'darwin' ? 'open' : hasDesktop && 'xdg-open';
  if (!program) return;
  const child = spawn(program, [link], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}

function sessionTable(sessions: readonly PageSessionRecord[]): string {
  if (sessions.length === 0) return 'no session is open';
  return tableText(
    ['id', 'key', 'scopes', 'from', 'browser', 'opened (UTC)', 'used (UTC)'].map((head) => ({
      head,
    })),
    sessions.map((one) => [
      one.id,
      one.keyId,
      one.scopes.join(' '),
      one.address,
      one.agent,
      timeText(Number(one.openedAt)),
      timeText(Number(one.usedAt)),
    ]),
  );
}
