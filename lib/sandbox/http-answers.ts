import type { RouteDeclaration } from "#lib/api/route-declaration";
import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import { problemResponse } from "#lib/http/problem";
import { isPageRequest } from "#lib/http/request-head";
import type { Answer } from "./oauth/token-endpoint.ts";

/** Wraps a route handler of the sandbox platform: it answers 404 while the sandbox is off. Keeps the handler's `declaration`. */
export function whileSandboxOn<A extends unknown[]>(handler: RouteHandler<A>): RouteHandler<A> {
  const guarded = async (...input: A): Promise<Response> => {
    if (!env().sandboxOn) return whileOff(input[0]);
    try {
      return await handler(...input);
    } catch (error) {
      return problemResponse(error);
    }
  };
  return Object.assign(guarded, handler);
}

/** Sends a person with an old link to the connections page, which says what is missing; a program gets a problem. */
function whileOff(request: unknown): Response {
  const isPage = request instanceof Request && request.method === "GET" && isPageRequest(request.headers);
  if (isPage) return redirectResponse(`${env().APP_URL}/connections`);
  return problemResponse(new AppError("not_found", "The sandbox platform is disabled."));
}

type RouteHandler<A extends unknown[]> = ((...input: A) => Promise<Response>) & { declaration?: RouteDeclaration };

/** Answers without caching (RFC 6749 section 5.1). */
export function answerResponse({ status, body }: Answer): Response {
  const headers = new Headers({ "cache-control": "no-store", pragma: "no-cache" });
  if (status === 401) headers.set("www-authenticate", 'Basic realm="sandbox platform"');
  if (body === null) return new Response(null, { status, headers });
  if (typeof body === "string") {
    headers.set("content-type", "text/html");
    return new Response(body, { status, headers });
  }
  return Response.json(body, { status, headers });
}

/** Redirects with GET (RFC 9700 section 4.12: 303, so that a form's fields are not sent along). */
export function redirectResponse(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

/** Answers a page that runs no script, loads nothing but the icon in it, and can't be framed. */
export function pageResponse(html: string, status: number, cookie?: string): Response {
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": `default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'self' ${new URL(env().APP_URL).origin}; frame-ancestors 'none'; base-uri 'none'`,
  });
  if (cookie) headers.append("set-cookie", cookie);
  return new Response(html, { status, headers });
}
