// Chooses the user the server runs as. PostgreSQL refuses root, so root hands it to another user; if that
// user cannot reach the data or the programs (a home folder closed to others), the server keeps the one
// capability to pass closed folders, and no more.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Bits of capabilities(7), weakest first: either lets a process pass folders that are closed to its user. */
const PASSING_RIGHTS = [
  { name: 'dac_read_search', bit: 2n },
  { name: 'dac_override', bit: 1n },
] as const;

/** Needed to pass a capability on. */
const SETPCAP_BIT = 8n;

const PREFERRED_USERS = ['postgres', 'twapd'];

export interface PostgresOwner {
  /** Undefined: the server runs as the same user as this process. */
  readonly uid: number | undefined;
  readonly gid: number | undefined;
  /** Command prefix if a capability must survive the change of user. */
  readonly prefix: readonly string[];
}

/** The user to start a program as: none if a prefix changes it, or if it stays that of this process. */
export function userOf({ uid, gid, prefix }: PostgresOwner): { uid?: number; gid?: number } {
  return uid === undefined || gid === undefined || prefix.length > 0 ? {} : { uid, gid };
}

interface OwnerContext {
  readonly dataDir: string;
  readonly programsFolder: string;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** @throws Error if running as root and no other user can be given the server; says what to do instead */
export async function chooseOwner(context: OwnerContext): Promise<PostgresOwner> {
  if (process.getuid?.() !== 0) return { uid: undefined, gid: undefined, prefix: [] };
  const user = (await clusterOwner(context.dataDir)) ?? (await systemUser(context.log));
  const closed = await closedFolder([dirname(context.dataDir), context.programsFolder], user);
  if (closed === undefined) return { ...user, prefix: [] };
  return { ...user, prefix: await passingPrefix(user, closed) };
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** An existing cluster stays with its owner. */
async function clusterOwner(dataDir: string): Promise<User | undefined> {
  // Unexamined: a folder that cannot be read has no owner to keep; making the cluster fails with the reason.
  const found = await stat(join(dataDir, 'cluster')).catch(() => undefined);
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

async function systemUser(log: OwnerContext['log']): Promise<User> {
  for (const name of PREFERRED_USERS) {
    const user = await lookUp(name);
    if (user !== undefined) return user;
  }
  const made = await makeUser('twapd');
  if (made !== undefined) {
    log.info('made the system user "twapd" to run PostgreSQL, which refuses to run as root');
    return made;
  }
  const nobody = await lookUp('nobody');
  if (nobody === undefined) {
    throw new Error(
      'PostgreSQL refuses to run as root and no other user could be found or made: ' +
        'start twapd as an ordinary user, or set DATABASE_URL to a running PostgreSQL',
    );
  }
  log.warn('running PostgreSQL as "nobody": it refuses root, and no user "twapd" could be made');
  return nobody;
}

async function makeUser(name: string): Promise<User | undefined> {
  const words = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  // Unexamined: neither program is on every system, and whether one made the user is looked up next.
  await run('useradd', [...words, '--shell', '/usr/sbin/nologin', name]).catch(() =>
    run('adduser', ['-S', '-D', '-H', name]).catch(() => undefined),
  );
  return await lookUp(name);
}

async function lookUp(name: string): Promise<User | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    // Unexamined: `id` fails exactly if the user does not exist.
    return undefined;
  }
}

/** The first folder on the paths from the root that the user may not enter. */
async function closedFolder(paths: readonly string[], user: User): Promise<string | undefined> {
  for (const folder of new Set(paths.flatMap(ancestors))) {
    const { uid, gid, mode } = await stat(folder);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return folder;
  }
  return undefined;
}

function ancestors(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [...ancestors(above), path];
}

async function passingPrefix(user: User, closed: string): Promise<readonly string[]> {
  const right = await heldRight();
  // Unexamined: a program that does not run is not usable, for whatever reason.
  const usable =
    right !== undefined && (await run('setpriv', ['--version']).then(Boolean, () => false));
  if (!usable) {
    throw new Error(
      `PostgreSQL refuses to run as root, and the user it would run as (uid ${user.uid}) cannot enter ${closed}: ` +
        'put the project and TWAPD_DATA_DIR where other users may pass, start twapd as an ordinary user, ' +
        'or set DATABASE_URL to a running PostgreSQL',
    );
  }
  const only = `+${right.name}`;
  return [
    'setpriv',
    // Otherwise access(2), with which initdb checks its programs, would ignore the kept capability.
    '--securebits=+no_setuid_fixup',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    `--inh-caps=-all,${only}`,
    `--ambient-caps=-all,${only}`,
    `--bounding-set=-all,${only}`,
  ];
}

async function heldRight(): Promise<(typeof PASSING_RIGHTS)[number] | undefined> {
  // Unexamined: systems without this file have no such rights.
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const held = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const has = (bit: bigint) => ((held & bounding) >> bit) % 2n === 1n;
  return has(SETPCAP_BIT) ? PASSING_RIGHTS.find(({ bit }) => has(bit)) : undefined;
}
