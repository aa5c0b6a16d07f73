// `keys`: manages API keys in the ledger. A secret is shown once, when it is made; a running daemon adopts
// every change within a second.
import { type Command, InvalidArgumentError } from 'commander';
import { KeySeal, newSecret, SealBroken } from '../../../gateway/auth/key-seal.ts';
import type { KeyGrant, KeyRecord, KeyRecords } from '../../../ports/key-records.ts';
import { type Instant, instant, later, SECOND_MS } from '../../../values/instant.ts';
import { printable, printableData } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { csvOption, printListing } from '../blotter/blotter-options.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { paint, timeText } from '../terminal/paint.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';
import { addGrantOptions, type GrantOptions, grantOf } from './key-grant.ts';
import { keyColumns, keyRow } from './key-table.ts';

interface Options extends LedgerOptions {
  readonly json?: boolean;
}

const OVERLAP_SEC_DEFAULT = 3_600;
const OVERLAP_SEC_MAX = 30 * 86_400;

export const addKeys: AddCommand = (program, terminal) => {
  const keys = program.command('keys');
  addCreate(keys, terminal);
  addKeyList(keys, terminal);
  addRotate(keys, terminal);
  addRevoke(keys, terminal);
};

const withFile = (command: Command): Command =>
  command.option(...configOption).option('--json', 'print the answer as JSON');

function addCreate(keys: Command, terminal: Terminal): void {
  addGrantOptions(withFile(keys.command('create')))
    .argument('<id>', 'id of the key, never used before')
    .description('make a key and show its secret, this once')
    .action(async (id: string, options: Options & GrantOptions) => {
      const config = ledgerConfig(options);
      const grant = grantOf(id, options, config);
      refuseConfigured(config, id);
      const secret = await create(config, grant);
      if (options.json) terminal.print(jsonText({ id, secret }));
      else printSecret(terminal, { id, secret });
    });
}

async function create(config: Config, grant: KeyGrant): Promise<string> {
  const seal = sealOf(config);
  const secret = newSecret();
  const { id } = grant;
  const sealed = seal.seal(secret, { grant, generation: 1 });
  const isAdded = await onRecords(config, (records) => records.add(grant, sealed));
  if (isAdded) return secret;
  throw new CommandFailure('refused', [
    `${printable(id)} has been used before; accepted: another id`,
  ]);
}

interface ListOptions extends Options {
  readonly all?: boolean;
  readonly csv?: boolean;
  readonly tz: ZoneName;
}

function addKeyList(keys: Command, terminal: Terminal): void {
  withTimeZone(withFile(keys.command('list')))
    .description('list the keys of the ledger and of the configuration; secrets are not shown')
    .option('--all', 'those that have ended too')
    .addOption(csvOption())
    .action(async (options: ListOptions) => {
      const config = ledgerConfig(options);
      const stored = await onRecords(config, (records) => records.list());
      const rows = [...config.keys, ...stored]
        .map((key) => keyRow(key, instant(Date.now())))
        .filter(({ hasEnded }) => options.all === true || !hasEnded);
      if (options.json) return terminal.print(jsonText(rows));
      const listing = {
        columns: keyColumns(options.tz),
        rows: printableData(rows),
        none: 'no keys',
      };
      printListing(listing, options, terminal);
    });
}

interface RotateOptions extends Options {
  readonly overlap: number;
  readonly replace?: boolean;
}

function addRotate(keys: Command, terminal: Terminal): void {
  withFile(keys.command('rotate'))
    .argument('<id>', 'id of the key')
    .description('give a key a new secret and show it, this once')
    .option(
      '--overlap <seconds>',
      'how long the old secret is accepted beside the new one',
      readOverlap,
      OVERLAP_SEC_DEFAULT,
    )
    .option(
      '--replace',
      'replace the secret of the last rotation while its overlap lasts; the one before stays valid',
    )
    .action(async (id: string, options: RotateOptions) => {
      const config = ledgerConfig(options);
      refuseConfigured(config, id);
      const overlapUntil = later(instant(Date.now()), options.overlap * SECOND_MS);
      const { replace: isReplacing = false } = options;
      const secret = await rotate(config, id, { overlapUntil, isReplacing });
      if (options.json) terminal.print(jsonText({ id, secret, overlapUntil }));
      else {
        printSecret(terminal, { id, secret });
        terminal.print(`the old secret is accepted until ${timeText(overlapUntil)} UTC`);
      }
    });
}

interface Wanted {
  readonly overlapUntil: Instant;
  readonly isReplacing: boolean;
}

