// Opens the links between the daemons of a deployment. Their secret follows from a text that is drawn once and kept in the
// ledger's database, and from the key of links, which is not in it.
import { randomBytes } from 'node:crypto';
import { LinkPeers } from '../../adapters/engine-link/link-peers.ts';
import { linkSecretOf } from '../../adapters/engine-link/link-secret.ts';
import { openLinkServer } from '../../adapters/engine-link/link-server.ts';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { failureText } from '../../engine/link/call-codec.ts';
import type { ServeLine } from '../../ports/deployment/engine-line.ts';
import {
  type AnswerCall,
  type AnswerFollow,
  type EnginePeers,
  PeerUnreached,
} from '../../ports/deployment/engine-peers.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/secrets/demo-keys.ts';

export interface OpenPeersOptions {
  readonly config: Pick<Config, 'service' | 'linkKey'>;
  readonly ledger: Pick<Ledger, 'initMetadata'>;
  readonly log: Pick<Log, 'hide' | 'logger'>;
  readonly report: (error: unknown) => void;
}

export interface OpenedPeers extends EnginePeers {
  /** Where the others reach this daemon. */
  readonly address: string;
  /** Answers the calls of the others, and notifies them, from now on. */
  serve(answer: AnswerCall, notify: AnswerFollow): void;
  /** Serves gateways of other processes from now on. */
  serveGateways(serving: ServeLine): void;
}

/** The secret that both ends of every link of the deployment know. */
export async function linkSecret(
  ledger: Pick<Ledger, 'initMetadata'>,
  { linkKey }: Pick<Config, 'linkKey'>,
): Promise<string> {
  const drawn = randomBytes(32).toString('base64url');
  return linkSecretOf(await ledger.initMetadata('engine link secret', drawn), linkKey?.reveal());
}

export async function openPeers({
  config,
  ledger,
  log,
  report,
}: OpenPeersOptions): Promise<OpenedPeers> {
  const { host, port, address } = config.service.link;
  const secret = await linkSecret(ledger, config);
  log.hide(secret);
  if (config.linkKey === undefined && !isLoopback(host)) log.logger.warn(unsealed(host));
  let answer: AnswerCall = () =>
    Promise.resolve(failureText(new PeerUnreached('that daemon has not started yet')));
  let notify: AnswerFollow = () => () => undefined;
  let gateways: ServeLine | undefined;
  const server = await openLinkServer({
    host,
    port,
    secret,
    onFault: report,
    answer: (call) => answer(call),
    notify: (call, notified) => notify(call, notified),
    gateways: () => gateways,
  });
  const peers = new LinkPeers({ secret, onFault: report });
  return {
    address: address ?? server.address,
    call: (to, call) => peers.call(to, call),
    follow: (to, call, follower) => peers.follow(to, call, follower),
    serve: (answering, notifying) => {
      answer = answering;
      notify = notifying;
    },
    serveGateways: (serving) => {
      gateways = serving;
    },
    close: async () => {
      await Promise.all([peers.close(), server.close()]);
    },
  };
}

const unsealed = (host: string): string =>
  `service.link.host: is ${host}, and whoever reads the database can pose as an engine or a gateway there; ` +
  'accepted: at every part of the deployment the same master secret (TWAPD_KEYS_SECRET, gateway.keysSecret) or the same TWAPD_LINK_KEY';
