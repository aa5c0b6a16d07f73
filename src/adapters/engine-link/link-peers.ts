// The asking end of the links: one connection to each engine that is called, opened on demand and kept while it answers
// pings. A call that could not be sent was not made; one whose connection is lost, or that is not answered in time, may
// have been.
import { WebSocket } from 'ws';
import {
  type EngineCall,
  type EnginePeers,
  PeerUnanswered,
  PeerUnreached,
} from '../../ports/deployment/engine-peers.ts';
import {
  AnswerFrame,
  FRAME_BYTES_MAX,
  frameOf,
  GreetingFrame,
  WelcomeFrame,
} from './link-frames.ts';
import { isProof, newChallenge, proofOf } from './link-proof.ts';

export interface LinkPeersOptions {
  readonly secret: string;
  readonly onFault: (error: unknown) => void;
  /** How long a connection may take to open and prove itself; default 1 s. */
  readonly openMs?: number;
  /** How long an answer may take; default 10 s. */
  readonly answerMs?: number;
  /** Two pings in a row without an answer end the connection; default 1 s apart. */
  readonly pingMs?: number;
}

interface Asked {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

interface Link {
  readonly socket: WebSocket;
  readonly asked: Map<number, Asked>;
  next: number;
}

const DEFAULTS = { openMs: 1_000, answerMs: 10_000, pingMs: 1_000 };

export class LinkPeers implements EnginePeers {
  readonly #options: Required<LinkPeersOptions>;
  readonly #links = new Map<string, Promise<Link>>();
  #isClosed = false;

  constructor(options: LinkPeersOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  async call(address: string, { method, text }: EngineCall): Promise<string> {
    const link = await this.#linkTo(address);
    return await new Promise((resolve, reject) => {
      if (link.socket.readyState !== WebSocket.OPEN) {
        return reject(new PeerUnreached(`the link to ${address} is closed`));
      }
      const id = link.next;
      link.next += 1;
      const { answerMs } = this.#options;
      const timer = setTimeout(() => {
        link.asked.delete(id);
        reject(new PeerUnanswered(`${address} did not answer within ${answerMs} ms`));
      }, answerMs);
      link.asked.set(id, { resolve, reject, timer });
      link.socket.send(JSON.stringify({ id, method, text }));
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const opening of this.#links.values()) {
      const [opened] = await Promise.allSettled([opening]);
      if (opened?.status === 'fulfilled') opened.value.socket.terminate();
    }
  }

  #linkTo(address: string): Promise<Link> {
    if (this.#isClosed) return Promise.reject(new PeerUnreached('the links are closed'));
    const known = this.#links.get(address);
    if (known !== undefined) return known;
    const opening = this.#open(address);
    this.#links.set(address, opening);
    opening.catch(() => this.#links.delete(address));
    return opening;
  }

  #open(address: string): Promise<Link> {
    const { openMs, secret, onFault } = this.#options;
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address, {
        ...{ maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false, handshakeTimeout: openMs },
      });
      const fail = (why: string): void => {
        socket.terminate();
        reject(new PeerUnreached(`${address}: ${why}`));
      };
      const late = setTimeout(() => fail(`no greeting within ${openMs} ms`), openMs);
      const challenge = newChallenge();
      socket.on('error', (error) => {
        onFault(error);
        fail(error.message);
      });
      socket.once('open', () => socket.send(JSON.stringify({ challenge })));
      socket.once('close', () => {
        clearTimeout(late);
        fail('the connection was closed before the greeting');
      });
      socket.once('message', (greeting) => {
        const read = frameOf(GreetingFrame, String(greeting));
        if (read === undefined) return fail('the greeting could not be read');
        const challenges = { asking: challenge, answering: read.challenge };
        if (!isProof(read.proof, secret, 'answering', challenges)) {
          return fail('it does not know the secret of this deployment');
        }
        socket.once('message', (welcome) => {
          if (frameOf(WelcomeFrame, String(welcome)) === undefined) return fail('it refused');
          clearTimeout(late);
          resolve(this.#opened(address, socket));
        });
        socket.send(JSON.stringify({ proof: proofOf(secret, 'asking', challenges) }));
      });
    });
  }

  #opened(address: string, socket: WebSocket): Link {
    const link: Link = { socket, asked: new Map(), next: 1 };
    let isAlive = true;
    const pings = setInterval(() => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
    }, this.#options.pingMs);
    socket.on('pong', () => {
      isAlive = true;
    });
    socket.on('message', (message) => {
      isAlive = true;
      const answer = frameOf(AnswerFrame, String(message));
      const asked = answer && link.asked.get(answer.id);
      if (answer === undefined || asked === undefined) return;
      link.asked.delete(answer.id);
      clearTimeout(asked.timer);
      asked.resolve(answer.text);
    });
    socket.once('close', () => {
      clearInterval(pings);
      this.#links.delete(address);
      for (const { reject, timer } of link.asked.values()) {
        clearTimeout(timer);
        reject(new PeerUnanswered(`the link to ${address} was lost`));
      }
      link.asked.clear();
    });
    return link;
  }
}
