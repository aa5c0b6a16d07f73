// The messages of a link to an engine. The greeting of both ends is JSON. Afterwards a message is one or more frames of
// text: a kind and a number, then lines with the method, on whose behalf (the key and the request), and the data, which is
// text already.
import { z } from 'zod';
import type { Asker } from '../../ports/deployment/engine-line.ts';
import { SCOPES } from '../../ports/key-records.ts';

/** Both ends must speak the same. */
export const PROTOCOL = 3;

/** Longest message to an engine; a submit of the largest portfolio is a fraction of it. */
export const CALL_BYTES_MAX = 8 * 1024 * 1024;

/** Longest message of an engine: a list of instruments, or a page. */
export const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Before an end has proved itself, it may send no more than this in one message. */
export const GREETING_CHARACTERS_MAX = 1_024;

const short = z.string().min(1).max(128);

/** What the asking end is. */
export const ASKING_ENDS = ['engine', 'gateway'] as const;
export type AskingEnd = (typeof ASKING_ENDS)[number];

/** The asking end greets first. */
export const HelloFrame = z.object({
  challenge: short,
  as: z.enum(ASKING_ENDS),
  protocol: z.int(),
});
/** The answering end proves itself and challenges in turn. */
export const GreetingFrame = z.object({ challenge: short, proof: short });
/** Instead of a greeting, or of a welcome. */
export const RefusalFrame = z.object({ refused: z.string().max(512) });
export const ProofFrame = z.object({ proof: short });
export const WelcomeFrame = z.object({ welcome: z.literal(true) });

/** The frame, or `undefined` if the message is not one of this shape. */
export function frameOf<T>(shape: z.ZodType<T>, message: string): T | undefined {
  if (message.length > GREETING_CHARACTERS_MAX) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const read = shape.safeParse(value);
  return read.success ? read.data : undefined;
}

export type LinkFrame =
  | {
      readonly kind: 'call' | 'follow';
      readonly id: number;
      readonly method: string;
      readonly by: Asker | undefined;
      readonly text: string;
    }
  | { readonly kind: 'leave'; readonly id: number }
  | { readonly kind: 'answer' | 'notice'; readonly id: number; readonly text: string };

const KINDS = { C: 'call', F: 'follow', L: 'leave', A: 'answer', N: 'notice' } as const;
const LETTERS = { call: 'C', follow: 'F', leave: 'L', answer: 'A', notice: 'N' } as const;

/** Between frames, and between the lines of one: JSON escapes both in every text. */
const END = '\u001e';
const LINE = '\n';

export function frameText(frame: LinkFrame): string {
  const head = `${LETTERS[frame.kind]}${frame.id}`;
  switch (frame.kind) {
    case 'leave':
      return head;
    case 'answer':
    case 'notice':
      return head + LINE + frame.text;
    default: {
      return `${head}${LINE}${frame.method}${LINE}${askerText(frame.by)}${LINE}${frame.text}`;
    }
  }
}

export const messageOf = (frames: readonly string[]): string => frames.join(END);

/** The frames of a message; `undefined` if it is none. */
export function framesOf(message: string): readonly LinkFrame[] | undefined {
  const frames: LinkFrame[] = [];
  for (const text of message.split(END)) {
    const frame = oneFrame(text);
    if (frame === undefined) return undefined;
    frames.push(frame);
  }
  return frames;
}

function oneFrame(text: string): LinkFrame | undefined {
  const headEnd = text.indexOf(LINE);
  const head = headEnd < 0 ? text : text.slice(0, headEnd);
  const kind = KINDS[head[0] as keyof typeof KINDS] as LinkFrame['kind'] | undefined;
  const id = Number(head.slice(1));
  if (kind === undefined || !Number.isSafeInteger(id) || id < 1) return undefined;
  if (kind === 'leave') return headEnd < 0 ? { kind, id } : undefined;
  if (headEnd < 0) return undefined;
  if (kind === 'answer' || kind === 'notice') return { kind, id, text: text.slice(headEnd + 1) };
  const methodEnd = text.indexOf(LINE, headEnd + 1);
  const keyEnd = methodEnd < 0 ? -1 : text.indexOf(LINE, methodEnd + 1);
  const ridEnd = keyEnd < 0 ? -1 : text.indexOf(LINE, keyEnd + 1);
  if (ridEnd < 0) return undefined;
  const method = text.slice(headEnd + 1, methodEnd);
  const by = askerOf(text.slice(methodEnd + 1, keyEnd), text.slice(keyEnd + 1, ridEnd));
  return by === 'unreadable' ? undefined : { kind, id, method, by, text: text.slice(ridEnd + 1) };
}

/** Two lines: what all requests of a key for a method have in common, and the rid. */
function askerText(by: Asker | undefined): string {
  if (by === undefined) return LINE;
  const { rid, method, uid, scopes } = by;
  const key = JSON.stringify({ method, uid, scopes });
  return `${key}${LINE}${rid === undefined ? '' : JSON.stringify(rid)}`;
}

const KeyLine = z.object({
  method: z.string(),
  uid: z.string(),
  scopes: z.array(z.enum(SCOPES)),
});
const RidLine = z.string();

/** The keys of a deployment times the methods that each of them calls. */
const KEYS_READ_MAX = 1_000;
const keysRead = new Map<string, z.output<typeof KeyLine>>();

/** Read once for all requests of a key: that takes longer than carrying out one of them. */
function keyOf(line: string): z.output<typeof KeyLine> {
  const known = keysRead.get(line);
  if (known !== undefined) return known;
  const read = KeyLine.parse(JSON.parse(line));
  if (keysRead.size >= KEYS_READ_MAX) keysRead.clear();
  // A copy: as a part of its message the line would keep all of it in memory.
  keysRead.set(Buffer.from(line).toString(), read);
  return read;
}

function askerOf(key: string, rid: string): Asker | undefined | 'unreadable' {
  if (key === '') return rid === '' ? undefined : 'unreadable';
  try {
    const asker = keyOf(key);
    return rid === '' ? asker : { ...asker, rid: RidLine.parse(JSON.parse(rid)) };
  } catch {
    // Unexamined: text of a stranger, and whatever its readers throw for it, the frame is refused and the link is closed.
    return 'unreadable';
  }
}
