// What serves clients: the server with the limits of the configuration, in the process of the engine or in its own.
import { join } from 'node:path';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import { historyFrom } from '../../engine/news/read-history.ts';
import { unaccountedFrom } from '../../engine/recovery/read-unaccounted.ts';
import { readPageFiles } from '../../gateway/page/page-files.ts';
import { createServer, type GatewayServer, type ServerOptions } from '../../gateway/server.ts';
import type { GatewayCounts } from '../../gateway/wire/gateway-counts-port.ts';
import type { AuditReads } from '../../ports/audit-reads.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeptAnswers } from '../../ports/kept-answers.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Instant } from '../../values/instant.ts';
import type { Config } from '../config/config.ts';
import { OVERRIDES } from '../config/environment.ts';
import {
  gatewayLimits,
  pageRules,
  proxySignIn,
  whyNoDeribit,
} from '../config/rules/gateway-limits.ts';
import { cannotListen, listeningWarnings, servedTls } from '../lifecycle/listening.ts';
import type { Shutdown } from '../lifecycle/shutdown.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';
import { VERSION } from '../version.ts';
import type { GatewayStores } from '../wiring/open-gateway-stores.ts';

export interface GatewaySideOptions {
  readonly config: Config;
  readonly engine: EngineApi;
  readonly stores: GatewayStores;
  readonly ledger: Pick<AuditReads, 'eventsAfter'> & {
    readonly keptAnswers: KeptAnswers;
    claimOnce(key: string, until: Instant): Promise<boolean>;
    getMetadata(name: string): Promise<string | undefined>;
  };
  /** What reports are made from. */
  readonly reports: ServerOptions['reports'];
  readonly clock: Pick<Clock, 'now'>;
  readonly observer: Observer;
  readonly counts: GatewayCounts;
  /** The text of GET /metrics. */
  readonly metrics: () => Promise<string>;
  /** Whether orders are being decided or sent in this process at the moment; absent: in another. */
  readonly isExecuting?: (() => boolean) | undefined;
}

/** Those that new connections are served with. */
interface Certificates {
  tls: Config['tls'];
}

/** What the build of the page writes, next to this program or, in a clone, next to its sources. */
const PAGE_FOLDER = join(PACKAGE_FOLDER, 'dist/page');
const GATEWAY_MS_MAX = 3_000;
/** Time to cut off connections that do not close by themselves. */
const GATEWAY_SLACK_MS = 300;

export class GatewaySide {
  readonly #options: GatewaySideOptions;
  readonly #server: GatewayServer;
  readonly #certificates: Certificates;

  private constructor(
    options: GatewaySideOptions,
    server: GatewayServer,
    certificates: Certificates,
  ) {
    this.#options = options;
    this.#server = server;
    this.#certificates = certificates;
  }

  static async open(options: GatewaySideOptions): Promise<GatewaySide> {
    const { config, ledger, clock, observer, stores, isExecuting } = options;
    const { engine, counts, metrics, reports } = options;
    const certificates: Certificates = { tls: config.tls };
    const server = await createServer({
      engine,
      counts,
      metrics,
      reports,
      ...stores,
      ...(isExecuting && { isExecuting }),
      kept: ledger.keptAnswers,
      historyOf: historyFrom(ledger),
      unaccountedOf: unaccountedFrom(ledger),
      courses: reports && { ledger, costs: reports.costs },
      limits: gatewayLimits(config),
      tls: servedTls(config),
      trustedProxies: config.gateway.trustedProxies,
      origins: config.gateway.origins,
      page: {
        sessions: stores.pageSessions,
        files: readPageFiles(PAGE_FOLDER),
        rules: pageRules(config),
        proxySignIn: proxySignIn(config),
      },
      claimNonce: (key, until) => ledger.claimOnce(key, until),
      accounts: accountDirectory(config),
      now: () => clock.now(),
      health: {
        live: () => true,
        warnings: () => listeningWarnings(certificates),
      },
      metricsAccess: { token: config.metricsToken?.reveal() },
      report: (error, where) =>
        observer.observe({ event: 'failed', where: `gateway.${where}`, error }),
      version: VERSION,
      deribit: whyNoDeribit(config) === undefined,
    });
    return new GatewaySide(options, server, certificates);
  }

  prepare(): Promise<void> {
    return this.#server.prepareDocuments();
  }

  /** Resolves when the engine has said which accounts and instruments there are. */
  get ready(): Promise<void> {
    return this.#server.ready;
  }

  /**
   * Resolves with the port once requests are accepted: when it is {@link ready}, or after `waitMs`. Rejects with what the
   * operator can do.
   */
  listen(waitMs?: number): Promise<number> {
    const { config } = this.#options;
    const { host, port } = config.service;
    return this.#server
      .listen({ host, port, waitMs })
      .catch((error: unknown) =>
        Promise.reject(cannotListen(error, { config, overrides: OVERRIDES })),
      );
  }

  /** Adopts the limits of a changed configuration, and renewed certificates. */
  reload(config: Config): void {
    this.#server.reload(gatewayLimits(config));
    const tls = servedTls(config);
    if (tls === undefined || this.#certificates.tls === undefined) return;
    this.#server.renew(tls);
    this.#certificates.tls = config.tls;
  }

  drain(ending: Shutdown): Promise<void> {
    const gatewayMs = GATEWAY_MS_MAX - GATEWAY_SLACK_MS;
    return ending.step('gateway', { limitMs: GATEWAY_MS_MAX }, () => this.#server.close(gatewayMs));
  }
}

function accountDirectory({ accounts }: Config) {
  const known = new Map(
    accounts.map(({ id, name, venue, dummy }) => [
      id,
      { name, exchange: venue, ...(dummy && { isDummy: true }) },
    ]),
  );
  return { describe: (account: string) => known.get(account) ?? { name: account, exchange: '' } };
}
