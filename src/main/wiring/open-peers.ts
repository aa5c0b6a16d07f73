// Opens the links between the daemons of a deployment. Their secret is drawn once and kept in the ledger's database,
// which all of them can read and nobody else.
import { randomBytes } from 'node:crypto';
import { LinkPeers } from '../../adapters/engine-link/link-peers.ts';
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

export interface OpenPeersOptions {
  readonly config: Pick<Config, 'service'>;
  readonly ledger: Pick<Ledger, 'initMetadata'>;
  readonly log: Pick<Log, 'hide'>;
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
export const linkSecret = (ledger: Pick<Ledger, 'initMetadata'>): Promise<string> =>
  ledger.initMetadata('engine link secret', randomBytes(32).toString('base64url'));

export async function openPeers({
  config,
  ledger,
  log,
  report,
}: OpenPeersOptions): Promise<OpenedPeers> {
  const { host, port, address } = config.service.link;
  const secret = await linkSecret(ledger);
  log.hide(secret);
  let answer: AnswerCall = () =>
    Promise.resolve(failureText(new PeerUnreached('that daemon has not started yet')));
  let notify: AnswerFollow = () => () => undefined;
  let gateways: ServeLine | undefined;
  const server = await openLinkServer({
    ...{ host, port, secret, onFault: report },
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
