// Contract of every channel: a message arrives whole, once, and whatever goes wrong is an answer that says whether it may
// work another time and never shows a secret.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GIVEN_UP, type NoticeChannel } from '../../../src/ports/notify/notice-channel.ts';
import { until } from '../../adapters/until.ts';
import { happened, messageOf } from './notices.ts';

export interface ChannelStage {
  readonly channel: NoticeChannel;
  /** The texts of the messages that arrived, decoded. */
  readonly arrived: () => readonly string[];
  /** The receiver takes messages no more: for now, or for ever. */
  readonly refuse: (how: 'now' | 'ever') => void;
  /** The receiver answers no more, whatever it gets. */
  readonly hold: () => void;
  /** How many messages it has begun to read. */
  readonly begun: () => number;
  /** The receiver is gone. */
  readonly stop: () => Promise<void>;
  /** What no answer may show. */
  readonly secret: string;
}

export function noticeChannelConformance(open: () => Promise<ChannelStage>): void {
  let stage: ChannelStage;
  beforeEach(async () => {
    stage = await open();
  });
  afterEach(async () => {
    stage.channel.close();
    await stage.stop();
  });

  test('a message arrives once, with every line', async () => {
    const message = messageOf([happened('one'), happened('two', { title: 'ünïcode' })]);
    expect(await stage.channel.send(message)).toEqual({ kind: 'delivered' });
    expect(stage.arrived()).toHaveLength(1);
    for (const line of [message.title, ...message.lines])
      expect(stage.arrived()[0]).toContain(line);
  });

  test('a receiver that is busy is asked again later', async () => {
    stage.refuse('now');
    const delivery = await stage.channel.send(messageOf([happened('one')]));
    expect(delivery.kind).toBe('later');
    expect(JSON.stringify(delivery)).not.toContain(stage.secret);
  });

  test('a receiver that will not take it says so', async () => {
    stage.refuse('ever');
    const delivery = await stage.channel.send(messageOf([happened('one')]));
    expect(delivery.kind).toBe('refused');
    expect(JSON.stringify(delivery)).not.toContain(stage.secret);
  });

  test('a receiver that is gone is asked again later', async () => {
    await stage.stop();
    const delivery = await stage.channel.send(messageOf([happened('one')]));
    expect(delivery.kind).toBe('later');
    expect(JSON.stringify(delivery)).not.toContain(stage.secret);
  });

  test('a message under way is given up at once when its channel is closed', async () => {
    stage.hold();
    const sending = stage.channel.send(messageOf([happened('one')]));
    await until(() => stage.begun() === 1);
    stage.channel.close();
    expect(await sending).toEqual(GIVEN_UP);
  });

  test('a closed channel sends nothing', async () => {
    stage.channel.close();
    expect(await stage.channel.send(messageOf([happened('one')]))).toEqual(GIVEN_UP);
    expect(stage.begun()).toBe(0);
  });
}
