import { indexEvents } from "#lib/flows/events/index-for-search";
import { processEvents } from "#lib/flows/processing/process-events";

// A worker that dies at once, as of an exhausted memory, when it parses a
// payload that says so; else it ends when nothing is left to do. Its argument
// says what it does: apply or search.

const DEADLY = "kills its worker";
const parse = JSON.parse;
JSON.parse = (text: string, ...more: [never]) => {
  if (text.includes(DEADLY)) process.kill(process.pid, "SIGKILL");
  return parse(text, ...more) as unknown;
};

const work = process.argv[2] === "search" ? indexEvents : processEvents;
while ((await work()) > 0);
process.exit(0);
