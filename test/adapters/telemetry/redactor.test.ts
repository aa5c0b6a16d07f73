import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/adapters/telemetry/log/redactor.ts';
import { lineLog } from './line-log.ts';

const CANARY = 'Kq7/dHdhcGQtY2FuYXJ5+PT0="\\x\n$^tail';

/** Printable text with quotes, backslashes, line ends and regular-expression characters. */
const secret = fc
  .array(fc.constantFrom(...'abcXYZ019+/=._-$^*()[]{}|?"\\\n é€'.split('')), {
    minLength: 8,
    maxLength: 40,
    size: 'max',
  })
  .map((characters) => characters.join(''));

describe('a registered secret', () => {
  it('a registered secret appears in no line, wherever it occurs', () => {
    fc.assert(
      fc.property(secret, fc.string(), (hidden, around) => {
        const redactor = new Redactor([hidden]);
        const line = JSON.stringify({
          msg: `${around}${hidden}${around}`,
          [hidden]: { deep: [hidden, { deeper: `x${hidden}` }] },
          query: `?key=${encodeURIComponent(hidden)}`,
        });
        const shown = redactor.redacted(line);
        expect(shown).not.toContain(hidden);
        expect(shown).not.toContain(JSON.stringify(hidden).slice(1, -1));
        expect(shown).not.toContain(encodeURIComponent(hidden));
        expect(shown).toContain('[secret]');
      }),
    );
  });

  it('a registered secret is redacted in messages, fields, nested fields, errors, causes, stacks and bindings', async () => {
    const { logger, text, lines } = lineLog('trace', { secrets: [CANARY] });
    const cause = new Error(`AUTH ${CANARY}`);
    const error = new Error(`connect failed for ${CANARY}`, { cause });
    error.stack = `Error: ${CANARY}\n    at somewhere (${CANARY})`;
    Object.assign(error, { command: { name: 'AUTH', args: [CANARY] } });
    logger.info(`plain ${CANARY}`);
    logger.info({ field: CANARY, nested: { list: [{ field: CANARY }] } }, 'fields');
    logger.error({ err: error }, 'errors');
    logger.error(error);
    logger.child({ who: CANARY }).warn({ err: new AggregateError([error], CANARY) }, 'child');
    logger.info({ [CANARY]: 1 }, 'as a name');
    logger.info('%s and %j', CANARY, { CANARY });
    const written = await text();
    expect(await lines()).toHaveLength(7);
    for (const piece of [CANARY, 'dHdhcGQtY2FuYXJ5', encodeURIComponent(CANARY)]) {
      expect(written).not.toContain(piece);
    }
  });

  it('a secret is hidden as soon as it is registered', async () => {
    const { logger, log, text } = lineLog('info');
    log.hide('told-later-0123456789');
    logger.info('told-later-0123456789');
    expect(await text()).not.toContain('told-later');
  });

  it('a registered address also hides its password, including the decoded form', () => {
    const redactor = new Redactor(['postgres://twapd:p%40ss-w0rd@db:5432/twapd']);
    const shown = redactor.redacted('"p@ss-w0rd" and "p%40ss-w0rd"');
    expect(shown).toBe('"[secret]" and "[secret]"');
  });

  it('a registered secret is redacted in URLs with either letter case of percent-encoding', () => {
    const redactor = new Redactor(['a+b/c=d-secret']);
    expect(redactor.redacted('?k=a%2Bb%2Fc%3Dd-secret')).toBe('?k=[secret]');
    expect(redactor.redacted('?k=a%2bb%2fc%3dd-secret')).toBe('?k=[secret]');
  });

  it('a secret too short to distinguish from words is not redacted', () => {
    expect(new Redactor(['abc', '']).redacted('"abcdef"')).toBe('"abcdef"');
  });
});

describe('an unregistered secret', () => {
  const redactor = new Redactor();

  it.each([
    ['redis://:hunter2hunter2@127.0.0.1:6379/0', 'redis://:[secret]@127.0.0.1:6379/0'],
    ['see postgres://twapd:x@db/twapd now', 'see postgres://twapd:[secret]@db/twapd now'],
    ['https://example.org:8080/a@b', 'https://example.org:8080/a@b'],
  ])('a password is redacted in an address: %s', (text, shown) => {
    expect(redactor.redacted(text)).toBe(shown);
  });

  it.each(['password', 'Authorization', 'X-Signature', 'apiKey', 'client_secret', 'COOKIE'])(
    'the value of a field named %s is redacted',
    (name) => {
      const line = JSON.stringify({ level: 'info', nested: { [name]: 'he"llo\\' }, rest: 'stays' });
      const shown = JSON.parse(redactor.redacted(line)) as Record<string, Record<string, string>>;
      expect(shown['nested']?.[name]).toBe('[secret]');
      expect(shown['rest']).toBe('stays');
    },
  );

  it('every other line is left unchanged', () => {
    const line = JSON.stringify({ msg: 'slice sent', label: 'tw1-test-a-0-1-1', token: 4 });
    expect(redactor.redacted(line)).toBe(line);
  });
});
