// `watch ID`: follows a portfolio live: bars redrawn in place on a terminal, a line per change elsewhere, a
// JSON document per line with --json. Ends when the portfolio ends.
import { InvalidArgumentError } from 'commander';
import type { LegRecord, PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type AddCommand, jsonLine, type Terminal } from '../command.ts';
import { type ConnectionOptions, reachDaemon, withConnection } from '../daemon-client.ts';
import { residualRfqText } from '../portfolio/residual-rfq-text.ts';
import { sideWord, statusWord } from '../terminal/paint.ts';
import { filledShare, percentText } from '../terminal/terminal-progress.ts';
import { withTimeZone, type ZoneName, zonedClock } from '../terminal/time-zone.ts';
import { type Follower, followPortfolio } from './follow-portfolio.ts';
import { RedrawInPlace } from './redraw-in-place.ts';
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

// Prints a portfolio's changes as lines, for logs and pipes: one line per changed leg, one per status.

/** Lines for the changes since `previous`; for everything if there is none. */
function changeLines(
  previous: PortfolioRecord | undefined,
  record: PortfolioRecord,
  zone: ZoneName = 'UTC',
): readonly string[] {
  const at = zonedClock(Number(record.updateTimestamp), zone);
  const moved = record.legs.flatMap((leg, index) =>
    isSame(previous?.legs[index], leg) ? [] : [`${at} ${legLine(leg, index)}`],
  );
  const rfq = residualRfqText(record, zone);
  if (rfq !== undefined && (previous === undefined || residualRfqText(previous, zone) !== rfq)) {
    moved.push(`${at} block rfq ${rfq}`);
  }
  const isNew = previous?.portfolioStatus !== record.portfolioStatus;
  const reason = record.reason === undefined ? '' : ` (${record.reason})`;
  const status = `${at} portfolio ${record.portfolioId} ${statusWord(record.portfolioStatus)}${reason}`;
  return isNew ? [...moved, status] : moved;
}

const isSame = (before: LegRecord | undefined, now: LegRecord): boolean =>
  before !== undefined &&
  before.filledQuantity === now.filledQuantity &&
  before.waiting === now.waiting;

function legLine(leg: LegRecord, index: number): string {
  const { filledQuantity, placeQuantity, quantityIn, filledAvgPrice } = leg;
  const average = Number(filledQuantity) === 0 ? '' : ` at ${filledAvgPrice}`;
  const waiting = leg.waiting === undefined ? '' : `, waiting: ${leg.waiting}`;
  const share = percentText(filledShare(leg) * 100);
  return `leg ${index + 1} ${sideWord(leg.side)} ${leg.instrument}: ${filledQuantity} of ${placeQuantity} ${quantityIn} (${share})${average}${waiting}`;
}
