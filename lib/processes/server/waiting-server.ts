import { createServer, type IncomingMessage } from "node:http";
import { PRODUCT_VERSION } from "#lib/config/product-version";
import { waitingReadiness } from "#lib/flows/installation/read-readiness";
import { problem, RETRY_AFTER_S } from "#lib/http/problem";

/** `waitsFor`: a clause after "the start waits for". */
type Waiting = {
  waitsFor: () => string;
  page?: () => string;
};

/** Answers on the web process's port while the start waits: whoever watches the port would end it. @returns a function that frees it */
export async function answerWhileWaiting(port: number, waiting: Waiting): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const { status, type, body } = answerTo(request, waiting);
    request.resume();
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", connection: "close", ...retryAfter(status) });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, resolve));
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

const retryAfter = (status: number) => (status === 503 ? { "retry-after": String(RETRY_AFTER_S) } : {});

function answerTo({ url = "", method, headers }: IncomingMessage, { waitsFor, page }: Waiting) {
  const [path] = url.split("?");
  if (path === "/health/live") return json(200, "application/json", { status: "live", version: PRODUCT_VERSION });
  if (path === "/health/ready") return json(503, "application/json", waitingReadiness(waitsFor()));
  if (page && method === "GET" && headers.accept?.includes("text/html"))
    return { status: 503, type: "text/html; charset=utf-8", body: page() };
  const words = `The start waits for ${waitsFor()}. Send the request again in a few seconds.`;
  return json(503, "application/problem+json", problem(503, "unavailable", "Signalbox is starting", words));
}

const json = (status: number, type: string, body: object) => ({ status, type, body: JSON.stringify(body) });
