// A witness behind an address: each head is posted there as JSON. The receiver answers 2xx once it has stored the head for good,
// 409 if it has another one of this number, and gives all of them, a line each, to GET.

import type { HeadWitness, Kept, WitnessedLine } from '../../ports/witness/head-witness.ts';
import { printable } from '../../values/printable.ts';
import { cutText } from '../../values/text/text-length.ts';

const WITHIN_MS = 10_000;
const SHOWN_MAX = 200;

export class WebhookWitness implements HeadWitness {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async append({ number, line }: WitnessedLine): Promise<Kept> {
    const answer = await this.#fetch({
      method: 'POST',
      body: line,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    const text = printable(cutText(await answer.text(), SHOWN_MAX));
    if (answer.ok) return { kind: 'kept' };
    if (answer.status === 409) {
      return { kind: 'conflict', why: `the witness has another head ${number}: ${text}` };
    }
    throw new Error(`the witness answers ${answer.status} ${text}`.trimEnd());
  }

  async *lines(): AsyncIterable<string> {
    const answer = await this.#fetch({ method: 'GET' });
    if (!answer.ok) throw new Error(`the witness answers ${answer.status}`);
    yield* (await answer.text()).split('\n').filter((line) => line !== '');
  }

  #fetch(options: RequestInit): Promise<Response> {
    return fetch(this.#url, {
      ...options,
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
  }
}
