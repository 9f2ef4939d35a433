import { env } from "#lib/config/env";
import { announcedLength } from "#lib/http/body/raw-body";
import { receiveWebhook } from "./receive-webhook.ts";
import type { Receiver } from "./receiver.ts";
import { queryOf } from "./webhook-request.ts";

type RouteHandler = (request: Request, context: { params: Promise<{ source: string }> }) => Promise<Response>;

/** @param receiver asked at each request: a build loads the route without a database */
export const webhookRoute =
  (receiver: () => Receiver): RouteHandler =>
  async (request, context) => {
    const { source } = await context.params;
    const limits = { maxBytes: env().WEBHOOK_MAX_BYTES, contentLength: announcedLength(request.headers.get("content-length")) };
    return receiver().bodies.read(request.body, limits, async (body) => {
      if (body === "aborted") return new Response(null, { status: 400 });
      const headers = Object.fromEntries(request.headers);
      // No IP address: behind another host's proxy, the headers that name one can't be trusted.
      const answer = await receiveWebhook(receiver(), {
        source,
        query: queryOf(request.url),
        method: request.method,
        headers,
        body,
        remoteAddress: null,
      });
      const nothing = request.method === "HEAD";
      return new Response(nothing ? null : answer.body, { status: answer.status, headers: answer.headers });
    });
  };
