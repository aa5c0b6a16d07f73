// The names of refused parameters as the callers of the ports know them: `amount` of the wire is `quantity` there.

/** Names that are other words, not only another spelling. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  amount: 'quantity',
  block_rfq_quote_id: 'quoteId',
  direction: 'side',
  display_amount: 'displayQuantity',
};

/** `legs[0].instrument_name` as `legs[0].instrumentName`; what is no name is left as it is. */
export const callersName = (param: string): string =>
  param.replace(
    /[a-z]\w*/gi,
    (word) =>
      OTHER_WORDS[word] ?? word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
