// Signed operations about the page: issuing the codes that open a session or confirm an action in one, and listing and
// ending sessions.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import { SCOPES } from '../../ports/key-records.ts';
import type { PageSession } from '../../ports/page/page-sessions.ts';
import { satisfies } from '../auth/key-needs.ts';
import { type TradingMethod, tradingMethod } from '../trading/trading-method.ts';
import { Refused } from '../wire/faults.ts';
import { choiceField, textField } from '../wire/field-kinds.ts';
import { list as listOf, optional, record } from '../wire/fields.ts';
import type { PageAccess } from './page-access.ts';

/** What the operations need. */
export interface PageRoutes {
  readonly page: PageAccess;
}

const ID_LENGTH_MAX = 64;

const codeBodySchema = record(
  {
    purpose: choiceField(
      { open: 'open', confirm: 'confirm' } as const,
      'open: a session of the page; confirm: one action in a session of the same key',
    ),
    scopes: optional(
      listOf(
        choiceField({ read: 'read', trade: 'trade', admin: 'admin' } as const, 'Scope of the key'),
        { max: SCOPES.length, description: 'What the session may do; absent: all', of: 'scopes' },
      ),
    ),
  },
  'Which code to issue',
);

const codeRecordSchema = z.object({
  code: z.string().describe('Good once; accepted by the page of this deployment'),
  purpose: z.enum(['open', 'confirm']),
  scopes: z.array(z.enum(SCOPES)),
  expiresAt: z.string().describe('Unix milliseconds'),
});

const sessionRecordSchema = z.object({
  id: z.string(),
  keyId: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  address: z.string().describe('Where it was opened from'),
  agent: z.string().describe('What the browser calls itself'),
  openedAt: z.string().describe('Unix milliseconds'),
  usedAt: z.string().describe('Last use by a person, Unix milliseconds'),
  endsAt: z.string().describe('When it ends at the latest, Unix milliseconds'),
  person: z
    .string()
    .optional()
    .describe('Whom the proxy named that signed them in; absent: opened by a code'),
});

export type PageCodeRecord = z.infer<typeof codeRecordSchema>;
export type PageSessionRecord = z.infer<typeof sessionRecordSchema>;

const sessionRecord = ({ scopes, ...session }: PageSession): PageSessionRecord => ({
  id: session.id,
  keyId: session.keyId,
  scopes: [...scopes],
  address: session.address,
  agent: session.agent,
  ...(session.person !== undefined && { person: session.person }),
  openedAt: String(session.openedAt),
  usedAt: String(session.usedAt),
  endsAt: String(session.endsAt),
});

const issue = tradingMethod<PageRoutes, typeof codeBodySchema>({
  name: 'page-code',
  verb: 'POST',
  lane: 'submit',
  needs: 'oversee',
  summary: 'Issue a code, good once, that opens the page or confirms one action on it',
  asked: codeBodySchema,
  value: codeRecordSchema,
  run: async ({ key, page }, { purpose, scopes }): Promise<PageCodeRecord> => {
    const issued = await page.issue(key, purpose, scopes);
    return {
      code: issued.code,
      purpose,
      scopes: [...issued.scopes],
      expiresAt: String(issued.until),
    };
  },
});

const list: TradingMethod<PageRoutes> = {
  name: 'page-sessions',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary:
    'List the open sessions of the page: all for the scope admin, otherwise those of the key',
  value: z.array(sessionRecordSchema),
  run: async ({ key, page }) =>
    (await page.list(satisfies(key, 'admin') ? undefined : key.id)).map(sessionRecord),
};

const endBodySchema = record(
  { id: textField({ max: ID_LENGTH_MAX, description: 'Id of the session' }) },
  'Which session to end',
);

const end = tradingMethod<PageRoutes, typeof endBodySchema>({
  name: 'page-session-end',
  verb: 'POST',
  lane: 'cancel',
  needs: 'oversee',
  summary: 'End a session of the page: any for the scope admin, otherwise one of the key',
  asked: endBodySchema,
  value: z.null(),
  run: async ({ key, page }, { id }): Promise<null> => {
    const seen = await page.list(satisfies(key, 'admin') ? undefined : key.id);
    const isEnded = seen.some((one) => one.id === id) && (await page.end(id));
    if (isEnded) return null;
    throw new Refused([
      reject('not_found', 'id', 'is not an open session; accepted: a listed one'),
    ]);
  },
});

export const PAGE_METHODS: readonly TradingMethod<PageRoutes>[] = [issue, list, end];
