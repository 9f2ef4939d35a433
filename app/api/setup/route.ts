import { AppError } from "#lib/contracts/app-error";
import { setupBody } from "#lib/contracts/setup";
import { completeSetup } from "#lib/flows/complete-setup";
import { problemResponse } from "#lib/http/problem";

const LINK_REFUSED = {
  used: "This set-up link was used before. Sign in, or start Signalbox again for a new link.",
  expired: "This set-up link is older than 24 hours. Start Signalbox again for a new one.",
  unknown: "This is not a set-up link of this Signalbox. Open the newest one that the terminal printed.",
  done: "Signalbox has an owner already. Sign in.",
} as const;

/** First-run set-up. Public: the one-time link is the permission, and it is worth nothing once there is an owner. */
export async function POST(request: Request): Promise<Response> {
  try {
    const result = await completeSetup(setupBody.parse(await request.json().catch(() => null)));
    if (result.outcome === "weak_password")
      throw new AppError("invalid_request", result.words, { errors: [{ path: "password", message: result.words }] });
    if (result.outcome === "link_refused") throw new AppError("conflict", LINK_REFUSED[result.state]);
    return Response.json({ created: true }, { status: 201, headers: { "cache-control": "no-store" } });
  } catch (error) {
    return problemResponse(error);
  }
}
