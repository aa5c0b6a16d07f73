// Sequence numbers of news: one order over all portfolios. They increase; gaps have no meaning.

/** May exceed 2^53 in time, so every interface outside the process carries it as text. */
export type Sequence = bigint;

const TEXT = /^\d{1,30}$/;

/** `undefined` if the text is not a sequence number. */
export const parseSequence = (text: string): Sequence | undefined =>
  TEXT.test(text) ? BigInt(text) : undefined;
