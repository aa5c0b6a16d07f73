// What confirms an action: the field for a one-time code, and where the code comes from; on paper money a sentence, because
// the press of the button does.
import { takesClick } from '../model/confirmation.ts';

export interface CodeFieldProps {
  readonly value: string;
  readonly onWrite: (text: string) => void;
  /** Shown before how to get a code. */
  readonly why?: string;
}

export function CodeField({ value, onWrite, why }: CodeFieldProps) {
  const before = why === undefined ? '' : `${why} `;
  if (takesClick()) return <p>{before}Paper money: the press of the button confirms it.</p>;
  return (
    <>
      <p>{before}Print a code where your key is:</p>
      <pre>./twapd open --code</pre>
      <label>
        One-time code
        <input
          autoComplete="off"
          autoCapitalize="characters"
          spellcheck={false}
          value={value}
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      </label>
    </>
  );
}
