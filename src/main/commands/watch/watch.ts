// `watch ID`: follows a portfolio live: bars redrawn in place on a terminal, a line per change elsewhere, a
// JSON document per line with --json. Ends when the portfolio ends.
import { InvalidArgumentError } from 'commander';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type AddCommand, jsonLine, type Terminal } from '../command.ts';
import { type ConnectionOptions, reachDaemon, withConnection } from '../daemon-client.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';
import { type Follower, followPortfolio } from './follow-portfolio.ts';
import { RedrawInPlace } from './redraw-in-place.ts';
import { changeLines } from './watch-lines.ts';
import { screenLines } from './watch-screen.ts';

interface Options extends ConnectionOptions {
  readonly wait: number;
  readonly json?: boolean;
  readonly tz: ZoneName;
}

const WAIT_SEC_DEFAULT = 60;
const REDRAW_MS = 250;

export const addWatch: AddCommand = (program, terminal) => {
  withTimeZone(withConnection(program.command('watch')))
    .argument('<id>', 'portfolio id')
    .option(
      '--wait <sec>',
      'how long to wait for a daemon that went away',
      readSeconds,
      WAIT_SEC_DEFAULT,
    )
    .option('--json', 'print a record per line whenever it changes')
    .action(async (id: string, options: Options) => {
      const { client } = reachDaemon(options);
      const view = viewFor(terminal, options);
      try {
        await followPortfolio(client, id, { ...view, waitMs: options.wait * 1_000 });
      } finally {
        view.close();
      }
    });
};

interface View extends Omit<Follower, 'waitMs'> {
  readonly close: () => void;
}

function viewFor(terminal: Terminal, options: Options): View {
  if (options.json) {
    return {
      onRecord: (record) => terminal.print(jsonLine(record)),
      onSilence: () => undefined,
      close: () => undefined,
    };
  }
  return terminal.isLive ? screenView(terminal) : linesView(terminal, options.tz);
}

function linesView(terminal: Terminal, zone: ZoneName): View {
  let previous: PortfolioRecord | undefined;
  let isSilent = false;
  return {
    onRecord: (record) => {
      for (const line of changeLines(previous, record, zone)) terminal.print(line);
      previous = record;
      isSilent = false;
    },
    onSilence: (reason) => {
      if (!isSilent) terminal.complain(reason);
      isSilent = true;
    },
    close: () => undefined,
  };
}

/** Redraws in place; the schedule advances between news, so a timer redraws too. */
function screenView(terminal: Terminal): View {
  let record: PortfolioRecord | undefined;
  let notice: string | undefined;
  const drawing = new RedrawInPlace(terminal);
  const redraw = (): void => {
    if (record === undefined) return;
    const at = { nowMs: Date.now(), columns: terminal.columns(), notice };
    drawing.draw(screenLines(record, at));
  };
  const timer = setInterval(redraw, REDRAW_MS);
  return {
    onRecord: (next) => {
      record = next;
      notice = undefined;
      redraw();
    },
    onSilence: (reason) => {
      notice = reason;
      redraw();
    },
    close: () => {
      clearInterval(timer);
      redraw();
    },
  };
}

function readSeconds(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('accepted: whole seconds');
}
