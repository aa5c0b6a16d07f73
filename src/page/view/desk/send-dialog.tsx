// The dialog of every action of the desk: what it will do, one press, and what the daemon's records say has become of it.

import { mayConfirm } from '../../model/confirmation.ts';
import { closeAction, type Sending, sendAction, sending } from '../../model/desk/sending.ts';
import { entryCode } from '../../model/entry-code.ts';
import { EntryCodeField } from '../entry-code-field.tsx';
import { Dialog } from '../portfolio/dialog.tsx';

export function SendDialog() {
  const now = sending.value;
  if (now === undefined) return null;
  const { action, key, stage, needsCode } = now;
  const mayAsk = stage === 'filling' || now.answer?.kind === 'unknown';
  const isFilled = !needsCode || mayConfirm(entryCode.value);
  return (
    <Dialog key={key} title={action.title} onClose={closeAction}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayAsk && isFilled) void sendAction();
        }}
      >
        {stage !== 'answered' && (
          <ul class="effects">
            {action.effects.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        )}
        {needsCode && stage === 'filling' && <EntryCodeField />}
        <Outcome now={now} />
        <div class="acts">
          <button type="button" onClick={closeAction}>
            {stage === 'answered' ? 'Close' : 'Back'}
          </button>
          {(mayAsk || stage === 'asked') && (
            <button
              type="submit"
              class={action.isStop === true ? 'halt' : ''}
              disabled={!mayAsk || !isFilled}
            >
              {stage === 'asked' ? 'Asked…' : stage === 'filling' ? action.act : 'Ask again'}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function Outcome({ now: { action, stage, answer } }: { readonly now: Sending }) {
  if (answer === undefined || stage === 'asked') return null;
  switch (answer.kind) {
    case 'refused':
      return <p role="alert">Refused: {answer.message}</p>;
    case 'unknown':
      return (
        <p role="alert">
          No answer: {answer.message}. It may or may not have happened; asked again, it still
          happens only once.
        </p>
      );
    case 'done': {
      const outcome = action.outcome(answer.value);
      return (
        <p role="alert">{outcome ?? 'Asked. The daemon has not said yet what became of it.'}</p>
      );
    }
  }
}
