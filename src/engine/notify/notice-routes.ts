// Which channels report a happening.
import type { ChannelRules } from '../../core/notify/due-notices.ts';
import type { Happening } from '../../core/notify/happening.ts';
import type { AddressedHappening } from '../../ports/notify/notice-outbox.ts';

export interface NoticeRoute {
  readonly name: string;
  readonly rules: ChannelRules;
}

export const addressed = (
  happening: Happening,
  routes: readonly NoticeRoute[],
): AddressedHappening => ({
  happening,
  channels: routes
    .filter(({ rules }) => rules.happenings.includes(happening.kind))
    .map(({ name }) => name),
});
