// A text that costs something to make, made for all who ask for it within a short time.

/** `make` runs at most once at a time, and its text serves for `forMs` after it was begun. */
export function sharedText(
  make: () => Promise<string>,
  forMs: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<string> {
  let made: { readonly text: Promise<string>; readonly atMs: number } | undefined;
  let isMaking = false;
  return () => {
    if (made !== undefined && (isMaking || nowMs() - made.atMs < forMs)) return made.text;
    isMaking = true;
    const text = make().finally(() => {
      isMaking = false;
    });
    made = { text, atMs: nowMs() };
    text.catch(() => {
      made = undefined;
    });
    return text;
  };
}
