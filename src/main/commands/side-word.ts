// Reads a side as a person types it, or as the interface numbers it.

/** `buy`, `BUY` or `1`; `sell`, `SELL` or `2`; `undefined` for anything else. */
export function sideWordOf(text: string): 'buy' | 'sell' | undefined {
  switch (text.toLowerCase()) {
    case 'buy':
    case '1':
      return 'buy';
    case 'sell':
    case '2':
      return 'sell';
    default:
      return undefined;
  }
}
