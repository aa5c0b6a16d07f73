// Requests the code with which a session may enter orders and portfolios for a while. It appears once the daemon wants one, and
// takes the focus then.
import { useEffect, useRef } from 'preact/hooks';
import { entryCode } from '../model/entry-code.ts';
import { CodeField } from './code-field.tsx';

export function EntryCodeField() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <div ref={place}>
      <CodeField
        value={entryCode.value}
        why="For 15 minutes after a code, this session may enter orders and portfolios."
        onWrite={(text) => {
          entryCode.value = text;
        }}
      />
    </div>
  );
}
