// The little XML that object stores speak: elements of plain text.

/** The texts of the elements of this name: the answers of the protocol nest none in itself. */
export const textsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replaceAll(/&(amp|lt|gt|quot|apos|#x?[0-9a-fA-F]+);/g, (_all, entity: string) =>
      entityText(entity),
    ),
  );

/** A text as it is written into an element. */
export const xmlText = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

const entityText = (entity: string): string =>
  NAMED[entity] ??
  String.fromCodePoint(
    entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1)),
  );
