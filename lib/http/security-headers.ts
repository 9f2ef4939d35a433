/**
 * Headers of every answer that don't depend on the request. The ones of pages
 * (below) add a Content-Security-Policy with a nonce of its own.
 */
export const STATIC_HEADERS: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "permissions-policy": [
    "accelerometer",
    "browsing-topics",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "usb",
    "xr-spatial-tracking",
  ]
    .map((feature) => `${feature}=()`)
    .join(", "),
};

/** For answers that are no pages: should a browser ever show one, it runs and loads nothing. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** Answers to addresses that hold an authorization code: what the browser asks for next must not say where it came from. */
const CODE_PATHS = ["/callback", "/api/auth/callback/:path*", "/sandbox/oauth/authorize/decision"];
/** Answers that are no pages. Pages get a policy with a nonce in proxy.ts; the sandbox platform's dialog brings its own. */
const DATA_PATHS = ["/api/:path*", "/webhooks/:path*", "/health/:path*", "/sandbox/api/:path*", "/callback", "/metrics"];

/**
 * The headers of each path, as Next's `headers` takes them: of two rules that
 * name the same header the later one holds. They also hold against what a route
 * handler says: Next drops a header of the handler's when a rule has set it
 * (next/dist/server/send-response.js), so a header that depends on the path is
 * set here.
 */
export const HEADER_RULES: { source: string; headers: Record<string, string> }[] = [
  { source: "/:path*", headers: STATIC_HEADERS },
  ...DATA_PATHS.map((source) => ({ source, headers: { "content-security-policy": DATA_POLICY } })),
  ...CODE_PATHS.map((source) => ({ source, headers: { "referrer-policy": "no-referrer" } })),
];

/** Two years, for this host and those below it (RFC 6797). Sent where the public address is https. */
export const TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains";

/** The styles that sonner writes into the page itself, first empty, then with these words; a test holds them against the package. */
const SONNER_STYLES = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

/**
 * The Content-Security-Policy of a page (CSP level 3). Scripts run by nonce
 * alone, and what such a script loads. Style attributes are allowed: they run
 * nothing, and what CSS could load, images and fonts, comes from here alone.
 *
 * @param nonce fresh for each answer, 128 random bits or more
 * @param secure true where the public address is https
 * @param development Next's error overlay wants eval and a web socket there, and Next writes styles into the page itself
 */
export function pagePolicy({ nonce, secure, development }: { nonce: string; secure: boolean; development: boolean }): string {
  const directives: Record<string, string> = {
    "default-src": "'self'",
    "script-src": `'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "script-src-attr": "'none'",
    // A browser that sees a nonce or a hash disregards 'unsafe-inline'.
    "style-src": development ? "'self' 'unsafe-inline'" : `'self' 'nonce-${nonce}' ${SONNER_STYLES}`,
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": development ? "'self' ws:" : "'self'",
    "frame-src": "'none'",
    "worker-src": "'none'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  const parts = Object.entries(directives).map(([name, sources]) => `${name} ${sources}`);
  return [...parts, ...(secure ? ["upgrade-insecure-requests"] : [])].join("; ");
}
