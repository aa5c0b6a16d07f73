// `doctor`: connects to the live venues of a configuration, measures and checks them, and says what is wrong.
import { CommandFailure } from '../../command-failure.ts';
import type { Config, DeribitVenueConfig } from '../../config/config.ts';
import { placeOf } from '../../config/rules/venue-place.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { readConfig } from '../files.ts';
import { doctorText } from './doctor-text.ts';

interface Options {
  readonly config: string;
  readonly venue?: string;
  readonly json?: boolean;
}

export const addDoctor: AddCommand = (program, terminal) => {
  program
    .command('doctor')
    .option(...configOption)
    .option('--venue <name>', 'only this venue (default: every venue of kind deribit)')
    .option('--json', 'print it as JSON')
    .action(async (options: Options) => {
      const config = readConfig(options.config);
      const faults: string[] = [];
      const reports: object[] = [];
      for (const [name, section] of chosen(config, options)) {
        const { report, lines, wrong } = await examine({ config, name, section, terminal });
        reports.push(report);
        faults.push(...wrong.map((one) => `${name}: ${one}`));
        if (!options.json) terminal.print(lines.join('\n'));
      }
      if (options.json)
        terminal.print(jsonText({ ok: faults.length === 0, faults, venues: reports }));
      if (faults.length > 0) throw new CommandFailure('refused', options.json ? [] : faults);
    });
};

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
}

async function examine({ config, name, section, terminal }: Examining) {
  // The adapter is loaded only here, so that the other commands start fast.
  const [{ SystemClock }, { examineVenue }, { faultsIn, judgeVenue }] = await Promise.all([
    import('../../../adapters/system/system-clock.ts'),
    import('../../doctor/examine-venue.ts'),
    import('../../doctor/judge-venue.ts'),
  ]);
  const examined = await examineVenue({
    config,
    name,
    section,
    clock: new SystemClock({ unref: false }),
    onProgress: (what) => terminal.isLive && terminal.complain(`… ${what}`),
  });
  const judged = judgeVenue(section, config.engine, examined);
  const { recommended, isLive, parts } = judged;
  const report = { name, url: placeOf(section).url, isLive, recommended, parts, examined };
  return { report, lines: doctorText(name, judged, terminal.columns()), wrong: faultsIn(judged) };
}
