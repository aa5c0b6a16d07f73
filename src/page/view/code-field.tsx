// The field for the one-time code that confirms an action, and where the code comes from.

export interface CodeFieldProps {
  readonly value: string;
  readonly onWrite: (text: string) => void;
  /** Shown before how to get a code. */
  readonly why?: string;
}

export function CodeField({ value, onWrite, why }: CodeFieldProps) {
  return (
    <>
      <p>{why === undefined ? '' : `${why} `}Print a code where your key is:</p>
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
