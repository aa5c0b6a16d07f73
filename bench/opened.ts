// Resources opened by benches, closed however a bench ends.

const ALL: AsyncDisposableStack[] = [];

/** To be given what closes each thing once that is open; closes in the opposite order. */
export function opened(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  ALL.push(stack);
  return stack;
}

/** Closes what is still open; for the end of the process. */
export async function closeAll(): Promise<void> {
  for (const stack of ALL.splice(0).reverse()) await stack.disposeAsync();
}
