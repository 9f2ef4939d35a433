import type { Problem } from "../../../../lib/contracts/api/problem.ts";
import { commandLinePath } from "../../../../lib/contracts/command-line-package.ts";
import { CliError, EXIT } from "../output/exit.ts";
import type { Target } from "../settings.ts";
import { ownVersion } from "../version.ts";
import { proxyVariable } from "./through-proxy.ts";

export class ApiFailure extends CliError {
  readonly status: number;
  readonly code: string;

  constructor(
    message: string,
    hint: string | undefined,
    { status = 0, code = "" }: { status?: number | undefined; code?: string | undefined },
  ) {
    super(message, { hint });
    this.status = status;
    this.code = code;
  }
}

/** The server can't be reached: worth another try. */
export class Unreachable extends CliError {}

const CAUSES: Record<string, string> = {
  ECONNREFUSED: "nothing is listening there (connection refused)",
  ENOTFOUND: "the host name can't be found",
  EAI_AGAIN: "the host name can't be looked up right now",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ETIMEDOUT: "no response in time",
  UND_ERR_CONNECT_TIMEOUT: "no response in time",
  EHOSTUNREACH: "the host is unreachable",
  ENETUNREACH: "the network is unreachable",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed (NODE_EXTRA_CA_CERTS adds a CA)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is from an unknown CA (NODE_EXTRA_CA_CERTS adds one)",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate can't be verified (NODE_EXTRA_CA_CERTS adds a CA)",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
};

export function explainUnreachable(url: string, error: unknown): Unreachable {
  const proxy = proxyVariable(url);
  const through =
    proxy && `${proxy} sets a proxy: check that it is running and allows this connection. NO_PROXY lists hosts that need no proxy.`;
  return new Unreachable(`Can't reach ${url}: ${networkCause(error)}.`, {
    hint: through ?? "Check that Signalbox is running there. To use another URL: --url, SIGNALBOX_URL, or signalbox login URL.",
  });
}

export function networkCause(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string; errors?: { code?: string }[] } };
  if (name === "TimeoutError") return "no response in time";
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? (error as NodeJS.ErrnoException).code ?? "";
  return CAUSES[code] ?? (cause?.message || message);
}

export const noKey = (url: string): CliError =>
  new CliError(`There is no API key for ${url}.`, {
    hint: "Run signalbox login, or set SIGNALBOX_API_KEY. To use another URL: --url or SIGNALBOX_URL.",
  });

export const notEncrypted = (url: string): CliError =>
  new CliError(`${url} is not encrypted, so the API key could be intercepted.`, {
    hint: `Use ${url.replace(/^http:/, "https:")}. On a private network: --allow-http, or SIGNALBOX_ALLOW_HTTP=1.`,
    exitCode: EXIT.usage,
  });

export const notSignalbox = (url: string, status: number): CliError =>
  new CliError(`${url} answered ${status}, but not with a Signalbox response.`, { hint: "Check the URL and any proxies in between." });

export const unexpectedAnswer = (url: string, version: string | null): CliError =>
  new CliError(`${url} sent a response that this command does not understand.`, { hint: versionHint(url, version) });

/** Explains a problem (RFC 9457) of the API. Its `detail` is written for people. */
export function explainProblem({ url, keyFrom }: Target, problem: Partial<Problem>, path: string, version: string | null): ApiFailure {
  const { status, code, title, detail } = problem;
  const say = (message: string, hint?: string) => new ApiFailure(message, hint, { status, code });
  const words = detail ?? title ?? `${url} answered ${status}.`;
  if (status === 401) {
    const expired = detail !== undefined && /expired/.test(detail);
    const hint = `It is from ${keyFrom}. Create another under ${url}/settings/keys, then run: signalbox login ${url}`;
    return say(
      expired ? words : `${url} does not accept the API key: it is mistyped, was revoked, or belongs to another installation.`,
      hint,
    );
  }
  if (status === 403) return say(words, `To see what each role can do: ${url}/settings/roles`);
  if (status === 404 && /^The API has no such URL/.test(detail ?? "")) return say(`${url} has no ${path}.`, versionHint(url, version));
  if (status === 429) return say(words, "Other programs may be using the same key. API_REQUESTS_PER_MINUTE sets the limit.");
  return say(words);
}

function versionHint(url: string, version: string | null): string {
  const own = ownVersion();
  if (version === own) return `Both are version ${own}. Please report this.`;
  if (version === null)
    return `This command is version ${own}; the server is probably older. Update the server, or use its version of the command.`;
  return `The server is version ${version}, this command ${own}. Use the command of the server's version: npx ${url}${commandLinePath(version)}`;
}
