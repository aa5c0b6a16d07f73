// Resources opened by benches, closed however a bench ends.

const ALL: AsyncDisposableStack[] = [];

/** A stack of disposers: each resource adds its own once it is open; they run in reverse order. */
export function opened(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack();
  ALL.push(stack);
  return stack;
}

/** Closes everything still open; for the end of the process. */
export async function closeAll(): Promise<void> {
  for (const stack of ALL.splice(0).reverse()) await stack.disposeAsync();
}
