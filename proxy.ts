import { type NextRequest, NextResponse } from "next/server";

/**
 * Tells pages their own address, which Next does not: sign-in leads back to it
 * (lib/auth/require-actor.ts). It decides nothing: who may see a page is asked
 * in the page.
 */
export function proxy(request: NextRequest): NextResponse {
  const headers = new Headers(request.headers);
  headers.set("x-signalbox-path", request.nextUrl.pathname + request.nextUrl.search);
  return NextResponse.next({ request: { headers } });
}

/** Pages only: a body that passes through here is cut at 10 MB and costs throughput, so webhooks and the API stay out. */
export const config = {
  matcher: ["/((?!api/|webhooks/|sandbox/|health/|callback|metrics|_next/|.*\\.).*)"],
};
