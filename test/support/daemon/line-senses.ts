// What is counted on a connection: orders to an exchange, commits to PostgreSQL.
import type { Counted, Sense } from './fault-line.ts';

const READY_BYTES = 6;

/** Commits of turns: executions of the prepared statement that writes them. */
export const COMMITS: Counted = {
  sense: () => {
    const statement = Buffer.from('commit\0');
    return bindSense((message) => {
      const portalEnd = message.indexOf(0, 5) + 1;
      return message.subarray(portalEnd, portalEnd + statement.length).equals(statement);
    });
  },
  isAnswered: isReady,
};

/** PostgreSQL Bind messages that match. */
export const bindsOf = (isMeant: (message: Buffer) => boolean): Counted => ({
  sense: () => bindSense(isMeant),
  isAnswered: isReady,
});

/** Requests to an exchange that match, each as its text. */
export const requestsOf = (isMeant: (message: Buffer) => boolean): Counted => ({
  sense: () => (chunk) => textsIn(chunk).filter((text) => isMeant(Buffer.from(text))).length,
  isAnswered: (held) => held.includes('"result":') || held.includes('"error"'),
});

/** Chunks sent to Redis that match. */
export const commandsOf = (isMeant: (message: Buffer) => boolean): Counted => ({
  sense: () => (chunk) => (isMeant(chunk) ? 1 : 0),
  isAnswered: (held) => held.length > 0,
});

/** The server ends every answer with a ready message. */
function isReady(held: Buffer): boolean {
  const end = held.subarray(-READY_BYTES, -1);
  return held.length >= READY_BYTES && end.equals(Buffer.from([0x5a, 0, 0, 0, 5]));
}

/** Orders on Deribit's wire. */
export const ORDERS: Counted = {
  sense: () => (chunk) => textsIn(chunk).filter((text) => /private\/(buy|sell)"/.test(text)).length,
  isAnswered: (held) => held.includes('"result":{"order"') || held.includes('"error"'),
};

/** The same, and `receive` is called with every text sent. */
export const heardOut = (counted: Counted, receive: (text: string) => void): Counted => ({
  ...counted,
  sense: () => {
    const sense = counted.sense();
    return (chunk) => {
      for (const text of textsIn(chunk)) receive(text);
      return sense(chunk);
    };
  },
});

/** PostgreSQL Bind messages that match. The first message of a connection has no type. */
function bindSense(isMeant: (message: Buffer) => boolean): Sense {
  let rest = Buffer.alloc(0);
  let isGreeted = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let count = 0;
    for (;;) {
      const head = isGreeted ? 1 : 0;
      if (rest.length < head + 4) return count;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return count;
      const isBind = isGreeted && rest[0] === 0x42;
      if (isBind && isMeant(rest.subarray(0, end))) count += 1;
      isGreeted = true;
      rest = rest.subarray(end);
    }
  };
}

/** The texts of the masked WebSocket frames that are complete in `chunk`. */
export function textsIn(chunk: Buffer): readonly string[] {
  const texts: string[] = [];
  let at = 0;
  while (at + 6 <= chunk.length && ((chunk[at] ?? 0) & 0x0f) === 1) {
    const short = (chunk[at + 1] ?? 0) & 0x7f;
    const wide = short === 126;
    const length = wide ? chunk.readUInt16BE(at + 2) : short;
    const start = at + (wide ? 8 : 6);
    if (start + length > chunk.length) break;
    const mask = chunk.subarray(start - 4, start);
    const bytes = chunk.subarray(start, start + length).map((byte, n) => byte ^ (mask[n % 4] ?? 0));
    texts.push(Buffer.from(bytes).toString());
    at = start + length;
  }
  return texts;
}
