// Shares an expensive text between all requests within a short time.

/** Runs `make` at most once at a time; its text is served for `forMs` from the moment it was started. */
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
