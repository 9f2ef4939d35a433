import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { processReceiver } from "#lib/flows/ingest/receiver";
import { assertFraming, pathOf, rejectHead, withRequestIp } from "#lib/http/request-head";
import { STATIC_HEADERS, TRANSPORT_SECURITY } from "#lib/http/security-headers";
import { type CompressedAsset, readCompressedAssets } from "#lib/installation/compressed-assets";
import { ROOT } from "#lib/installation/process-environment";
import { logger } from "#lib/observability/logger";
import { inPageTurn } from "./page-turns.ts";
import { announcesTooMuch, answerProblem, clientIp, isFromThisMachine, sayWhenUnavailable, withBody } from "./request.ts";
import { connectionLimit, descriptorLimit, limitConnections, serverTimeouts } from "./server-limits.ts";
import { webhookHandler, webhookSource } from "./webhook-handler.ts";

type PageHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Handlers = {
  handlePage: PageHandler;
  handleWebhook: ReturnType<typeof webhookHandler>;
  answerAsset: ReturnType<typeof assetHandler>;
};

/** Makes the server: webhooks go to the receiver, all else to `handlePage` once head and body are checked. Upgrades are ignored. */
export function createWebServer(): { server: Server; handlePages: (handlePage: PageHandler) => void } {
  const server = createServer({ ...serverTimeouts(env().TRUSTED_PROXIES), shouldUpgradeCallback: isDevelopmentSocket });
  limitConnections(server, connectionLimit(descriptorLimit()));
  server.on("connect", rejectTunnel);
  return { server, handlePages: (handlePage) => listenForRequests(server, answering(handlePage)) };
}

const NO_WEB_SOCKETS = new AppError(
  "invalid_request",
  "There is no WebSocket endpoint. Live updates are server-sent events: GET /api/v1/feed.",
);

/** Ignores other upgrades (RFC 9110 section 7.8): clients that can speak h2c offer it with every request. */
const asksWebSocket = (request: IncomingMessage) => /^websocket\b/i.test(request.headers.upgrade ?? "") && !isDevelopmentSocket(request);

/** True for the web socket over which Next's development server refreshes pages. */
const isDevelopmentSocket = ({ url }: IncomingMessage) => env().NODE_ENV === "development" && (url ?? "").startsWith("/_next/");

function listenForRequests(server: Server, listener: RequestListener): void {
  server.on("request", listener);
  server.on("checkContinue", (request, response) => {
    const maxBytes = webhookSource(request.url) === null ? undefined : env().WEBHOOK_MAX_BYTES;
    // A sender that waits for 100 Continue is rejected before it sends too much.
    if (!announcesTooMuch(request, maxBytes)) response.writeContinue();
    server.emit("request", request, response);
  });
}

function answering(handlePage: PageHandler): RequestListener {
  const headers = headersOfEveryAnswer();
  const handlers = { handlePage, handleWebhook: webhookHandler(processReceiver()), answerAsset: assetHandler() };
  return (request, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    answer(request, response, handlers).catch((error: unknown) => {
      logger().error({ err: error }, "a request failed");
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { handlePage, handleWebhook, answerAsset }: Handlers,
): Promise<void> {
  const { method = "", url: target = "" } = request;
  try {
    assertFraming(request.httpVersion, request.headers["transfer-encoding"]);
    request.url = pathOf(target, hostsOf(request));
  } catch (error) {
    if (error instanceof AppError) return answerProblem(request, response, error);
    throw error;
  }
  if (webhookSource(request.url) !== null) return handleWebhook(request, response);
  if (asksWebSocket(request)) return answerProblem(request, response, NO_WEB_SOCKETS);
  const rejected = rejectHead(method, request.url);
  if (rejected) return answerProblem(request, response, rejected.error, { headers: rejected.headers });
  if (answerAsset(request, response)) return;
  sayWhenUnavailable(response);
  const page = (whole: IncomingMessage) => withRequestIp(clientIp(request), () => handlePage(whole, response), isFromThisMachine(request));
  return withBody(request, response, (whole) => inPageTurn(request, response, () => page(whole)));
}

/** Covers the receiver too, which Next and its headers don't see. */
const headersOfEveryAnswer = () =>
  Object.entries({
    "x-content-type-options": "nosniff",
    ...(env().APP_URL.startsWith("https:") && { "strict-transport-security": TRANSPORT_SECURITY }),
  });

/** Returns all of them: `headers.host` holds the first. */
const hostsOf = ({ rawHeaders }: IncomingMessage): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");

const NO_TUNNELS =
  "HTTP/1.1 405 Method Not Allowed\r\nallow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** Rejects CONNECT, by which proxies are asked for a tunnel: without a listener the connection ends without an answer. */
function rejectTunnel(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => undefined);
  socket.end(NO_TUNNELS);
}

/** Returns true if it has answered. */
type AnswerAsset = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers requests for scripts and stylesheets with what the build has compressed. Next compresses them anew for each request, less well
 * and on the loop that receives webhooks. It still answers clients that don't take Brotli, as browsers over plain http on another host.
 */
export function assetHandler(assets: Map<string, CompressedAsset> = readCompressedAssets(ROOT)): AnswerAsset {
  return ({ method, url = "", headers }, response) => {
    const plain = (method === "GET" || method === "HEAD") && OF_OTHERS.every((name) => headers[name] === undefined);
    const asset = plain && takesBrotli(headers["accept-encoding"]) ? assets.get(url.split("?", 1)[0] ?? "") : undefined;
    if (asset === undefined) return false;
    response.writeHead(200, {
      ...STATIC_HEADERS,
      "content-type": asset.type,
      "content-encoding": "br",
      "content-length": asset.body.length,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    response.end(method === "HEAD" ? undefined : asset.body);
    return true;
  };
}

/** Requests with a body or for a part are left to those who know them. */
const OF_OTHERS = ["range", "content-length", "transfer-encoding"];

/** RFC 9110 section 12.5.3: `q=0` refuses a coding. */
function takesBrotli(accepted: string | string[] = ""): boolean {
  return String(accepted)
    .split(",")
    .map((each) => each.split(";").map((part) => part.trim().toLowerCase()))
    .some(([coding, weight = ""]) => coding === "br" && !/^q=0(\.0*)?$/.test(weight));
}