async function rotate(
  config: Config,
  id: string,
  { overlapUntil, isReplacing }: Wanted,
): Promise<string> {
  const seal = sealOf(config);
  const secret = newSecret();
  await onRecords(config, async (records) => {
    const key = await usable(records, id);
    const { generation: from } = key;
    const kept = isReplacing ? secretToKeep(key, seal) : undefined;
    if (!isReplacing) refuseWithinOverlap(key);
    const generation = from + (kept === undefined ? 1 : 2);
    const sealed = seal.seal(secret, { grant: key, generation });
    if (await records.rotate(id, { from, sealed, overlapUntil, kept })) return;
    throw new CommandFailure('refused', [
      `${printable(id)} was just changed by another process; try again`,
    ]);
  });
  return secret;
}

/** The rotation whose overlap has not ended. */
const overlapOf = ({ previous }: KeyRecord): KeyRecord['previous'] =>
  previous !== undefined && instant(Date.now()) < previous.until ? previous : undefined;

/**
 * Another rotation would end the secret that clients still sign with, even if the newest secret was never
 * seen.
 */
function refuseWithinOverlap(key: KeyRecord): void {
  const overlap = overlapOf(key);
  if (overlap === undefined) return;
  throw new CommandFailure('refused', [
    `${printable(key.id)} was rotated already, and the secret before is accepted until ${timeText(overlap.until)} UTC`,
    'accepted: --replace, for another secret in place of the last one; or to rotate after that',
  ]);
}

/** The secret before the last rotation, sealed again for the next one. */
function secretToKeep(key: KeyRecord, seal: KeySeal): string {
  const { id, generation } = key;
  const overlap = overlapOf(key);
  if (overlap === undefined) {
    const why = `${printable(id)} has no rotation within its overlap; accepted: the command without --replace`;
    throw new CommandFailure('refused', [why]);
  }
  try {
    const before = seal.open(overlap.sealed, { grant: key, generation: generation - 1 });
    return seal.seal(before, { grant: key, generation: generation + 1 });
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new CommandFailure('refused', [error.message]);
  }
}

function addRevoke(keys: Command, terminal: Terminal): void {
  withFile(keys.command('revoke'))
    .argument('<id>', 'id of the key')
    .description('end a key for good; its connections are closed within a second')
    .action(async (id: string, options: Options) => {
      const config = ledgerConfig(options);
      refuseConfigured(config, id);
      const revokedAt = instant(Date.now());
      await onRecords(config, async (records) => {
        await usable(records, id);
        await records.revoke(id, revokedAt);
      });
      terminal.print(options.json ? jsonText({ id, revokedAt }) : `revoked ${printable(id)}`);
    });
}

async function onRecords<T>(config: Config, use: (records: KeyRecords) => Promise<T>): Promise<T> {
  return await onLedger(config, async (connectionString) => {
    const { PostgresKeyRecords } = await import(
      '../../../adapters/postgres/records/postgres-key-records.ts'
    );
    const records = new PostgresKeyRecords({ connectionString });
    try {
      return await use(records);
    } finally {
      await records.close();
    }
  });
}

async function usable(records: KeyRecords, id: string): Promise<KeyRecord> {
  const key = (await records.list()).find((one) => one.id === id);
  if (key === undefined) {
    throw new CommandFailure('refused', [
      `${printable(id)}: no such key; accepted: one of \`keys list\``,
    ]);
  }
  if (key.revokedAt === undefined) return key;
  throw new CommandFailure('refused', [
    `${printable(id)} was revoked at ${timeText(key.revokedAt)} UTC`,
  ]);
}

function refuseConfigured({ keys, path }: Config, id: string): void {
  if (!keys.some((key) => key.id === id)) return;
  throw new CommandFailure('refused', [`${printable(id)} is a key of ${path}; change it there`]);
}

function sealOf({ keysSecret }: Config): KeySeal {
  if (keysSecret !== undefined) return new KeySeal(keysSecret.reveal());
  throw new CommandFailure('refused', [
    'no master secret is set, so the secret of a key cannot be stored',
    'accepted: TWAPD_KEYS_SECRET, or gateway.keysSecret: base64 of at least 32 random bytes',
    'for example: export TWAPD_KEYS_SECRET=$(openssl rand -base64 32), the same for the daemon',
  ]);
}

function printSecret(
  terminal: Terminal,
  { id, secret }: { readonly id: string; readonly secret: string },
): void {
  terminal.print(`${paint.bold('key')}     ${printable(id)}`);
  terminal.print(`${paint.bold('secret')}  ${secret}`);
  terminal.print('the secret is not shown again');
}

function readOverlap(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,8}$/.test(text) && seconds <= OVERLAP_SEC_MAX) return seconds;
  throw new InvalidArgumentError(`accepted: 0 to ${OVERLAP_SEC_MAX}`);
}
