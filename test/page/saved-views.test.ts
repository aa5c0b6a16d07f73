import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewsOf } from '../../src/page/model/saved-views.ts';

const VIEW = {
  filter: { search: 'btc', account: '10001', which: 'all' },
  sorting: { by: 'behind', isDescending: true },
  hidden: ['account'],
};

describe('saved views of the blotter', () => {
  test('views are read as they were written', () => {
    const saved = { views: { 'late ones': VIEW }, first: 'late ones' };
    expect(viewsOf(JSON.stringify(saved))).toEqual(saved);
  });

  test('what is no view is left out, and the blotter starts with none that is not there', () => {
    const views = {
      good: { ...VIEW, hidden: ['account', 'name', 'price'] },
      sorted: { ...VIEW, sorting: { by: 'price', isDescending: true } },
      chosen: { ...VIEW, filter: { search: 1, account: '', which: 'all' } },
      none: null,
    };
    const read = viewsOf(JSON.stringify({ views, first: 'sorted' }));
    expect(read).toEqual({ views: { good: VIEW }, first: '' });
  });

  test('any text in the store of the browser is read without a fault', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(viewsOf(text)).toHaveProperty('views');
      }),
    );
  });
});
