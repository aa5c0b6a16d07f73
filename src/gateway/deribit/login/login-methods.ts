// Methods that give and end logins.

import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { done } from '../../order-api/method.ts';
import { choiceField, textField, writtenDigits } from '../../wire/field-kinds.ts';
import { field, optional, optionalOr } from '../../wire/fields.ts';
import { type DeribitMethod, publicMethod } from '../method/deribit-method.ts';
import { flagParam } from '../method/deribit-params.ts';

const words = (description: string, max = 512) => textField({ min: 0, max, description });

/** Text of digits as the client wrote them, which may be a number. */
const digits = (description: string) =>
  field<string, string | number>({
    schema: { type: ['integer', 'string'] },
    description,
    accepted: 'whole milliseconds',
    read: (value) => {
      const text = writtenDigits(value);
      return text !== undefined && /^\d{1,19}$/.test(text) ? text : undefined;
    },
  });

const GRANTS = {
  client_credentials: 'client_credentials',
  client_signature: 'client_signature',
  refresh_token: 'refresh_token',
} as const;

const auth = publicMethod({
  row: ROWS.auth,
  params: {
    grant_type: choiceField(GRANTS, 'How the client shows who it is'),
    client_id: optional(words('The id of a key, or KEY/ACCOUNT')),
    client_secret: optional(words('The text of its secret')),
    refresh_token: optional(words('Of an earlier login')),
    timestamp: optional(digits('Of the signature, Unix milliseconds')),
    signature: optional(words('Of timestamp, nonce and data, hexadecimal')),
    nonce: optional(words('Signed text of the client')),
    data: optional(words('More signed text', 4_096)),
    state: optional(words('Returned as sent')),
    scope: optional(words('What the token may be used for', 1_024)),
  },
  run: (call, params) => call.logins.authenticate(params, call),
});

const exchangeToken = publicMethod({
  row: ROWS.exchangeToken,
  params: {
    refresh_token: words('Of an earlier login'),
    subject_id: digits('The account to log in to'),
  },
  run: (call, params) => call.logins.exchange(params, call),
});

const forkToken = publicMethod({
  row: ROWS.forkToken,
  params: {
    refresh_token: words('Of an earlier login'),
    session_name: words('The name of the new session'),
  },
  run: (call, params) => call.logins.fork(params, call),
});

const logout = publicMethod({
  row: ROWS.logout,
  params: { invalidate_token: optionalOr(flagParam('Whether the token ends too'), true) },
  run: ({ session }, { invalidate_token }) => {
    session?.logOut({ invalidatesToken: invalidate_token });
    return done('ok');
  },
});

export const LOGIN_METHODS: readonly DeribitMethod[] = [auth, exchangeToken, forkToken, logout];
