import { env } from "#lib/config/env";
import { receiveWebhook } from "#lib/flows/receive-webhook";
import { webhookIntake } from "#lib/http/body-intake";
import { announcedLength } from "#lib/http/raw-body";

/**
 * The receiver's second door, for hosts that run Next alone. Under `npm start`
 * lib/processes/web.ts answers this path before Next sees it.
 */
async function door(request: Request, context: { params: Promise<{ source: string }> }): Promise<Response> {
  const { source } = await context.params;
  const limits = { maxBytes: env().WEBHOOK_MAX_BYTES, contentLength: announcedLength(request.headers.get("content-length")) };
  return webhookIntake().read(request.body, limits, async (body) => {
    if (body === "aborted") return new Response(null, { status: 400 });
    const headers = Object.fromEntries(request.headers);
    // No address: behind another host's proxy the headers that name one can't be trusted.
    const answer = await receiveWebhook({ source, method: request.method, headers, body, remoteAddress: null });
    const nothing = request.method === "HEAD";
    return new Response(nothing ? null : answer.body, { status: answer.status, headers: answer.headers });
  });
}

export { door as DELETE, door as GET, door as HEAD, door as OPTIONS, door as PATCH, door as POST, door as PUT };
