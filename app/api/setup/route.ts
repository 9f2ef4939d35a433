import { jsonOrNull, parseBody } from "#lib/api/read-request";
import { AppError } from "#lib/contracts/api/app-error";
import { setupBody } from "#lib/contracts/auth/setup";
import { completeSetup } from "#lib/flows/members/set-up-workspace";
import { problemResponse } from "#lib/http/problem";
import { bodyTextOf } from "#lib/http/request-body";

const LINK_REJECTED = {
  used: "This set-up link was already used. Sign in, or restart Signalbox to get a new link.",
  expired: "This set-up link is older than 24 hours. Restart Signalbox to get a new one.",
  unknown: "This set-up link doesn't belong to this Signalbox. Open the latest link from your terminal.",
  done: "Signalbox already has an owner. Sign in.",
} as const;

/** First-run setup. Public: the one-time link is the permission, and it stops working once there is an owner. */
export async function POST(request: Request): Promise<Response> {
  try {
    const result = await completeSetup(parseBody(setupBody, jsonOrNull(await bodyTextOf(request))), new Date());
    if (result.outcome === "weak_password")
      throw new AppError("invalid_request", result.words, { errors: [{ path: "password", message: result.words }] });
    if (result.outcome === "link_rejected") throw new AppError("conflict", LINK_REJECTED[result.state]);
    return Response.json({ created: true }, { status: 201, headers: { "cache-control": "no-store" } });
  } catch (error) {
    return problemResponse(error);
  }
}
