// The reader of this output may leave (`npm start | head`, a closed terminal): that is no reason to end, and unheard the
// stream's error would end the process without its drain. Here, because every entry point imports this file.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const TICK_MS = 1000;
const QUIET_TICK_MS = 10_000;

const write = (text: string) => process.stdout.write(text);
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * Runs one step and says so: its name at once, the seconds while it takes
 * time, and at the end what came of it.
 *
 * @param work returns the words to end the line with
 */
export async function step(name: string, work: () => Promise<string>): Promise<void> {
  const since = Date.now();
  const stopTicking = tick(name, since);
  try {
    const words = await work();
    stopTicking();
    write(`  ✓ ${name.padEnd(12)} ${words} (${seconds(since)})\n`);
  } catch (error) {
    stopTicking();
    write(`  ✗ ${name.padEnd(12)} failed (${seconds(since)})\n`);
    throw error;
  }
}

/** A running clock: on a terminal in place, elsewhere a line now and then. */
function tick(name: string, since: number): () => void {
  const terminal = process.stdout.isTTY;
  if (terminal) write(`  … ${name}`);
  const timer = setInterval(
    () => write(terminal ? `\r  … ${name.padEnd(12)} ${seconds(since)}` : `  … ${name}: ${seconds(since)}\n`),
    terminal ? TICK_MS : QUIET_TICK_MS,
  );
  return () => {
    clearInterval(timer);
    if (terminal) write("\r\x1b[K");
  };
}

/** Prints a line to the person who started us. */
export const say = (line: string) => void write(`${line}\n`);

/** Prints an error's words, without a stack: they are for a person who can act on them. */
export const complain = (words: string) => void process.stderr.write(`\n${words}\n`);
