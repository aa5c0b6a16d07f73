// Posts JSON to an address that may itself be a secret: within a time limit, once, without following a redirect, and
// without repeating the address in what it reports.

import { type Delivery, GIVEN_UP } from '../../ports/notify/notice-channel.ts';
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { SECOND_MS } from '../../values/instant.ts';
import { printable } from '../../values/printable.ts';
import { cutText } from '../../values/text/text-length.ts';

export interface Post {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface PostAnswer {
  readonly status: number;
  /** Its beginning. */
  readonly text: string;
  readonly afterMs?: number | undefined;
}

const ANSWER_WITHIN_MS = 5_000;
const TEXT_MAX = 2_000;
const SHOWN_MAX = 200;

/** What the receiver answered, or the delivery that there was none. */
export async function postJson(post: Post): Promise<PostAnswer | Delivery> {
  const { url, headers = {}, body, signal } = post;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
    const text = await beginningOf(answer);
    const afterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND_MS : undefined;
    return { status: answer.status, text, afterMs };
  } catch (error) {
    throwProgrammingError(error);
    if (signal.aborted) return GIVEN_UP;
    return { kind: 'later', why: reasonOf(error) };
  }
}

/** As the status of HTTP says it. */
export function deliveryOf({ status, text, afterMs }: PostAnswer): Delivery {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const why = `the receiver answers ${status} ${printable(cutText(text, SHOWN_MAX))}`.trimEnd();
  if (status >= 300 && status < 400) {
    return { kind: 'refused', why: `the receiver answers ${status}: redirects are not followed` };
  }
  const isBusy = status === 408 || status === 425 || status === 429 || status >= 500;
  return isBusy ? { kind: 'later', why, afterMs } : { kind: 'refused', why };
}

/** A receiver cannot make us read without end. */
async function beginningOf(answer: Response): Promise<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader !== undefined && text.length < TEXT_MAX) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  await reader?.cancel();
  return cutText(text, TEXT_MAX);
}

/** The cause is more specific than the error of `fetch`; neither has the path of the address. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') return `no answer within ${ANSWER_WITHIN_MS} ms`;
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException;
  return inner || (code ?? message);
}
