// The session of the page and its requests. The session's second secret stays in this module's memory: a reload requests it
// again, and nothing is kept where another page or a later user of the browser finds it.
import { signal } from '@preact/signals';
import type { MethodResults } from '../../gateway/client/client.ts';
import type { Hello } from '../../gateway/page/hello-record.ts';

export type Access =
  /** `why` is empty until the gateway has left a request without an answer. */
  | { readonly kind: 'asking'; readonly why: string }
  | { readonly kind: 'open'; readonly hello: Omit<Hello, 'secret'> }
  /** `isByProxy`: a proxy signs this person in, so that no link is needed to come back. */
  | { readonly kind: 'out'; readonly why: string; readonly isByProxy: boolean };

/** What is wrong with a request, by the path of its field; an empty one is the request as a whole. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

export type Answer<T> =
  | { readonly kind: 'done'; readonly value: T }
  | {
      readonly kind: 'refused';
      /** Of the first fault. */
      readonly field: string;
      readonly message: string;
      readonly faults: readonly FieldFault[];
    }
  /** It may or may not have taken effect. */
  | { readonly kind: 'unknown'; readonly message: string };

export const access = signal<Access>({ kind: 'asking', why: '' });

/** Server time minus the browser's, from the fastest answer so far. */
export const offsetMs = signal(0);

const TIMEOUT_MS = 10_000;
const USE_EVERY_MS = 60_000;
const ASK_AGAIN_MS = 1_000;
const UNAUTHORISED = 401;
const SIGN_IN_AGAIN =
  'The proxy in front of the gateway asks you to sign in again: reload the page.';

let secret = '';
let bestTripMs = Infinity;
let usedAtMs = 0;

export const sessionSecret = (): string => secret;

/** Opens a session with the code of the address, or takes up that of the cookie. */
export async function enter(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname);
  const answer = await (code === null ? comeBack() : request<Hello>('open', { body: { code } }));
  if (answer.kind === 'done') {
    const { secret: given, ...hello } = answer.value;
    secret = given;
    learnTime(Number(hello.timestamp), 0);
    access.value = { kind: 'open', hello };
  } else {
    const isByProxy = isAboutPerson(answer);
    leave(isByProxy || code !== null ? answer.message : '', isByProxy);
  }
}

/**
 * Takes up the session of the cookie or, where a proxy signs people in, opens one. Without an answer nobody knows whether there is a
 * session: it is requested until there is one, because a gateway that starts again is no reason to be signed out.
 */
async function comeBack(): Promise<Answer<Hello>> {
  for (;;) {
    let answer = await request<Hello>('hello', { body: {} });
    if (answer.kind === 'refused') answer = await request<Hello>('sign-in', { body: {} });
    if (answer.kind !== 'unknown') return answer;
    access.value = { kind: 'asking', why: answer.message };
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** There is a proxy, and it names somebody who may not come in. */
const isAboutPerson = (answer: Answer<unknown>): boolean =>
  answer.kind === 'refused' && answer.field === 'person';

/** The session is over, here or at the gateway. */
export function leave(why: string, isByProxy = isProxyPerson()): void {
  secret = '';
  access.value = { kind: 'out', why, isByProxy };
}

/** The gateway closed a stream because the session is over; a person who has signed out keeps the message they signed out with. */
export function endedByGateway(why: string): void {
  if (access.value.kind !== 'out') leave(why);
}

function isProxyPerson(): boolean {
  const now = access.value;
  return now.kind === 'open' ? now.hello.person !== undefined : now.kind === 'out' && now.isByProxy;
}

export interface Asked {
  /** Present: a POST. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sent once, whatever becomes of it. */
export const callMethod = <N extends keyof MethodResults>(
  method: N,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<MethodResults[N]>> => request(`api/${method}`, { body: params, headers });

/** Sent once, whatever becomes of it. */
export async function request<T>(
  path: string,
  { body, headers = {} }: Asked = {},
): Promise<Answer<T>> {
  const fromMs = performance.now();
  let response: Response;
  try {
    response = await fetch(`/page/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(secret !== '' && { 'x-twapd-session': secret }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      cache: 'no-store',
    });
    if (response.status === UNAUTHORISED && !isJson(response)) return refusedOnTheWay();
    const told = (await response.json()) as Envelope<T> | MethodEnvelope<T>;
    const { succ, value, message, errors } = 'rid' in told ? envelopeOf(told) : told;
    const timestamp = (value as { timestamp?: unknown } | null)?.timestamp;
    if (path === 'state' && typeof timestamp === 'string') {
      learnTime(Number(timestamp), performance.now() - fromMs);
    }
    if (succ) return { kind: 'done', value: value as T };
    if (response.status === UNAUTHORISED && secret !== '') leave(message);
    if (response.status >= 500) return { kind: 'unknown', message };
    const faults = errors ?? [];
    return { kind: 'refused', field: faults[0]?.field ?? '', message, faults };
  } catch (error) {
    // Unexamined: a browser throws a TypeError for a connection that was lost, and so no kind of error tells more.
    return { kind: 'unknown', message: (error as Error).message };
  }
}

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

/** The gateway itself answers in JSON: a proxy that no longer knows the person has not passed the request on. */
function refusedOnTheWay(): Answer<never> {
  if (secret !== '') leave(SIGN_IN_AGAIN);
  return { kind: 'refused', field: '', message: SIGN_IN_AGAIN, faults: [] };
}

interface Envelope<T> {
  readonly succ: boolean;
  readonly value: T | null;
  readonly message: string;
  readonly errors?: readonly FieldFault[];
}

/** Order methods answer in an envelope of their own. */
interface MethodEnvelope<T> {
  readonly rid: unknown;
  readonly result?: T;
  readonly error?: {
    readonly message: string;
    readonly data?: { readonly param?: string; readonly reason?: string };
  };
}

function envelopeOf<T>({ result, error }: MethodEnvelope<T>): Envelope<T> {
  if (error === undefined) return { succ: true, value: result ?? null, message: '' };
  const { param = '', reason = error.message } = error.data ?? {};
  const message = param === '' ? reason : `${param}: ${reason}`;
  return { succ: false, value: null, message, errors: [{ field: param, message: reason }] };
}

function learnTime(serverMs: number, tripMs: number): void {
  if (tripMs > bestTripMs || !Number.isFinite(serverMs)) return;
  if (tripMs > 0) bestTripMs = tripMs;
  offsetMs.value = serverMs + tripMs / 2 - Date.now();
}

export const serverNow = (): number => Date.now() + offsetMs.value;

/** Only what a person does keeps a session open. */
export function keepWhileUsed(): void {
  const used = (): void => {
    if (secret === '' || performance.now() - usedAtMs < USE_EVERY_MS) return;
    usedAtMs = performance.now();
    void request('use', { body: {} });
  };
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, used, { passive: true });
}
