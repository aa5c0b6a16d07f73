// Shows what the set-up is doing: one live line on a terminal, a line every few seconds elsewhere. Always on
// stderr.
import process from 'node:process';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const LINE_EVERY_MS = 5_000;
const FIRST_LINE_AFTER_MS = 700;

/**
 * @param {object} options
 * @param {boolean} [options.plain] print lines even on a terminal
 * @param {{isTTY?: boolean, columns?: number, write(text: string): unknown}} [options.stream]
 */
export function startProgress({ plain = false, stream = process.stderr } = {}) {
  const active = new Map();
  const live = Boolean(stream.isTTY) && !plain && !process.env.CI;
  let frame = 0;
  const seconds = (step) => Math.floor((Date.now() - step.since) / 1000);

  const drawLive = () => {
    const steps = [...active.values()].map((step) => `${step.label} (${seconds(step)} s)`);
    frame = (frame + 1) % FRAMES.length;
    const line = steps.length === 0 ? '' : `${FRAMES[frame]} ${steps.join(' · ')}`;
    stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`);
  };
  const printLines = () => {
    const now = Date.now();
    for (const step of active.values()) {
      if (now < step.nextLineAt) continue;
      step.nextLineAt = now + LINE_EVERY_MS;
      stream.write(`twapd: ${step.label} … ${seconds(step)} s\n`);
    }
  };
  const ticker = setInterval(live ? drawLive : printLines, FRAME_MS);
  ticker.unref();

  return {
    /** Shows a step until the work ends; without a live line, a closing line as well if it took long enough. */
    async during(label, work) {
      const since = Date.now();
      const step = { label, since, nextLineAt: since + FIRST_LINE_AFTER_MS };
      active.set(step, step);
      try {
        const result = await work();
        const took = Date.now() - step.since;
        if (took >= 1000 && !live) {
          stream.write(`twapd: ${label}: done in ${(took / 1000).toFixed(1)} s\n`);
        }
        return result;
      } finally {
        active.delete(step);
      }
    },
    stop() {
      clearInterval(ticker);
      if (live) stream.write('\r\u001b[2K');
    },
  };
}
