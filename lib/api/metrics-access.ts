import { timingSafeEqual } from "node:crypto";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { requestIsFromThisMachine } from "#lib/http/request-head";
import { hashToken } from "#lib/vault/opaque-token";

/** Rejects all but METRICS_TOKEN as a bearer token (RFC 6750) or, if unset, this machine: metrics reveal version and load. */
export function rejectScrape(request: Request): { error: AppError; headers: Record<string, string> } | null {
  const { METRICS_TOKEN } = env();
  if (METRICS_TOKEN === undefined) {
    if (requestIsFromThisMachine()) return null;
    const error = new AppError(
      "metrics_not_public",
      "Only processes on this machine can read metrics, at localhost or a loopback address. To read them from elsewhere, set METRICS_TOKEN.",
    );
    return { error, headers: {} };
  }
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(hashToken(METRICS_TOKEN)))) return null;
  const error = new AppError("metrics_token_required", "Send the value of METRICS_TOKEN: Authorization: Bearer <token>.");
  return { error, headers: { "www-authenticate": 'Bearer realm="metrics"' } };
}
