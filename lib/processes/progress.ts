import { printableLines } from "#lib/contracts/api/plain-text";
import { formatNumber } from "#lib/contracts/format-count";
import { type LogLines, takeConsole } from "#lib/observability/logger";

// The reader may leave (`npm start | head`): unheard, that error would end the process undrained. Every entry point imports this file.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const TICK_MS = 1000;
const QUIET_TICK_MS = 10_000;

const terminal = process.stdout.isTTY;
/** A step's line stands on the terminal without its end: whatever is written next takes its place. */
let open = false;
const CLEARED = "\r\x1b[K";

function write(text: string): void {
  process.stdout.write(`${open ? CLEARED : ""}${text}`);
  open = false;
}

function writeOpen(text: string): void {
  write(text);
  open = true;
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Set where no person reads along: then every line is one of the log. */
let lines: LogLines | null = null;

/** Turns all that is said into log lines, unless a terminal shows it. Commands that a person calls don't. */
export function speakInLogLines(): void {
  if (!terminal) lines ??= takeConsole();
}

type StepOptions = {
  /** A process of ours writes to the same terminal meanwhile: no line may be open that its lines would run into. */
  shared?: boolean;
};

/** Runs a step, showing its name, the seconds and the result. @param work returns the result; what it gives to `tell` shows meanwhile */
export async function step(name: string, work: (tell: Tell) => Promise<string>, { shared = false }: StepOptions = {}): Promise<void> {
  const since = performance.now();
  let now = "";
  const stopTicking = tick(name, since, () => now, terminal && !shared);
  try {
    const words = await work((text) => {
      now = `${text}, `;
    });
    stopTicking();
    if (lines) lines.info(`${name}: ${words} (${seconds(since)})`);
    else write(`  ✓ ${name.padEnd(12)} ${printableLines(words)} (${seconds(since)})\n`);
  } catch (error) {
    stopTicking();
    if (lines) lines.info(`${name}: failed (${seconds(since)})`);
    else write(`  ✗ ${name.padEnd(12)} failed (${seconds(since)})\n`);
    throw error;
  }
}

export type Tell = (words: string) => void;

/** Shows the seconds: in place on a terminal, elsewhere a line now and then. */
function tick(name: string, since: number, now: () => string, inPlace: boolean): () => void {
  const line = () => {
    const words = `${now()}${seconds(since)}`;
    if (lines) lines.info(`${name}: ${words}`);
    else if (inPlace) writeOpen(`  … ${name.padEnd(12)} ${words}`);
    else write(`  … ${name}: ${words}\n`);
  };
  if (inPlace) writeOpen(`  … ${name}`);
  const timer = setInterval(line, inPlace ? TICK_MS : QUIET_TICK_MS);
  return () => {
    clearInterval(timer);
    if (open) write("");
  };
}

/** Prints a line. Names in it may be others' (an object's, a file's, a server's) and must not steer the terminal. */
export const say = (line: string) => void (lines ? lines.info(line.trim()) : write(`${printableLines(line)}\n`));

/** Prints what a person should look into, though the process goes on. */
export const warn = (line: string) => void (lines ? lines.warn(line.trim()) : say(line));

/** Prints an error's words without a stack, for a person who can act on them. */
export function complain(words: string): void {
  if (open) write("");
  if (lines) lines.error(words.trim());
  else process.stderr.write(`\n${printableLines(words)}\n`);
}

const SAY_EVERY_MS = 1000;

type Progress = { phase: string; done: number; total: number };

/** Prints phase, rows and rate once a second. */
export function rowsProgress(unit: "rows" | "events"): (progress: Progress) => void {
  let phase = { name: "", since: performance.now(), said: 0 };
  return ({ phase: name, done, total }) => {
    const now = performance.now();
    if (phase.name !== name) phase = { name, since: now, said: now };
    else if (now - phase.said < SAY_EVERY_MS) return;
    phase.said = now;
    const rate = Math.round((done / Math.max(1, now - phase.since)) * 1000);
    if (name === "uploading" || name === "downloading") return say(`  ${name}: ${mb(done)} of ${mb(total)} MB, ${mb(rate)} MB a second`);
    const count = total > 0 ? `${formatNumber(done)} of about ${formatNumber(total)} ${unit}` : `${formatNumber(done)} ${unit}`;
    say(done === 0 || rate === 0 || now === phase.since ? `  ${name} …` : `  ${name}: ${count}, ${formatNumber(rate)} a second`);
  };
}

const mb = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
