// The ticket as a text to take away: a strategy file, or a program.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { programText } from '../../model/ticket/program-text.ts';
import { strategyText } from '../../model/ticket/strategy-text.ts';
import { body } from '../../model/ticket/ticket-draft.ts';
import { Dialog } from '../portfolio/dialog.tsx';

type Form = 'strategy' | 'program';

const TITLES = {
  strategy: 'Copy as a strategy file',
  program: 'Copy as a program',
} as const satisfies Record<Form, string>;

const copying = signal<Form | undefined>(undefined);

export const askCopy = (form: Form): void => {
  copying.value = form;
};

const stop = (): void => {
  copying.value = undefined;
};

export function CopyDialog() {
  const form = copying.value;
  if (form === undefined) return null;
  const text =
    form === 'strategy' ? strategyText(body.value) : programText(body.value, location.origin);
  return (
    <Dialog title={TITLES[form]} onClose={stop}>
      <Text text={text} />
    </Dialog>
  );
}

function Text({ text }: { readonly text: string }) {
  const [notice, setNotice] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setNotice('Copied.'),
      // Unexamined: the page shows the message, and the text can still be marked and copied.
      (error: Error) => setNotice(`Not copied (${error.message}): mark the text and copy it.`),
    );
  };
  return (
    <div class="copy">
      <textarea aria-label="Text" readOnly={true} rows={18} spellcheck={false} value={text} />
      <p role="status">{notice}</p>
      <div class="acts">
        <button type="button" onClick={stop}>
          Back
        </button>
        <button type="button" onClick={copy}>
          Copy
        </button>
      </div>
    </div>
  );
}
