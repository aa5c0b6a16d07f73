// `submit FILE`: submits a portfolio and prints how to follow it. On a terminal it first shows what would be traded and
// asks. Without a terminal nobody can be asked: a file that is meant for another time then requires --yes, any other is
// submitted.
import type { SubmittedRecord } from '../../../gateway/client/client.ts';
import { printable } from '../../../values/printable.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Schedule } from '../../strategy/strategy-schedule.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  type Daemon,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { type FileSubmission, readSubmission } from '../submission-file.ts';
import { paint } from '../terminal/paint.ts';
import { submitPreview } from './submit-preview.ts';

interface Options extends ConnectionOptions {
  readonly once?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const addSubmit: AddCommand = (program, terminal) => {
  withConnection(program.command('submit'))
    .argument('<file>', 'strategy file or submit body, YAML or JSON')
    .option('--once <key>', 'submit only if this key has not been used before')
    .option('-y, --yes', 'do not ask; the schedule of the file is ignored')
    .option('--json', 'print the answer as JSON')
    .action(async (file: string, options: Options) => {
      const submission = readSubmission(file);
      const daemon = reachDaemon(options);
      await confirm(submission, { file, daemon, isAgreed: options.yes === true, terminal });
      const { body, faultOf } = submission;
      const submitted = valueOrFail(await daemon.client.submit(body, options.once), faultOf);
      if (options.json) terminal.print(jsonText(submitted));
      else print(submitted, terminal);
    });
};

interface Asking {
  readonly file: string;
  readonly daemon: Daemon;
  readonly isAgreed: boolean;
  readonly terminal: Terminal;
}

/** @throws CommandFailure unless the submit is agreed to, or nobody can be asked and the file is meant for now. */
async function confirm(submission: FileSubmission, asking: Asking): Promise<void> {
  const { daemon, isAgreed, terminal } = asking;
  const what = deviation(submission, asking.file);
  if (what !== undefined) {
    terminal.complain(`${paint.yellow('note')} ${what}; submit ignores this and trades at once`);
  }
  if (isAgreed) return;
  if (!terminal.canAsk) {
    if (what === undefined) return;
    throw new CommandFailure('refused', [
      `nothing was submitted: ${what}, and there is no terminal to ask for confirmation`,
      'to submit it at once all the same, add --yes',
    ]);
  }
  const plan = valueOrFail(await daemon.client.plan(submission.body), submission.faultOf);
  const width = terminal.columns();
  terminal.complain(submitPreview(plan, { body: submission.body, url: daemon.url, width }));
  const answer = await terminal.prompt('submit it now? [y/N] ');
  if (/^\s*y(es)?\s*$/i.test(answer)) return;
  throw new CommandFailure('refused', ['nothing was submitted; to submit without asking: --yes']);
}

/** What the file specifies and a manual submit does not follow; `undefined` if nothing. */
function deviation({ strategy }: FileSubmission, file: string): string | undefined {
  const differs = strategy === undefined ? [] : differences(strategy);
  return differs.length === 0 ? undefined : `${printable(file)} ${differs.join(', and ')}`;
}

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
