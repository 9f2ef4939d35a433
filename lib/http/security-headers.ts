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

/** For answers that are no pages: if a browser shows one, it runs and loads nothing. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

/** URLs that hold an authorization code: the browser's next request must not name them as its referrer. */
const CODE_PATHS = ["/callback", "/api/auth/callback/:path*", "/sandbox/oauth/authorize/decision"];
/** Answers that are no pages. Pages get a policy with a nonce in proxy.ts; the sandbox platform's dialog has its own. */
const DATA_PATHS = ["/api/:path*", "/webhooks/:path*", "/health/:path*", "/sandbox/api/:path*", "/callback", "/metrics"];

/** The later of two rules wins, even over a route handler's own header (next/dist/server/send-response.js). */
export const HEADER_RULES: { source: string; headers: Record<string, string> }[] = [
  { source: "/:path*", headers: STATIC_HEADERS },
  ...DATA_PATHS.map((source) => ({ source, headers: { "content-security-policy": DATA_POLICY } })),
  ...CODE_PATHS.map((source) => ({ source, headers: { "referrer-policy": "no-referrer" } })),
];

/** Two years, for this host and its subdomains (RFC 6797). Sent if the public URL is https. */
export const TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains";

/** Styles that sonner writes into the page: first empty, then with this text; a test compares them with the package. */
const SONNER_STYLES = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

/**
 * Returns a page's policy: scripts run only by nonce (128 random bits or more). Style attributes run nothing, and images and fonts come
 * only from here. In development Next's error overlay needs eval and a web socket, and Next writes styles into the page.
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
