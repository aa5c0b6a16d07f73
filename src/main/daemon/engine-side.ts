// What executes, without what serves clients: opens everything of the engine, resumes, follows strategies, reloads, halts,
// and ends in order.
import { flushCompileCache } from 'node:module';
import process from 'node:process';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import type {
  LegSummary,
  PortfolioSummary,
} from '../../core/portfolio/summary/portfolio-summary.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import { engineApi } from '../../engine/api/serve-engine.ts';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import { drainAndStop } from '../../lifetime/lifetime.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { Instant } from '../../values/instant.ts';
import { CLI_NAME } from '../cli-name.ts';
import type { Config } from '../config/config.ts';
import type { DataDir } from '../data-dir.ts';
import { faultText } from '../fault.ts';
import { readiness } from '../lifecycle/readiness.ts';
import type { Shutdown } from '../lifecycle/shutdown.ts';
import { ServedStrategies } from '../strategy/serve-strategies.ts';
import { StrategyFolder } from '../strategy/strategy-folder.ts';
import { StrategyRunner } from '../strategy/strategy-runner.ts';
import { LimitChanges } from '../wiring/limit-changes.ts';
import { type Wired, type WireOptions, wire } from '../wiring/wire.ts';

export interface EngineSideOptions {
  readonly config: Config;
  readonly log: Log;
  readonly dataDir: DataDir;
  /** Whether `--live` was typed: without it nothing is connected that trades real money. */
  readonly allowsLive: boolean;
  readonly isGatewayElsewhere: boolean;
  readonly onStores?: WireOptions['onStores'];
  readonly onFatal: (error: unknown) => void;
}

interface Following {
  readonly folder: StrategyFolder;
  readonly runner: StrategyRunner;
}

const ENGINE_MS_MAX = 4_000;
/** How long the accounts are worked on while the other daemons connect them. */
const ANNOUNCED_MS_MAX = 1_000;
/** Time to release resources once the grace period has ended. */
const ENGINE_SLACK_MS = 200;

export class EngineSide {
  readonly wired: Wired;
  readonly #options: EngineSideOptions;
  readonly #limitChanges: LimitChanges;
  readonly #strategies: ServedStrategies;
  #following: Following | undefined;
  #isEnding = false;
  #announced: Promise<void> | undefined;

  private constructor(options: EngineSideOptions, wired: Wired) {
    this.#options = options;
    this.wired = wired;
    this.#strategies = new ServedStrategies(wired);
    const { ledger, observer } = wired;
    const onFault = (error: unknown): void =>
      observer.observe({ event: 'failed', where: 'limits', error });
    this.#limitChanges = new LimitChanges({ ledger, log: options.log.logger, onFault });
  }

  static async open(options: EngineSideOptions): Promise<EngineSide> {
    const side = new EngineSide(options, await wire(options));
    await side.#limitChanges.report(options.config, 'start');
    return side;
  }

  /** The interface for gateways. */
  api(): EngineApi {
    const { wired } = this;
    const strategies = this.#strategies;
    return engineApi({ ...wired, strategies, notReady: () => readiness(wired) });
  }

  /** Requests may be made once this resolves; recovery continues and holds back orders, not answers. */
  begin(): Promise<void> {
    return this.wired.engine.begin();
  }

