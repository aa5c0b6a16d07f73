// The asking end of the links between engines: one connection to each engine that is called, opened on demand and kept
// while it answers pings. A call that could not be sent was not made; one whose connection is lost, or that is not answered
// in time, may have been.
import { WebSocket } from 'ws';
import {
  type EngineCall,
  type EnginePeers,
  type PeerFollower,
  PeerUnanswered,
  PeerUnreached,
} from '../../ports/deployment/engine-peers.ts';
import { FrameBatch } from './frame-batch.ts';
import { framesOf } from './link-frames.ts';
import { openLink } from './open-link.ts';
import { PendingCalls } from './pending-calls.ts';

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

interface Link {
  readonly socket: WebSocket;
  readonly asked: PendingCalls;
  readonly frames: FrameBatch;
  readonly followed: Map<number, PeerFollower>;
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
    if (link.socket.readyState !== WebSocket.OPEN) {
      throw new PeerUnreached(`the link to ${address} is closed`);
    }
    const id = link.next;
    link.next += 1;
    const answer = link.asked.add(id);
    link.frames.send({ kind: 'call', id, method, by: undefined, text });
    return await answer;
  }

  follow(address: string, { method, text }: EngineCall, follower: PeerFollower): () => void {
    let isOver = false;
    let leave = (): void => undefined;
    const ended = (why: PeerUnreached | PeerUnanswered): void => {
      if (isOver) return;
      isOver = true;
      follower.ended(why);
    };
    const begin = (link: Link): void => {
      const { socket, frames, followed } = link;
      if (isOver) return;
      if (socket.readyState !== WebSocket.OPEN) {
        return ended(new PeerUnreached(`the link to ${address} is closed`));
      }
      const id = link.next;
      link.next += 1;
      followed.set(id, { notice: (notice) => isOver || follower.notice(notice), ended });
      frames.send({ kind: 'follow', id, method, by: undefined, text });
      leave = () => {
        if (followed.delete(id)) frames.send({ kind: 'leave', id });
      };
    };
    // Unexamined: the follower gets it, and looks at what it is.
    this.#linkTo(address).then(begin, ended);
    return () => {
      isOver = true;
      leave();
    };
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
    const opening = openLink(address, { ...this.#options, as: 'engine' }).then((socket) =>
      this.#opened(address, socket),
    );
    this.#links.set(address, opening);
    // Unexamined: every caller gets the same promise, and so its error.
    opening.catch(() => this.#links.delete(address));
    return opening;
  }

  #opened(address: string, socket: WebSocket): Link {
    const asked = new PendingCalls(address, this.#options.answerMs);
    const followed = new Map<number, PeerFollower>();
    const link: Link = { socket, asked, followed, frames: new FrameBatch(socket), next: 1 };
    socket.on('message', (message) => {
      for (const frame of framesOf(String(message)) ?? []) {
        if (frame.kind === 'answer') asked.answered(frame.id, frame.text);
        else if (frame.kind === 'notice') followed.get(frame.id)?.notice(frame.text);
      }
    });
    socket.once('close', () => {
      this.#links.delete(address);
      asked.lose();
      const lost = new PeerUnanswered(`the link to ${address} was lost`);
      const followers = [...followed.values()];
      followed.clear();
      for (const follower of followers) follower.ended(lost);
    });
    return link;
  }
}
