// Takes over the whole terminal for one view and restores it afterwards: alternate screen, no cursor, raw
// keys.
import process from 'node:process';

export interface FullScreen {
  readonly rows: () => number;
  /** Replaces the lines on the screen. */
  show(lines: readonly string[]): void;
  /** Resolves when the user wants to leave: q, Ctrl-C, or a termination signal. */
  readonly left: Promise<void>;
  /** Registers a callback for size changes. */
  onResize(redraw: () => void): void;
  /** Restores the terminal. */
  close(): void;
}

const ROWS_DEFAULT = 24;
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[H\u001b[2J';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const CTRL_C = '\u0003';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Takes over the terminal; `close` must be called in every case. */
export function openFullScreen(draw: (text: string) => void): FullScreen {
  const { stdin, stdout } = process;
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const onKey = (key: Buffer): void => {
    const pressed = key.toString();
    if (pressed.includes('q') || pressed.includes('Q') || pressed.includes(CTRL_C)) leave();
  };
  let onSize: (() => void) | undefined;
  const onEnd = (): void => leave();
  for (const signal of SIGNALS) process.on(signal, onEnd);
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on('data', onKey);
  stdin.resume();
  draw(ENTER);
  return {
    left,
    rows: () => stdout.rows ?? ROWS_DEFAULT,
    show: (lines) => draw(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join('\r\n')}\u001b[J`),
    onResize: (redraw) => {
      onSize = redraw;
      stdout.on('resize', redraw);
    },
    close: () => {
      if (onSize !== undefined) stdout.off('resize', onSize);
      for (const signal of SIGNALS) process.off(signal, onEnd);
      stdin.off('data', onKey);
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.pause();
      draw(LEAVE);
    },
  };
}
