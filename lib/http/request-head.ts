import { AppError } from "#lib/contracts/api/app-error";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** `uri-host [ ":" port ]` (RFC 3986 section 3.2.2), not empty. */
const HOST = /^(?:\[[0-9a-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(?::\d{0,5})?$/i;
/** A segment `.` or `..`, also encoded and between backslashes, which URL parsers take for slashes. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?=[/\\?#]|$)/i;
const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/i;

/**
 * Returns the path and query. An absolute target (RFC 9112 section 3.2.2) becomes a path, so that no redirect is built from it. Throws
 * `invalid_request` also for dot segments, which clients resolve (RFC 3986 section 5.2.4): here they would leave a prefix that a proxy
 * publishes.
 */
export function pathOf(target: string, hosts: readonly string[]): string {
  const path = withoutAuthority(target, hosts);
  if (!DOT_SEGMENT.test(path.split(/[?#]/, 1)[0] ?? "")) return path;
  throw new AppError("invalid_request", "The path contains a segment . or .., which is not followed. Send the path without it.");
}

function withoutAuthority(target: string, hosts: readonly string[]): string {
  const [host] = hosts;
  if (hosts.length > 1) throw new AppError("invalid_request", "Send the Host header once.");
  // HTTP/1.0 has no Host; later requests without one get 400 from Node's server itself.
  if (host !== undefined && !HOST.test(host)) throw new AppError("invalid_request", "The Host header is not a host name.");
  if (target.startsWith("/")) return target;
  const [, scheme, authority = "", rest = ""] = ABSOLUTE.exec(target) ?? [];
  if (!scheme) throw new AppError("invalid_request", "The request target must be a path that begins with a slash.");
  if (authority.toLowerCase() !== host?.toLowerCase())
    throw new AppError("invalid_request", "The request target names a different host than the Host header.");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Rejects bodies whose end two servers could see in two places (request smuggling, RFC 9112 section 6.1): codings except `chunked`. */
export function assertFraming(httpVersion: string, transferEncoding: string | undefined): void {
  if (transferEncoding === undefined) return;
  if (httpVersion === "1.0" || transferEncoding.trim().toLowerCase() !== "chunked")
    throw new AppError("invalid_request", "The only supported transfer coding is chunked, in HTTP/1.1.");
}

/** Rejects methods and paths that no route takes, before Next answers them with an error of its own. */
export function rejectHead(method: string, path: string): { error: AppError; headers: Record<string, string> } | null {
  if (!METHODS.includes(method)) {
    const error = new AppError("method_not_allowed", `No URL accepts the method ${method}.`);
    return { error, headers: { allow: METHODS.join(", ") } };
  }
  if (isDecodable(path)) return null;
  return { error: new AppError("invalid_request", "The path contains a % that is not followed by a UTF-8 character."), headers: {} };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path.split("?", 1)[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

/** True if a person looks at the answer: a browser opens the URL. Programs don't ask for HTML. */
export const isPageRequest = (headers: Headers): boolean => headers.get("accept")?.includes("text/html") ?? false;
