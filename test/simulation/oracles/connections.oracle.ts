// Which private connections each daemon has, and why: nothing that may trade goes out over one whose account the daemon does
// not own, and one that it neither owns nor uses is closed.
import type { AccountId } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';

export interface JudgedDaemon {
  readonly index: number;
  readonly isAlive: boolean;
  readonly isStanding: boolean;
  owns(account: AccountId): boolean;
}

export interface ConnectionsOracleParts {
  readonly nowMs: () => number;
  /** Otherwise a daemon may expect accounts at every look. */
  readonly areLeasesTrue: boolean;
  readonly reportBreach: ReportBreach;
}

const TRADES: ReadonlySet<string> = new Set([
  'place',
  'edit',
  'create',
  'accept',
  'quote',
  'editQuote',
]);
/** An account that does not come is waited for ten seconds, and a connection that nothing needs stays open for five. */
const NEEDLESS_MS_MAX = 20_000;

export class ConnectionsOracle {
  readonly #parts: ConnectionsOracleParts;
  readonly #daemons = new Map<number, JudgedDaemon>();
  /** By daemon and account: when each connection was needed last. */
  readonly #open = new Map<number, Map<AccountId, number>>();

  constructor(parts: ConnectionsOracleParts) {
    this.#parts = parts;
  }

  /** Another life of the daemon begins, without connections. The end of the last one had the others expect its accounts. */
  begun(daemon: JudgedDaemon): void {
    for (const open of this.#open.values()) {
      for (const account of open.keys()) open.set(account, this.#parts.nowMs());
    }
    this.#daemons.set(daemon.index, daemon);
    this.#open.set(daemon.index, new Map());
  }

  opened(daemon: number, account: AccountId): void {
    this.#open.get(daemon)?.set(account, this.#parts.nowMs());
  }

  closed(daemon: number, account: AccountId): void {
    this.#open.get(daemon)?.delete(account);
  }

  used(daemon: number, account: AccountId, method: string): void {
    this.opened(daemon, account);
    if (!TRADES.has(method) || this.#daemons.get(daemon)?.owns(account) === true) return;
    this.#parts.reportBreach(
      'I24',
      `${method} of ${account} by daemon ${daemon}, which does not own it`,
    );
  }

  /** To be called after every event, whatever it was. */
  judge(): void {
    const { nowMs, areLeasesTrue, reportBreach } = this.#parts;
    if (!areLeasesTrue) return;
    for (const [daemon, open] of this.#living()) {
      for (const [account, neededMs] of open) {
        if (daemon.owns(account) || daemon.isStanding) open.set(account, nowMs());
        else if (nowMs() - neededMs > NEEDLESS_MS_MAX) {
          reportBreach('I24', keptWithout(daemon, account));
        }
      }
    }
  }

  /** Whether no daemon is connected for an account that it does not own. */
  get isAtRest(): boolean {
    return this.#needless().length === 0;
  }

  /** To be called when everything is over and had its time to come to rest. */
  judgeEnd(): void {
    for (const [daemon, account] of this.#needless()) {
      this.#parts.reportBreach('I24', keptWithout(daemon, account));
    }
  }

  #needless(): readonly (readonly [JudgedDaemon, AccountId])[] {
    return this.#living().flatMap(([daemon, open]) =>
      [...open.keys()].flatMap((account) =>
        daemon.owns(account) ? [] : [[daemon, account] as const],
      ),
    );
  }

  #living(): readonly (readonly [JudgedDaemon, Map<AccountId, number>])[] {
    return [...this.#open].flatMap(([index, open]) => {
      const daemon = this.#daemons.get(index);
      return daemon?.isAlive === true ? [[daemon, open] as const] : [];
    });
  }
}

const keptWithout = ({ index }: JudgedDaemon, account: AccountId): string =>
  `daemon ${index} keeps a connection of ${account}, which it does not own`;
