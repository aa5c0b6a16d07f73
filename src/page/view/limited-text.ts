// Fields of a bounded number of characters, as the interface counts them: `maxLength` of HTML counts code units, of which some
// characters have two.

/** What is written in the field, which is cut to so many characters. */
export function limitedText(field: { value: string }, most: number): string {
  const characters = [...field.value];
  if (characters.length > most) field.value = characters.slice(0, most).join('');
  return field.value;
}
