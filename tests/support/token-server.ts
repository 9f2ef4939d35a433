import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Request that the platform received. `fields` are the body's, JSON or form. */
export type TokenRequest = { path: string; contentType: string; fields: Record<string, string> };
type Answer = {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
  delayMs?: number;
  /** Sends 100 Continue first, asked or not. */
  interim?: boolean;
  /** Cuts the line instead of answering, at once or in the middle of the body; or never ends the body. */
  ending?: "cut" | "cut_midway" | "endless";
};

/**
 * The platform's token address, hand-made: answers what the test says and
 * remembers what it was asked.
 */
export class TokenServer {
  readonly requests: TokenRequest[] = [];
  /** Content codings that each request asked for. */
  readonly codings: string[] = [];
  /** The header `Authorization` of each request. */
  readonly authorizations: (string | null)[] = [];
  /** Decides each answer; replaced by the test. */
  answer: (request: TokenRequest, count: number) => Answer | Promise<Answer> = () => ({
    body: { access_token: "at", refresh_token: "rt", expires_in: 600, token_type: "Bearer", scope: "documents:read" },
  });
  private readonly server = createServer(async (request, response) => {
    const seen = { path: request.url ?? "", contentType: request.headers["content-type"] ?? "", fields: await readFields(request) };
    this.codings.push(String(request.headers["accept-encoding"] ?? ""));
    this.authorizations.push(request.headers.authorization ?? null);
    this.requests.push(seen);
    const answer = await this.answer(seen, this.requests.length);
    await new Promise((resolve) => setTimeout(resolve, answer.delayMs ?? 0));
    send(response, answer);
  });

  /** @returns the base address, as PLATFORM_TOKEN_URL wants it */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function send(response: ServerResponse, { status = 200, body, headers = {}, ending, interim }: Answer): void {
  if (interim) response.writeContinue();
  if (ending === "cut") return void response.destroy();
  const text = typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  if (ending === undefined) return void response.end(text);
  response.write(text.slice(0, Math.ceil(text.length / 2)));
  if (ending === "cut_midway") setTimeout(() => response.destroy(), 50);
}

async function readFields(request: IncomingMessage): Promise<Record<string, string>> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text.startsWith("{") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}
