import pino from "pino";
import { forget, once } from "#lib/context/once";

/** Log of the process while it is captured: every level, and nothing blanked by name. */
export type CapturedLog = { text: () => string; stop: () => void };

/** Takes the place of the process's logger; stricter than it, since no field is redacted. */
export function captureLog(): CapturedLog {
  const before = forget<pino.Logger>("logger");
  const lines: string[] = [];
  once("logger", () => pino({ level: "trace" }, { write: (line: string) => void lines.push(line) }));
  return {
    text: () => lines.join(""),
    stop: () => {
      forget("logger");
      if (before) once("logger", () => before);
    },
  };
}
