// `switch`: lists and sets the trading switches.
import { Argument } from 'commander';
import type { SwitchRecord, SwitchWish } from '../../../gateway/client/client.ts';
import { CommandFailure } from '../../command-failure.ts';
import { csvOption, printListing } from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { paint } from '../terminal/paint.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';

interface Options extends ConnectionOptions {
  readonly account?: string;
  readonly strategy?: string;
  readonly portfolio?: string;
  readonly reason?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly tz: ZoneName;
}

/** Maps what the user types to the resulting state of the switch. */
const WORDS = { halt: 'halted', reduce: 'reducing', activate: 'active' } as const;

const PAINTED = { active: paint.green, reducing: paint.yellow, halted: paint.red } as const;

export const addSwitch: AddCommand = (program, terminal) => {
  const action = new Argument('[action]', 'absent: list them').choices(Object.keys(WORDS));
  withTimeZone(withConnection(program.command('switch')))
    .addArgument(action)
    .option('-a, --account <id>', 'only of this account')
    .option('-s, --strategy <name>', 'only of this strategy')
    .option('-p, --portfolio <id>', 'only of this portfolio')
    .option('-r, --reason <text>', 'why; kept with who and when')
    .option('--json', 'print the answer as JSON')
    .addOption(csvOption())
    .action(async (word: keyof typeof WORDS | undefined, options: Options) => {
      const { client } = reachDaemon(options);
      if (word === undefined) {
        const switches = valueOrFail(await client.switches());
        const none = `everything is ${stateText('active')}; no switch was ever set`;
        const listing = { columns: columnsFor(options.tz), rows: switches, none };
        return printListing(listing, options, terminal);
      }
      const set = valueOrFail(await client.setSwitch(wishOf(word, options)));
      terminal.print(options.json ? jsonText(set) : `${nameOf(set)} is ${stateText(set.state)}`);
    });
};

function wishOf(word: keyof typeof WORDS, options: Options): SwitchWish {
  const { account, strategy, portfolio, reason } = options;
  if (reason === undefined) {
    throw new CommandFailure('usage', ['--reason: is missing; accepted: a few words on why']);
  }
  const named = Object.entries({ account, strategy, portfolio }).flatMap(([scope, of]) =>
    of === undefined ? [] : [{ scope: scope as SwitchWish['scope'], of }],
  );
  if (named.length > 1) {
    throw new CommandFailure('usage', ['accepted: one of --account, --strategy, --portfolio']);
  }
  return { ...(named[0] ?? { scope: 'deployment' }), state: WORDS[word], reason };
}

const nameOf = ({ scope, of }: SwitchRecord): string =>
  of === '' ? `the ${scope}` : `${scope} ${of}`;

const stateText = (state: SwitchRecord['state']): string => PAINTED[state](state);

const columnsFor = (zone: ZoneName): readonly SheetColumn<SwitchRecord>[] => [
  textColumn(['over', 'over', 0], nameOf),
  {
    ...textColumn<SwitchRecord>(['state', 'state', 0], ({ state }) => state),
    shown: ({ state }) => stateText(state),
  },
  textColumn(['set_by', 'set by', 2], ({ nickname, uid }) => nickname || uid),
  timeColumn(['at', 'at', 3], zone, ({ timestamp }) => Number(timestamp)),
  textColumn(['why', 'why', 1], ({ reason }) => reason),
];