  /** Resolves when recovery has ended and strategies are followed. Failures that only a restart repairs go to `onFatal`. */
  async resume(): Promise<void> {
    const { wired } = this;
    const { log, onFatal } = this.#options;
    const recovered = wired.engine.caughtUp().catch(onFatal);
    wired.live.announce(wired.opened);
    await recovered;
    if (this.#isEnding) return;
    await wired.auditor.start();
    wired.witness.start();
    // Not left to the end, which a killed process never reaches. Does nothing if the cache is complete.
    flushCompileCache();
    if (process.stdout.isTTY) {
      printProgress(wired.bus, (portfolio, line) => log.logger.info({ portfolio }, line));
    }
    await this.#followStrategies();
    log.logger.info(`second terminal: ${CLI_NAME} list   then   ${CLI_NAME} watch ID`);
  }

  /** Adopts strategies, limits and keys of a changed configuration. */
  reload(config: Config): void {
    this.wired.limits.reload(config);
    void this.#limitChanges.report(config, 'SIGHUP');
    this.wired.keys.reload(config);
  }

  reloadStrategies(): void {
    void this.#following?.folder.reload();
  }

  /** The signal of last resort: it needs neither a key nor a network. */
  halt(): void {
    const { switches, clock, observer } = this.wired;
    const setting: SwitchSetting = {
      scope: 'deployment',
      of: '',
      state: 'halted',
      reason: 'signal SIGUSR2',
      by: { uid: '', nickname: 'signal' },
      at: clock.now(),
    };
    switches
      .set(setting)
      .catch((error: unknown) => observer.observe({ event: 'failed', where: 'switch', error }));
  }

  /** Strategies submit no more, and the other daemons begin to prepare for what this one works. */
  async endStrategies(ending: Shutdown): Promise<void> {
    this.#isEnding = true;
    this.#announced = this.wired.ownership.announceLeave();
    const { folder, runner } = this.#following ?? {};
    await ending.step('strategy files', { limitMs: 500 }, () => folder?.drain());
    await ending.step('strategies', { limitMs: 1_000 }, () => runner?.drain());
  }

  async drain(ending: Shutdown): Promise<void> {
    const { wired } = this;
    await ending.step('hand-over', { limitMs: ANNOUNCED_MS_MAX }, () => this.#announced);
    const graceMs = Math.min(ENGINE_MS_MAX, ending.leftMs);
    await ending.step('engine', { limitMs: ENGINE_MS_MAX }, () =>
      drainAndStop(wired.engine, {
        clock: wired.clock,
        graceMs: Math.max(0, graceMs - ENGINE_SLACK_MS),
      }),
    );
    await wired.close(ending);
  }

  async #followStrategies(): Promise<void> {
    const { ledger, observer } = this.wired;
    const start = Number((await ledger.getMetadata('starts')) ?? '0') + 1;
    await ledger.setMetadata('starts', String(start));
    if (this.#isEnding) return;
    const runner = new StrategyRunner({ ...this.wired, start });
    const folder = new StrategyFolder(this.#options.config.service.strategies, {
      onLoaded: (set) => {
        const faults = set.faults.map(faultText);
        observer.observe({ event: 'strategies_loaded', names: [...set.inForce.keys()], faults });
        this.#strategies.follow(set, runner);
        void runner.follow(set);
      },
    });
    this.#following = { folder, runner };
    await folder.start();
  }
}

/** Minimum time between two lines about one portfolio. */
const PROGRESS_EVERY_MS = 3_000;

/**
 * Prints progress on the daemon's terminal until the returned function is called: every few seconds one line per active
 * portfolio, filled against planned for each leg.
 */
function printProgress(
  bus: EventBus,
  print: (portfolio: string, line: string) => void,
): () => void {
  const toldAt = new Map<string, Instant>();
  return bus.subscribe(({ messageType, portfolio, at, record }) => {
    const isOver = messageType === 'PORTFOLIO_FILLED' || messageType === 'PORTFOLIO_CANCELLED';
    if (messageType !== 'PORTFOLIO_PART_FILLED' && !isOver) return;
    const last = toldAt.get(portfolio);
    if (!isOver && last !== undefined && at - last < PROGRESS_EVERY_MS) return;
    if (isOver) toldAt.delete(portfolio);
    else toldAt.set(portfolio, at);
    print(portfolio, progressLine(record));
  });
}

const progressLine = (record: PortfolioSummary): string =>
  [record.strategy || record.portfolio, ...record.legs.map(legText)].join('  |  ');

function legText(leg: LegSummary): string {
  const filled = `${leg.side} ${leg.filled} of ${leg.quantity} ${leg.instrument}`;
  const at = leg.filled === '0' ? '' : ` at ${leg.averagePrice}`;
  const moved = leg.reprices === 0 ? '' : `, ${leg.reprices} reprices`;
  return `${filled}${at}, slice ${leg.slices.next}/${leg.slices.planned}${moved}`;
}
