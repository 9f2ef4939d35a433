import { createServer } from "node:http";
import { WAITING_READINESS } from "#lib/flows/installation/read-readiness";
import { problem, RETRY_AFTER_S } from "#lib/http/problem";

/**
 * Answers in the web process's place while the start waits for the database: the process lives, and every other request
 * is to be sent again. Without it whoever watches the port would end a start that only waits.
 *
 * @returns a function that gives the port back
 */
export async function answerWhileWaiting(port: number): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?");
    const [status, type, body] = path === "/health/live" ? LIVE : path === "/health/ready" ? NOT_READY : UNAVAILABLE;
    request.resume();
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", connection: "close", ...retryAfter(status) });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

const retryAfter = (status: number) => (status === 503 ? { "retry-after": String(RETRY_AFTER_S) } : {});

type Answer = [status: number, type: string, body: object];
const LIVE: Answer = [200, "application/json", { status: "live" }];
const NOT_READY: Answer = [503, "application/json", WAITING_READINESS];
const UNAVAILABLE: Answer = [
  503,
  "application/problem+json",
  problem(503, "unavailable", "Signalbox is starting", "The start waits for the database. Send the request again in a few seconds."),
];
