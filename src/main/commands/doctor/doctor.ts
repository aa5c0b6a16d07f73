// `doctor`: connects to the live venues of a configuration, measures and checks them, and says what is wrong.
import { dayOf } from '../../../ports/archive/submit-day.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config, DeribitVenueConfig } from '../../config/config.ts';
import { placeOf } from '../../config/rules/venue-place.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { readConfig } from '../files.ts';
import { outputFolder } from '../output-path.ts';
import { doctorText } from './doctor-text.ts';

interface Options {
  readonly config: string;
  readonly venue?: string;
  readonly json?: boolean;
  readonly capture?: string;
}

export const addDoctor: AddCommand = (program, terminal) => {
  program
    .command('doctor')
    .option(...configOption)
    .option('--venue <name>', 'only this venue (default: every venue of kind deribit)')
    .option('--json', 'print it as JSON')
    .option(
      '--capture <folder>',
      'also test on a test network what docs/deribit.md assumes, and keep the answers there',
    )
    .action(async (options: Options) => {
      const config = readConfig(options.config);
      const folder =
        options.capture === undefined
          ? undefined
          : outputFolder({ option: '--capture', name: options.capture });
      const faults: string[] = [];
      const reports: object[] = [];
      const venues = chosen(config, options);
      if (folder !== undefined && venues.length > 1) throw severalCaptured(venues);
      for (const [name, section] of venues) {
        const { report, lines, wrong } = await examine({ config, name, section, terminal, folder });
        reports.push(report);
        faults.push(...wrong.map((one) => `${name}: ${one}`));
        if (!options.json) terminal.print(lines.join('\n'));
      }
      if (options.json)
        terminal.print(jsonText({ ok: faults.length === 0, faults, venues: reports }));
      if (faults.length > 0) throw new CommandFailure('refused', options.json ? [] : faults);
    });
};

const severalCaptured = (venues: readonly (readonly [string, unknown])[]): CommandFailure =>
  new CommandFailure('refused', [
    `--capture is of one venue; accepted: --venue with one of ${venues.map(([name]) => name).join(', ')}`,
  ]);

function chosen(
  { venues }: Config,
  { venue, config }: Options,
): readonly (readonly [string, DeribitVenueConfig])[] {
  const live = Object.entries(venues).flatMap(([name, one]) =>
    one.kind === 'deribit' && (venue === undefined || venue === name) ? [[name, one] as const] : [],
  );
  if (live.length > 0) return live;
  const known = Object.entries(venues).filter(([, { kind }]) => kind === 'deribit');
  const accepted = known.map(([name]) => name).join(', ') || 'a configuration with one';
  throw new CommandFailure('refused', [
    venue === undefined
      ? `${config} has no venue of kind deribit; accepted: ${accepted}`
      : `--venue is ${JSON.stringify(venue)}, which is not a venue of kind deribit of ${config}; accepted: ${accepted}`,
  ]);
}

interface Examining {
  readonly config: Config;
  readonly name: string;
  readonly section: DeribitVenueConfig;
  readonly terminal: Terminal;
  /** For the answers of a capture. */
  readonly folder: string | undefined;
}

async function examine({ config, name, section, terminal, folder }: Examining) {
  // The adapter is loaded only here, so that the other commands start fast.
  const [{ SystemClock }, { examineVenue }, { faultsIn, judgeVenue }, { writeCapture }] =
    await Promise.all([
      import('../../../adapters/system/system-clock.ts'),
      import('../../doctor/examine-venue.ts'),
      import('../../doctor/judge-venue.ts'),
      import('../../doctor/capture/write-capture.ts'),
    ]);
  const clock = new SystemClock({ unref: false });
  const examined = await examineVenue({
    config,
    name,
    section,
    clock,
    captures: folder !== undefined,
    onProgress: (what) => terminal.isLive && terminal.complain(`… ${what}`),
  });
  const { url } = placeOf(section);
  if (folder !== undefined) {
    const { captured, whyNoProbe } = examined;
    if (captured === undefined) {
      throw new CommandFailure('refused', [`--capture: no point was tested: ${whyNoProbe}`]);
    }
    writeCapture(folder, captured, { url, day: dayOf(clock.now()) });
  }
  const judged = judgeVenue(section, config.engine, examined);
  const { recommended, isLive, parts } = judged;
  const report = { name, url, isLive, recommended, parts, examined };
  return { report, lines: doctorText(name, judged, terminal.columns()), wrong: faultsIn(judged) };
}
