import pino from "pino";

/** What the process logs while it is captured: every level, and nothing blanked by name. */
export type CapturedLog = { text: () => string; stop: () => void };

const shared = globalThis as typeof globalThis & { signalboxLogger?: pino.Logger };

/** Takes the place of the process's logger; stricter than it, since no field is redacted. */
export function captureLog(): CapturedLog {
  const before = shared.signalboxLogger;
  const lines: string[] = [];
  shared.signalboxLogger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  return {
    text: () => lines.join(""),
    stop: () => {
      if (before) shared.signalboxLogger = before;
      else delete shared.signalboxLogger;
    },
  };
}
