// Another daemon may commit a turn of a portfolio that this one owns: a command that it could not pass on, or a turn
// that was under way when the shard was handed over. That daemon says so at once; the turn log, read every second while
// there are other daemons, has what was not heard. The owner then continues from what is stored.
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { PeriodicTask } from '../../lifetime/periodic-task.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Nudges } from '../../ports/nudges.ts';
import type { Observer } from '../../ports/observer.ts';
import type { LoggedTurn, TurnLog } from '../../ports/turn-log.ts';
import { accountId, type PortfolioId, portfolioId } from '../../values/ids.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import { type Ownership, ownsAccount } from './ownership.ts';

export interface ForeignTurnsOptions {
  readonly clock: Clock;
  readonly engine: Pick<Engine, 'reloadAndAdvance' | 'versionOf'> & {
    readonly turns: Pick<Engine['turns'], 'isRunning' | 'peek'>;
    readonly homes: Pick<Engine['homes'], 'isOwned'>;
  };
  readonly ledger: Pick<Ledger, 'shardOf'>;
  readonly ownership: Ownership;
  readonly observer: Observer;
  /** Tells the owners of portfolios of turns that are committed here. */
  readonly nudges: Nudges;
  readonly turnLog: TurnLog;
}

const TOPIC = 'turn';
const EVERY_MS = 1_000;
const GROUPS_A_PAGE = 500;

type Committed = Pick<LoggedTurn, 'portfolio' | 'account' | 'version'>;

/** `undefined` if another version of the program writes it in another way. */
function parseTurn(text: string): Committed | undefined {
  const [id, version, account] = /^(\d{1,16}) (\d{1,15}) (.{1,64})$/.exec(text)?.slice(1) ?? [];
  if (id === undefined || version === undefined || account === undefined) return undefined;
  return { portfolio: portfolioId(id), version: Number(version), account: accountId(account) };
}

export class ForeignTurns implements EngineComponent {
  readonly #options: ForeignTurnsOptions;
  readonly #reads: PeriodicTask;
  #stopListening = (): void => undefined;
  /** The group up to which the log was read; `undefined` while there is no other daemon. */
  #position: bigint | undefined;
  /** The latest versions committed here since the log was last read, and before that. */
  #own = new Map<PortfolioId, number>();
  #ownBefore = new Map<PortfolioId, number>();

  constructor(options: ForeignTurnsOptions) {
    this.#options = options;
    const { clock, observer } = options;
    const what = (): Promise<unknown> => this.#readLog();
    this.#reads = new PeriodicTask({
      clock,
      observer,
      what,
      everyMs: EVERY_MS,
      where: 'foreign_turn',
    });
  }

  async start(): Promise<void> {
    const { nudges, ownership } = this.#options;
    // Where there is no other process there are no turns of others.
    if (ownership.shards() === undefined) return;
    const told = (text: string): void => {
      const turn = parseTurn(text);
      if (turn !== undefined) this.#learned(turn);
    };
    this.#stopListening = nudges.onNudge(TOPIC, told);
    await this.#reads.start();
  }

  async drain(): Promise<void> {
    this.stop();
    await this.#reads.drain();
  }

  stop(): void {
    this.#stopListening();
    this.#reads.stop();
  }

  created(state: PortfolioState): void {
    this.#tellOwner(state);
  }

  committed({ state, stored }: Pick<CommittedTurn, 'state' | 'stored'>): void {
    if (stored === undefined) return;
    if (this.#position !== undefined) this.#own.set(state.id, state.version);
    this.#tellOwner(state);
  }

  #tellOwner(state: PortfolioState): void {
    const { engine, nudges } = this.#options;
    if (engine.homes.isOwned(state)) return;
    nudges.nudge(TOPIC, `${state.id} ${state.version} ${state.spec.accountId}`);
  }

  async #readLog(): Promise<void> {
    const { ownership, turnLog } = this.#options;
    if (ownership.daemons() === 1) {
      this.#position = undefined;
      this.#own.clear();
      this.#ownBefore.clear();
      return;
    }
    this.#ownBefore = this.#own;
    this.#own = new Map();
    for (let at = this.#position ?? (await turnLog.newestPosition()); ; ) {
      const groups = await turnLog.groupsFrom(at, GROUPS_A_PAGE);
      // What was deleted from the log is as old as the overdue sweeper needs to find what was missed.
      at = groups?.at(-1)?.position ?? (await turnLog.newestPosition());
      this.#position = at;
      for (const { turns } of groups?.slice(1) ?? []) {
        for (const turn of turns) if (this.#isForeign(turn)) this.#learned(turn);
      }
      if ((groups?.length ?? 0) < GROUPS_A_PAGE) return;
    }
  }

  #isForeign({ portfolio, version }: LoggedTurn): boolean {
    const own = this.#own.get(portfolio) ?? this.#ownBefore.get(portfolio);
    return own === undefined || own < version;
  }

  #learned({ portfolio, account, version }: Committed): void {
    const { engine, ownership } = this.#options;
    const known = engine.versionOf(portfolio);
    const isNews = known === undefined ? ownsAccount(ownership, account) : known < version;
    if (isNews && !engine.turns.isRunning(portfolio)) void this.#reload(portfolio);
  }

  async #reload(portfolio: PortfolioId): Promise<void> {
    const { engine, observer } = this.#options;
    try {
      if (!(await this.#isOwned(portfolio))) return;
      await engine.reloadAndAdvance(portfolio);
      for (const shadow of engine.turns.peek(portfolio)?.spec.mirrors ?? []) {
        if (engine.turns.peek(shadow) === undefined) await engine.reloadAndAdvance(shadow);
      }
    } catch (error) {
      observer.observe({ event: 'failed', where: 'foreign_turn', error, portfolio });
    }
  }

  /** The account of a shadow is a dummy, which says nothing about where it is: the owner of its original finds it by that. */
  async #isOwned(portfolio: PortfolioId): Promise<boolean> {
    const { engine, ledger, ownership } = this.#options;
    if (engine.versionOf(portfolio) !== undefined) return true;
    const shard = await ledger.shardOf(portfolio);
    return shard !== undefined && ownership.owns(shard);
  }
}
