// What a browser sends, with headers that scripts cannot set: one request over its own connection.
import { request } from 'node:http';

export interface BrowserAsked {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** A POST if there is a body; Origin is the gateway's own unless `headers` has another. */
export function browserRequest(url: string, asked: BrowserAsked = {}): Promise<BrowserAnswer> {
  const method = asked.method ?? (asked.body === undefined ? 'GET' : 'POST');
  const headers = {
    ...(method === 'POST' && { origin: new URL(url).origin, 'content-type': 'application/json' }),
    ...asked.headers,
  };
  return new Promise((resolve, fail) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const isJson = String(response.headers['content-type']).startsWith('application/json');
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, text, json: isJson ? JSON.parse(text) : undefined });
      });
    });
    sent.on('error', fail);
    sent.end(asked.body === undefined ? undefined : JSON.stringify(asked.body));
  });
}

/** A session as a browser holds it. */
export interface Signed {
  readonly cookie: string;
  readonly secret: string;
}

export async function enter(url: string, code: string): Promise<Signed> {
  const answer = await browserRequest(`${url}/page/open`, { body: { code } });
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return { cookie, secret: answer.json.value.secret };
}

export const withSession = ({ cookie, secret }: Signed): Record<string, string> => ({
  cookie,
  'x-twapd-session': secret,
});
