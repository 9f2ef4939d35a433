import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { env } from "#lib/config/env";
import { pagePolicy, TRANSPORT_SECURITY } from "#lib/http/security-headers";

/**
 * Tells pages their own address, which Next does not: sign-in leads back to it
 * (lib/auth/require-actor.ts). And gives each page a policy with a nonce: Next
 * reads it from the request and writes it on its scripts. It decides nothing
 * about rights: who may see a page is asked in the page.
 */
export function proxy(request: NextRequest): NextResponse {
  const { APP_URL, NODE_ENV } = env();
  const secure = APP_URL.startsWith("https:");
  const nonce = randomBytes(18).toString("base64");
  const policy = pagePolicy({ nonce, secure, development: NODE_ENV === "development" });
  const headers = new Headers(request.headers);
  headers.set("x-signalbox-path", request.nextUrl.pathname + request.nextUrl.search);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  if (secure) response.headers.set("strict-transport-security", TRANSPORT_SECURITY);
  return response;
}

/** Pages only: a body that passes through here is cut at 10 MB and costs throughput, so webhooks and the API stay out. */
export const config = {
  matcher: ["/((?!api/|webhooks/|sandbox/(?!receiving-app$)|health/|callback$|metrics$|_next/).*)"],
};
