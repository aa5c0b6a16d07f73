// The users of a resident: they keep a number of portfolios active, plan before they submit, pause, resume, amend
// and cancel, and repeat unanswered requests under the same idempotency key.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Act, bodyOf, type Market } from './bodies.ts';
import { insist } from './evidence.ts';
import { type Answer, type ApiKey, methodRequest, portfolioRequest } from './signed-requests.ts';

export interface Submitted {
  readonly id: string;
  readonly kind: string;
  readonly account: string;
  readonly act: Act;
  readonly mirrors: readonly string[];
}

export interface DeskOptions {
  readonly url: string;
  readonly key: ApiKey;
  readonly atWork: number;
}

const ASK_AGAIN_MS = 200;
const BETWEEN_SUBMITS_MS = 60;
/** After this many consecutive retry replies of one kind, the trouble is not transient. */
const AGAIN_MAX = 600;

export class Desk {
  readonly submitted = new Map<string, Submitted>();
  readonly over = new Set<string>();
  /** Unexpected refusals by kind and code. */
  readonly refused = new Map<string, number>();
  readonly done = { plan: 0, pause: 0, resume: 0, amend: 0, cancel: 0 };
  readonly #options: DeskOptions;
  readonly #acts = new Set<Promise<void>>();
  #market: Market | undefined;
  #nth = 0;
  #isClosing = false;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Called when the news reports the end of a portfolio. */
  ended(id: string): void {
    this.over.add(id);
  }

  get atWork(): number {
    let count = 0;
    for (const id of this.submitted.keys()) if (!this.over.has(id)) count += 1;
    return count;
  }

  /** Submits until it is closed, then waits for pending actions. */
  async work(): Promise<void> {
    while (!this.#isClosing) {
      await sleep(BETWEEN_SUBMITS_MS);
      if (this.atWork < this.#options.atWork) await this.#submitNext();
    }
    await Promise.all(this.#acts);
  }

  close(): void {
    this.#isClosing = true;
  }

  async #submitNext(): Promise<void> {
    this.#market ??= await this.#readMarket();
    const nth = this.#nth++;
    const { kind, body, act } = bodyOf(nth, this.#market);
    if (nth % 10 === 0) this.#count('plan', kind, await this.#request('plan', body));
    const headers = { 'Idempotency-Key': randomUUID() };
    const { body: answer } = await this.#request('submit', body, headers);
    if (answer.succ !== true) return this.#refuse(`submit ${kind}`, answer);
    const id = String(answer.value.portfolioId);
    const mirrors = (answer.value.mirrorPortfolioIds ?? []).map(String);
    this.submitted.set(id, { id, kind, account: String(body['accountId']), act, mirrors });
    const acting = this.#act(id, kind, act).finally(() => this.#acts.delete(acting));
    this.#acts.add(acting);
  }

  async #act(id: string, kind: string, act: Act): Promise<void> {
    const portfolioId = Number(id);
    if (act !== undefined) await sleep(3_000);
    switch (act) {
      case 'pause':
        this.#count('pause', kind, await this.#request('pause', { portfolioId }));
        await sleep(1_500);
        this.#count('resume', kind, await this.#request('resume', { portfolioId }));
        break;
      case 'amend':
        if (!kind.startsWith('balance')) await this.#amend(portfolioId, kind);
        break;
      case 'cancel':
        this.#count('cancel', kind, await this.#request('cancel', { portfolioId }));
        break;
      case undefined:
        break;
    }
  }

  async #amend(portfolioId: number, kind: string): Promise<void> {
    const preview = await this.#request('amend', { portfolioId, durationSec: 20, preview: true });
    this.#count('amend', kind, preview);
    if (preview.body.succ !== true) return;
    this.#count('amend', kind, await this.#request('amend', { portfolioId, durationSec: 20 }));
  }

  #count(what: keyof Desk['done'], kind: string, { body }: Answer): void {
    if (body.succ === true) this.done[what] += 1;
    else this.#refuse(`${what} ${kind}`, body);
  }

  /** An ended portfolio can no longer be changed: some actions always arrive too late. */
  #refuse(what: string, body: Answer['body']): void {
    if (body.code === 40901) return;
    const named = `${what}: ${body.code} ${body.message}`;
    this.refused.set(named, (this.refused.get(named) ?? 0) + 1);
  }

  /** Requests until there is a definite reply: every request here may be repeated. */
  async #request(
    operation: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { url, key } = this.#options;
    for (let again = 0; ; again += 1) {
      const answer = await portfolioRequest(url, key, operation, body, headers).catch(
        (error: Error) => ({ status: 0, body: { code: 0, message: error.message } }),
      );
      const isPassing = [0, 401, 429, 503].includes(answer.status);
      if (!isPassing || again === AGAIN_MAX) return answer;
      await sleep(ASK_AGAIN_MS);
    }
  }

  async #readMarket(): Promise<Market> {
    const request = async (method: string, params: object) =>
      (await insist(() => methodRequest(this.#options.url, undefined, method, params))).result;
    const instruments = await request('public/get_instruments', { currency: 'any' });
    const marks = new Map<string, number>();
    for (const instrumentName of ['BTC-PERPETUAL', 'ETH-PERPETUAL']) {
      const { markPrice } = await request('public/ticker', { instrumentName });
      marks.set(instrumentName, Number(markPrice));
    }
    return { ...pickedFrom(instruments, marks.get('BTC-PERPETUAL') ?? 0), marks };
  }
}

const WEEK_MS = 7 * 86_400_000;

interface Listed {
  readonly instrumentName: string;
  readonly kind: string;
  readonly baseCurrency: string;
  readonly optionKind: string | null;
  readonly strike: string | null;
  readonly expiration: number | null;
}

/** The calls next above the money with a week or more to expiry, and the last dated future. */
function pickedFrom(listed: readonly Listed[], mark: number): Omit<Market, 'marks'> {
  const later = listed
    .filter(({ baseCurrency, expiration }) => baseCurrency === 'BTC' && expiration !== null)
    .filter(({ expiration }) => Number(expiration) > Date.now() + WEEK_MS)
    .sort((a, b) => Number(a.expiration) - Number(b.expiration));
  const calls = later.filter(({ optionKind }) => optionKind === 'CALL');
  const above = calls
    .filter(({ expiration }) => expiration === calls[0]?.expiration)
    .filter(({ strike }) => Number(strike) > mark)
    .sort((a, b) => Number(a.strike) - Number(b.strike));
  const future = later.filter(({ kind }) => kind === 'future').at(-1)?.instrumentName;
  const [near, , far] = above.map(({ instrumentName }) => instrumentName);
  if (near === undefined || far === undefined || future === undefined) {
    throw new Error('the exchange lists no options or futures to trade');
  }
  return { options: [near, far], future };
}
