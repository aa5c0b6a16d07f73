// `backup`: writes the ledger, and the journals of the paper exchanges next to it, into a folder while the daemon runs.
// `backup verify`: restores a backup into a server of its own and audits what it holds.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { printableData } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { LedgerAudit } from '../../ledger/audit-ledger.ts';
import type { Manifest } from '../../ledger/backup/manifest.ts';
import { configOption, fromCaller } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { outputFolder } from '../output-path.ts';
import { paint } from '../terminal/paint.ts';
import { backupFailure, contentText, sizeOf, venuesOf } from './backup-text.ts';

interface Options extends LedgerOptions {
  readonly to?: string;
  readonly json?: boolean;
}

interface VerifyOptions {
  readonly json?: boolean;
}

export const addBackup: AddCommand = (program, terminal) => {
  const backup: Command = program
    .command('backup')
    .option(...configOption)
    .option('--to <folder>', 'the folder in which the backup gets a folder of its own')
    .option('--json', 'print it as JSON')
    .action((options: Options) => take(options, terminal));
  backup
    .command('verify')
    .description(
      'restore a backup into a server of its own and audit it; exit code 1 if anything is wrong',
    )
    .argument('<folder>', 'a backup')
    .option('--json', 'print it as JSON')
    .action((folder: string, options: VerifyOptions) =>
      // The option of the command above has the same name, and takes it.
      verify(fromCaller(folder), { ...backup.opts<Options>(), ...options }, terminal),
    );
};

async function take(options: Options, terminal: Terminal): Promise<void> {
  if (options.to === undefined) {
    throw new CommandFailure('usage', ['--to <folder> is missing: a folder, best on another disk']);
  }
  const config = ledgerConfig(options);
  const { deployment, dataDir } = config.service;
  const { writeBackup } = await import('../../ledger/backup/write-backup.ts');
  const into = resolve(outputFolder({ option: '--to', name: options.to }));
  const target = join(into, `${deployment}-${timeOf(new Date())}`);
  if (existsSync(target)) throw new CommandFailure('refused', [`${target} exists already`]);
  const manifest = await onLedger(config, async (connectionString) => {
    const written = await writeBackup({
      connectionString,
      deployment,
      target,
      venues: venuesOf(dataDir),
      now: () => new Date(),
      onTable: (name) => terminal.complain(`table ${name} …`),
    });
    await remember(connectionString, written.takenAt);
    return written;
  }).catch((error: unknown) => {
    throw backupFailure(error);
  });
  terminal.print(
    options.json === true
      ? jsonText({ folder: target, takenAt: manifest.takenAt, bytes: sizeOf(manifest) })
      : `${paint.bold(target)}\n${contentText(manifest)}`,
  );
}

/** For the metrics of the daemon. */
async function remember(connectionString: string, takenAt: string): Promise<void> {
  const { PostgresLedger } = await import('../../../adapters/postgres/postgres-ledger.ts');
  const { NEWEST_BACKUP } = await import('../../wiring/newest-backup.ts');
  const ledger = new PostgresLedger({ connectionString });
  try {
    await ledger.setMetadata(NEWEST_BACKUP, takenAt);
  } finally {
    await ledger.close();
  }
}

/** Such as 20261124T221500Z. */
const timeOf = (date: Date): string => date.toISOString().replace(/\.\d+|[-:]/g, '');

async function verify(folder: string, { json }: VerifyOptions, terminal: Terminal): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'twapd-verify-'));
  try {
    const { manifest, audit } = await restoredAndAudited(folder, scratch, terminal);
    const { portfolios, events, findings } = audit;
    const isWhole = findings.length === 0;
    terminal.print(
      json === true
        ? jsonText({ takenAt: manifest.takenAt, portfolios, events, findings })
        : [
            contentText(manifest),
            `restored and audited: ${counted(portfolios, 'portfolio')}, ${counted(events, 'event')}, ${counted(findings.length, 'finding')}`,
            ...printableData(findings).map(
              ({ portfolio, invariant, detail }) => `${portfolio}: ${invariant}: ${detail}`,
            ),
            isWhole ? paint.green('the backup is whole') : paint.red('the backup is not whole'),
          ].join('\n'),
    );
    if (!isWhole) throw new CommandFailure('refused', []);
  } catch (error) {
    throw backupFailure(error);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function restoredAndAudited(
  folder: string,
  scratch: string,
  terminal: Terminal,
): Promise<{ readonly manifest: Manifest; readonly audit: LedgerAudit }> {
  const { startEmbeddedPostgres } = await import(
    '../../../adapters/postgres/private-server/embedded-postgres.ts'
  );
  const { restoreBackup } = await import('../../ledger/backup/restore-backup.ts');
  const { auditLedger } = await import('../../ledger/audit-ledger.ts');
  const quiet = { info: () => undefined, warn: () => undefined };
  const server = await startEmbeddedPostgres({ dataDir: join(scratch, 'postgres'), log: quiet });
  try {
    const connectionString = server.address;
    const manifest = await restoreBackup({
      folder,
      connectionString,
      venues: venuesOf(scratch),
      deployment: undefined,
      now: () => new Date(),
      onTable: (name) => terminal.complain(`table ${name} …`),
    });
    terminal.complain('audit …');
    // A folder that has seen no ledger: the backup is judged by what is in it.
    const getMetadata = () => Promise.resolve(undefined);
    return {
      manifest,
      audit: await auditLedger({ connectionString, folder: scratch, getMetadata }),
    };
  } finally {
    await server.stop();
  }
}
