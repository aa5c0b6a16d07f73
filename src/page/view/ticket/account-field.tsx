// The account that the portfolio is for: one of the session's, or, in a template, one that is none of them.
import { access } from '../../link/page-session.ts';
import type { FieldSchema } from '../../model/ticket/form-schema.ts';
import { body, type } from '../../model/ticket/ticket-draft.ts';
import { tradingAccounts } from '../../model/trading-accounts.ts';
import { Field, FieldFrame, marksOf } from './field.tsx';

const PATH = ['accountId'];

export function AccountField({ schema }: { readonly schema: FieldSchema }) {
  const own = tradingAccounts();
  const written = String(body.value['accountId'] ?? '');
  if (!own.includes(written)) return <Field path={PATH} schema={schema} isRequired={true} />;
  return (
    <FieldFrame path={PATH} schema={schema}>
      <select
        {...marksOf(PATH)}
        value={written}
        onChange={(event) => type(PATH, event.currentTarget.value)}
      >
        {own.map((id) => (
          <option key={id} value={id}>
            {titled(id)}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

function titled(id: string): string {
  const now = access.value;
  const name = now.kind === 'open' ? now.hello.accounts.find((one) => one.id === id)?.name : '';
  return name === undefined || name === '' ? id : `${id} ${name}`;
}
