// Requests the code with which a session may enter orders and portfolios for a while.
import { entryCode } from '../model/entry-code.ts';
import { CodeField } from './code-field.tsx';

export function EntryCodeField() {
  return (
    <CodeField
      value={entryCode.value}
      why="For 15 minutes after a code, this session may enter orders and portfolios."
      onWrite={(text) => {
        entryCode.value = text;
      }}
    />
  );
}
