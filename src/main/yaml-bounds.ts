// Whether a text is small enough to be parsed where others wait: the parser takes time that grows with the square of depth and
// of the number of keys, so 40 kB of brackets would hold up an engine for seconds. The lexer, which is linear, decides.
import { CST, Lexer } from 'yaml';

/** A portfolio of 20 legs has 5 levels, 300 keys and 2 000 tokens. */
export const YAML_BOUNDS = { depth: 64, keys: 1_000, tokens: 10_000, indent: 128 } as const;

/** What is too large, and where; `undefined` if nothing is. */
export function yamlExcess(text: string): { line: number; what: string } | undefined {
  let [line, flow, nested, keys, tokens] = [1, 0, 0, 0, 0];
  const over = (what: string, most: number) => ({
    line,
    what: `has more than ${most} ${what}; accepted: at most ${most}`,
  });
  let isText = false;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    const type: string | null = isText ? 'text' : CST.tokenType(token);
    isText = type === 'scalar';
    switch (type) {
      case 'newline':
        line += 1;
        nested = 0;
        break;
      case 'flow-seq-start':
      case 'flow-map-start':
        flow += 1;
        break;
      case 'flow-seq-end':
      case 'flow-map-end':
        flow -= 1;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
        nested += 1;
        break;
      case 'map-value-ind':
        keys += 1;
        break;
      case 'space':
        if (token.length > YAML_BOUNDS.indent && nested === 0) {
          return over('columns of indentation', YAML_BOUNDS.indent);
        }
        break;
      default:
        // A text of several lines is one token.
        line += token.split('\n').length - 1;
    }
    if (flow + nested > YAML_BOUNDS.depth) return over('levels of nesting', YAML_BOUNDS.depth);
    if (keys > YAML_BOUNDS.keys) return over('keys', YAML_BOUNDS.keys);
    if (tokens > YAML_BOUNDS.tokens) return over('tokens', YAML_BOUNDS.tokens);
  }
  return undefined;
}
