import { findLine, type Rule } from "./source-file.ts";

/** Sources of time: whatever else decides by time gets it from its caller. */
const SOURCES: { place: RegExp; reason: string }[] = [
  { place: /^lib\/processes\//, reason: "commands: their work begins here" },
  { place: /^lib\/installation\//, reason: "starts and ends programs and files of a machine, at the real time" },
  { place: /^lib\/background\//, reason: "loops and the schedule: a round begins here" },
  { place: /^lib\/api\/(define-route|sign-in-step)\.ts$/, reason: "a request arrives here" },
  { place: /^lib\/api\/answer-feed\.ts$/, reason: "asks again and again whether a reader still may read" },
  { place: /^lib\/auth\/require-actor\.ts$/, reason: "a request for a page arrives here" },
  { place: /^lib\/client\//, reason: "runs in the browser, which has a clock of its own" },
  { place: /^lib\/time\/clock\.ts$/, reason: "the clock itself" },
];

/** A function that decides by time is given it, so that a test moves the time of a flow instead of the process's clock. */
export const timeHandedIn: Rule = (files) =>
  files.flatMap(({ name, text }) => {
    const isBound = name.startsWith("lib/") && !SOURCES.some(({ place }) => place.test(name));
    const read = name.endsWith("-store.ts") ? /\bnew Date\(\)|\bDate\.now\b|\bsystemClock\b/ : /\bnew Date\(\)|\bDate\.now\b/;
    const line = isBound ? findLine(text, read) : null;
    return line ? [`${name}:${line} reads the time. Take \`now: Date\` from the caller, or a Clock of #lib/time/clock.`] : [];
  });
