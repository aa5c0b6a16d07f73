// Asks a running daemon about what was read: its plan of each submission applies every rule of a submit (instruments listed,
// expiries, sizes, limits) and stores nothing.
import { setTimeout as pause } from 'node:timers/promises';
import type { PlanRecord, PortfolioBody, Result } from '../../../gateway/client/client.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import type { Fault } from '../../fault.ts';
import {
  type ConnectionOptions,
  type Daemon,
  rateLimitedSec,
  reachDaemon,
} from '../daemon-client.ts';
import type { CheckedBody } from './checked-file.ts';

export type Asked =
  | {
      readonly kind: 'answered';
      readonly faults: readonly Fault[];
      readonly notes: readonly Fault[];
    }
  | { readonly kind: 'not asked'; readonly why: string };

export type AskDaemon = (submission: CheckedBody) => Promise<Asked>;

/** A daemon under load may refuse the first ones. */
const TRIES_MAX = 5;

export const notAsked = (why: string): Asked => ({ kind: 'not asked', why });

/** Signs each question with the key of the account, or with `--key`. */
export function askDaemon(options: ConnectionOptions, config: Config): AskDaemon {
  const daemons = new Map<string, Daemon | string>();
  let silence: string | undefined;
  return async ({ body, form, faultOf }) => {
    if (silence !== undefined) return notAsked(silence);
    const key = options.key ?? keyFor(config, form.accountId);
    if (key === undefined) return notAsked(`no key of account ${form.accountId}`);
    const daemon = daemons.get(key) ?? reached({ ...options, key });
    daemons.set(key, daemon);
    if (typeof daemon === 'string') return notAsked(daemon);
    const answer = await planned(daemon, body as PortfolioBody);
    switch (answer.kind) {
      case 'unreachable':
        silence = `no daemon answers at ${daemon.url}`;
        return notAsked(silence);
      case 'refused': {
        if (answer.status === 401 || answer.status === 403) {
          return notAsked(`the daemon at ${daemon.url} refuses the key ${key}: ${answer.message}`);
        }
        if (answer.status === 429 || answer.status >= 500) {
          return notAsked(`the daemon at ${daemon.url} answers: ${answer.message}`);
        }
        const { errors, message } = answer;
        const given = errors.length > 0 ? errors : [{ field: '', message }];
        const faults = given.map((one) => faultOf(one.field, one.message));
        return { kind: 'answered', faults, notes: [] };
      }
      case 'done':
        return { kind: 'answered', faults: [], notes: objections(answer.value, faultOf) };
    }
  };
}

/** What stands against it now, and may not when it is submitted. */
const objections = ({ verdict }: PlanRecord, faultOf: CheckedBody['faultOf']): readonly Fault[] =>
  (verdict?.findings ?? [])
    .filter(({ kind }) => kind !== 'note')
    .map(({ leg, message }) => faultOf(leg === undefined ? '' : `legs[${leg}]`, message));

async function planned(daemon: Daemon, body: PortfolioBody): Promise<Result<PlanRecord>> {
  for (let tried = 1; ; tried += 1) {
    const answer = await daemon.client.plan(body);
    const waitSec = rateLimitedSec(answer);
    if (waitSec === undefined || tried === TRIES_MAX) return answer;
    await pause(waitSec * 1_000);
  }
}

const keyFor = ({ keys }: Config, account: string): string | undefined =>
  keys.find(({ accounts, scopes }) => accounts.includes(account) && scopes.includes('trade'))?.id ??
  keys.find(({ accounts }) => accounts.includes(account))?.id;

/** The daemon, or why it cannot be asked with this key. */
function reached(options: ConnectionOptions): Daemon | string {
  try {
    return reachDaemon(options);
  } catch (error) {
    if (error instanceof CommandFailure && error.ending === 'refused') return error.message;
    throw error;
  }
}
