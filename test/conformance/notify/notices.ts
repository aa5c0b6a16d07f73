// Happenings and messages for tests of notifications.
import type { Happening } from '../../../src/core/notify/happening.ts';
import type { NoticeMessage } from '../../../src/ports/notify/notice-channel.ts';
import { instant } from '../../../src/values/instant.ts';

export const AT = instant(Date.UTC(2026, 10, 24, 14));

export const happened = (key: string, change: Partial<Happening> = {}): Happening => ({
  kind: 'residual',
  key,
  at: AT,
  title: `portfolio ${key} ended: time_limit, with a residual`,
  detail: 'note ünïcode',
  ...change,
});

export const messageOf = (
  happenings: readonly Happening[],
  change: Partial<NoticeMessage> = {},
): NoticeMessage => ({
  deployment: 'test',
  at: AT,
  title: 'twapd test: something has happened',
  lines: happenings.map(({ title }) => title),
  happenings,
  ...change,
});
