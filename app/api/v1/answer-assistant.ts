import { createMcpHandler } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { makeAssistantServer } from "#lib/assistants/assistant-server";
import type { ApiAccess } from "#lib/assistants/define-tool";
import { env } from "#lib/config/env";
import { PRODUCT_VERSION } from "#lib/config/product";
import type { Problem } from "#lib/contracts/api/app-error";
import { parseExact } from "#lib/contracts/exact-json";
import { callApi } from "./inventory.ts";

/** Answers one message of an assistant. No state is kept between two, so any replica can answer. */
export function answerAssistant(request: Request, message: McpMessage, allowWrite: boolean): Promise<Response> {
  const handler = createMcpHandler(() => makeAssistantServer(accessOf(request), { allowWrite, version: PRODUCT_VERSION }));
  const headers = new Headers(request.headers);
  // The protocol requires a client to accept both; scripts forget it.
  headers.set("accept", "application/json, text/event-stream");
  headers.delete("content-length");
  const again = new Request(request.url, { method: "POST", headers, body: JSON.stringify(message), signal: request.signal });
  return handler.fetch(again, { parsedBody: message });
}

/** Calls the API's own routes with the request's credentials: permissions, limits and audit are those of any other call. */
function accessOf(request: Request): ApiAccess {
  const credentials: Record<string, string> = {};
  for (const name of ["authorization", "cookie", "origin"]) {
    const value = request.headers.get(name);
    if (value !== null) credentials[name] = value;
  }
  const call = async (method: string, path: string, query: Parameters<ApiAccess["get"]>[1] = {}, body?: unknown) => {
    const url = new URL(path, request.url);
    for (const [name, value] of Object.entries(query)) {
      for (const one of typeof value === "object" ? value : [value]) if (one !== undefined) url.searchParams.append(name, String(one));
    }
    const content =
      body === undefined ? {} : { headers: { ...credentials, "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await callApi(new Request(url, { method, headers: credentials, ...content }));
    const json = parseExact(await answer.text());
    if (answer.ok) return json;
    const { title, detail } = json as Problem;
    throw new Error(detail ?? title);
  };
  return {
    consoleUrl: env().APP_URL,
    get: (path, query) => call("GET", path, query),
    post: (path, body) => call("POST", path, {}, body),
  };
}

export const mcpQuery = z.object({ write: z.optional(z.literal("allowed")) });

export const mcpMessage = z.looseObject({ jsonrpc: z.literal("2.0") });
type McpMessage = z.infer<typeof mcpMessage>;
