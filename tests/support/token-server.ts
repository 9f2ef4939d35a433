import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** What the platform was asked. `fields` are the body's, JSON or form. */
export type TokenRequest = { path: string; contentType: string; fields: Record<string, string> };
type Answer = { status?: number; body: unknown; headers?: Record<string, string>; delayMs?: number };

/**
 * The platform's token address, hand-made: answers what the test says and
 * remembers what it was asked.
 */
export class TokenServer {
  readonly requests: TokenRequest[] = [];
  /** Decides each answer; replaced by the test. */
  answer: (request: TokenRequest, count: number) => Answer | Promise<Answer> = () => ({
    body: { access_token: "at", refresh_token: "rt", expires_in: 600, token_type: "Bearer", scope: "documents:read" },
  });
  private readonly server = createServer(async (request, response) => {
    const seen = { path: request.url ?? "", contentType: request.headers["content-type"] ?? "", fields: await readFields(request) };
    this.requests.push(seen);
    const { status = 200, body, headers = {}, delayMs = 0 } = await this.answer(seen, this.requests.length);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
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

async function readFields(request: IncomingMessage): Promise<Record<string, string>> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text.startsWith("{") ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}
