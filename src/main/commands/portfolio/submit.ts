// `submit FILE`: submits a portfolio and prints how to follow it. A strategy file that has a schedule or is
// not enabled is submitted at once only after confirmation.
import type { SubmittedRecord } from '../../../gateway/client/client.ts';
import { printable } from '../../../values/printable.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Schedule } from '../../strategy/strategy-schedule.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { type FileSubmission, readSubmission } from '../files.ts';
import { paint } from '../terminal/paint.ts';

interface Options extends ConnectionOptions {
  readonly once?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const addSubmit: AddCommand = (program, terminal) => {
  withConnection(program.command('submit'))
    .description('submit a portfolio')
    .argument('<file>', 'strategy file or submit body, YAML or JSON')
    .option('--once <key>', 'submit only if this key has not been used before')
    .option('-y, --yes', 'submit at once, whatever the file says of its schedule')
    .option('--json', 'print the answer as JSON')
    .action(async (file: string, options: Options) => {
      const submission = readSubmission(file);
      const { client } = reachDaemon(options);
      await confirmNow(submission, { file, isAgreed: options.yes === true, terminal });
      const { body } = submission;
      const submitted = valueOrFail(await client.submit(body, options.once));
      if (options.json) terminal.print(jsonText(submitted));
      else print(submitted, terminal);
    });
};

interface Asking {
  readonly file: string;
  readonly isAgreed: boolean;
  readonly terminal: Terminal;
}

/** @throws CommandFailure if the user does not confirm trading now what the file schedules for another time. */
async function confirmNow({ strategy }: FileSubmission, asking: Asking): Promise<void> {
  const differs = strategy === undefined ? [] : differences(strategy);
  if (differs.length === 0) return;
  const { isAgreed, terminal } = asking;
  const file = printable(asking.file);
  const what = `${file} ${differs.join(', and ')}`;
  terminal.complain(`${paint.yellow('note')} ${what}; submit ignores this and trades at once`);
  if (isAgreed) return;
  if (!terminal.canAsk) {
    throw new CommandFailure('refused', [
      `nothing was submitted: ${what}, and there is no terminal to ask for confirmation`,
      'to submit it at once all the same, add --yes',
    ]);
  }
  const answer = await terminal.prompt('submit it now? [y/N] ');
  if (/^\s*y(es)?\s*$/i.test(answer)) return;
  throw new CommandFailure('refused', ['nothing was submitted; to submit without asking: --yes']);
}

/** What the file specifies that a manual submit does not follow. */
function differences({
  schedule,
  enabled,
}: NonNullable<FileSubmission['strategy']>): readonly string[] {
  return [
    ...(schedule === undefined ? [] : [`has the schedule "${scheduleText(schedule)}"`]),
    ...(enabled ? [] : ['is not enabled (enabled: false)']),
  ];
}

function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'start':
      return 'at every start of the daemon';
    case 'once':
      return `once, at ${new Date(schedule.wall).toISOString().slice(0, 16)} ${schedule.zone}`;
    case 'cron':
      return `cron ${printable(schedule.cron)} ${schedule.zone}`;
  }
}

function print(submitted: SubmittedRecord, terminal: Terminal): void {
  const { portfolioId, mirrorPortfolioIds = [], warnings = [] } = submitted;
  terminal.print(`submitted ${paint.bold(String(portfolioId))}`);
  for (const mirror of mirrorPortfolioIds) terminal.print(`mirrored by ${mirror}`);
  for (const { leg, message } of warnings) {
    terminal.print(
      `${paint.yellow('warning')}${leg === undefined ? '' : ` leg ${leg}`}: ${message}`,
    );
  }
  terminal.print(paint.dim(`watch it: ${CLI_NAME} watch ${portfolioId}`));
}
