import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";

/** `detail` is shown to people and holds no secret. */
export class ForwardError extends Error {
  override name = "ForwardError";
  readonly outcome: AttemptOutcome;

  constructor(outcome: AttemptOutcome, detail: string) {
    super(detail);
    this.outcome = outcome;
  }
}

const FIXES: Record<AttemptOutcome, string> = {
  delivered: "Nothing to do.",
  refused: "Change the URL. A private target has to stand in FORWARD_ALLOW: add it, and restart web and worker.",
  unknown_host: "Check the spelling of the host name and its DNS record.",
  connection_refused: "Start the application, or open the port in its firewall.",
  connect_timeout: "Check that the host is up and that its firewall allows connections from Signalbox, or from FORWARD_PROXY.",
  unreachable: "Check the route and the firewall between Signalbox, or FORWARD_PROXY, and the host.",
  tls_expired: "Renew the certificate.",
  tls_untrusted: "Install a certificate of a public authority, with its intermediate certificates.",
  tls_wrong_host: "Install a certificate that names this host.",
  tls_failed: "Check that the port speaks TLS 1.2 or newer.",
  timeout: "Respond first and do the work afterwards: Signalbox waits 15 seconds for a response.",
  connection_reset: "Check the log of the application or its proxy: it closed the connection without a response.",
  malformed_answer: "The target did not respond in valid HTTP. Check that the URL names a web server.",
  redirected: "Set the destination's URL to the final address. Redirects are not followed.",
  gone: "Make the URL accept events again, or change it. Then resume the destination.",
  rejected: "The target rejected the request. Check its response, its log and the secret.",
  rate_limited: "The target is limiting requests. Set a lower rate for the destination.",
  server_error: "The application failed. Check its log.",
  filter_too_costly: "Simplify the destination's filter, or use $in instead of $or. Then send the event again if it is needed.",
  proxy_failed: "Check FORWARD_PROXY. This doesn't count as a failure of the target.",
};

export const fixOf = (outcome: AttemptOutcome): string => FIXES[outcome];

/** A test suspends nothing. */
export const fixOfTest = (outcome: AttemptOutcome): string =>
  outcome === "gone"
    ? "Make the URL accept events, or change it. A delivery that is answered 410 suspends the destination."
    : fixOf(outcome);

const STATUS_OUTCOMES: Record<number, AttemptOutcome> = { 410: "gone", 429: "rate_limited" };

export function outcomeOfStatus(status: number, location: string | null): { outcome: AttemptOutcome; detail: string } {
  if (status >= 200 && status < 300) return { outcome: "delivered", detail: `Answered ${status}` };
  if (status >= 300 && status < 400)
    return {
      outcome: "redirected",
      detail: `Answered ${status}${location === null ? "" : ` with a redirect to ${location.slice(0, 500)}`}`,
    };
  return { outcome: STATUS_OUTCOMES[status] ?? (status < 500 ? "rejected" : "server_error"), detail: `Answered ${status}` };
}

const SYSTEM_ERRORS: Record<string, [AttemptOutcome, string]> = {
  ECONNREFUSED: ["connection_refused", "The host refused the connection"],
  ETIMEDOUT: ["connect_timeout", "The host did not accept the connection in time"],
  EHOSTUNREACH: ["unreachable", "The host can't be reached"],
  ENETUNREACH: ["unreachable", "The host's network can't be reached"],
  EADDRNOTAVAIL: ["unreachable", "The host's network can't be reached"],
  EACCES: ["unreachable", "This machine does not allow the connection"],
  ECONNRESET: ["connection_reset", "The connection was reset before a response arrived"],
  EPIPE: ["connection_reset", "The connection was closed before the request was sent"],
  UND_ERR_SOCKET: ["connection_reset", "The connection was closed before a response arrived"],
  CERT_HAS_EXPIRED: ["tls_expired", "The certificate has expired"],
  CERT_NOT_YET_VALID: ["tls_untrusted", "The certificate is not valid yet"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls_wrong_host", "The certificate is for another host"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["tls_untrusted", "The certificate is self-signed"],
  SELF_SIGNED_CERT_IN_CHAIN: ["tls_untrusted", "The certificate's authority is self-signed and not trusted"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    "tls_untrusted",
    "The certificate's authority is not trusted, or an intermediate certificate is missing",
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    "tls_untrusted",
    "The certificate's authority is not trusted, or an intermediate certificate is missing",
  ],
};

export function forwardErrorOf(error: unknown): ForwardError {
  if (error instanceof ForwardError) return error;
  const { code: raw, message } = error as { code?: unknown; message?: string };
  const code = String(raw ?? "");
  if (code === "UND_ERR_SOCKET" && /^bad (upgrade|response)/.test(message ?? ""))
    return new ForwardError("malformed_answer", "The response is not valid HTTP (a response to no request)");
  const known = SYSTEM_ERRORS[code];
  if (known) return new ForwardError(...known);
  if (/^ERR_(SSL|TLS)|^EPROTO$/.test(code)) return new ForwardError("tls_failed", "The TLS handshake failed");
  if (code === "UND_ERR_HEADERS_OVERFLOW") return new ForwardError("malformed_answer", "The response's headers are longer than 16 kB");
  if (/^HPE_|^UND_ERR/.test(code)) return new ForwardError("malformed_answer", `The response is not valid HTTP (${code})`);
  return new ForwardError("malformed_answer", `No usable response arrived (${code || (message ?? "unknown").slice(0, 100)})`);
}
