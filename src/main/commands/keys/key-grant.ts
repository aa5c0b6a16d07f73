// Reads what a new key may do from the options of a command; the rules of the configuration's keys apply.
import type { Command } from 'commander';
import type { ApiKey } from '../../../gateway/auth/key-store.ts';
import type { KeyGrant } from '../../../ports/key-records.ts';
import { accountId } from '../../../values/ids.ts';
import { instant, parseIso } from '../../../values/instant.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { givenKeys } from '../../config/secrets/given-keys.ts';
import { keyGrantSection } from '../../config/sections/access-section.ts';
import { makersOf } from '../../wiring/follow-makers.ts';

export interface GrantOptions {
  readonly uid: string;
  readonly nickname: string;
  readonly accounts: string;
  readonly scopes: string;
  readonly makerAlias?: string;
  readonly bindBody?: boolean;
  readonly addresses?: string;
  readonly expires?: string;
}

export const addGrantOptions = (command: Command): Command =>
  command
    .requiredOption('--uid <digits>', 'user id shown on what the key does')
    .requiredOption('--nickname <name>', 'user name shown on what the key does')
    .requiredOption('--accounts <ids>', 'accounts it may use, with commas')
    .requiredOption('--scopes <scopes>', 'of read, trade, blockRfq, admin, with commas')
    .option(
      '--maker-alias <alias>',
      'makes its account a maker of Block RFQs under this name, as long as the key is in force',
    )
    .option('--bind-body', 'demand signatures that also cover method, path and body')
    .option('--addresses <list>', 'addresses and networks it may be used from, with commas')
    .option('--expires <instant>', 'from when on it is refused, such as 2027-01-31T00:00:00Z');

/** @throws CommandFailure that names each faulty option and what is accepted */
export function grantOf(id: string, options: GrantOptions, config: Config): KeyGrant {
  const { uid, nickname, makerAlias, bindBody = false, expires } = options;
  const listed = {
    accounts: words(options.accounts),
    scopes: words(options.scopes),
    addresses: words(options.addresses ?? ''),
  };
  const entry = { id, uid, nickname, makerAlias, bindBody, expiresAt: expires, ...listed };
  const read = keyGrantSection.safeParse(entry, { reportInput: true });
  const known = config.accounts.map((account) => account.id);
  const strange = listed.accounts.filter((account) => !known.includes(account));
  const faults = [
    ...(read.error?.issues ?? []).map(
      ({ path, message }) => `${OPTIONS[String(path[0])] ?? path.join('.')}: ${message}`,
    ),
    ...strange.map(
      (account) => `--accounts: ${account} is not a known account; accepted: ${known.join(', ')}`,
    ),
    ...makerFaults({ id, makerAlias, accounts: listed.accounts.map(accountId) }, config),
  ];
  const key = read.data;
  if (key === undefined || faults.length > 0) throw new CommandFailure('usage', faults);
  return {
    id,
    uid,
    nickname,
    makerAlias,
    bindBody,
    scopes: [...new Set(key.scopes)],
    addresses: key.addresses,
    accounts: [...new Set(key.accounts)].map(accountId),
    createdAt: instant(Date.now()),
    expiresAt: expires === undefined ? undefined : parseIso(expires),
  };
}

/** Checked against the keys of the configuration, which take precedence. */
function makerFaults(
  key: Pick<ApiKey, 'id' | 'makerAlias' | 'accounts'>,
  config: Config,
): readonly string[] {
  const own = config.accounts.filter(({ dummy }) => !dummy).map(({ id }) => accountId(id));
  const { conflicts } = makersOf([...givenKeys(config), key], own);
  return conflicts.map((conflict) => `--maker-alias: ${conflict}`);
}

const OPTIONS: Readonly<Record<string, string>> = {
  id: '<id>',
  uid: '--uid',
  nickname: '--nickname',
  accounts: '--accounts',
  scopes: '--scopes',
  makerAlias: '--maker-alias',
  addresses: '--addresses',
  expiresAt: '--expires',
};

const words = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
