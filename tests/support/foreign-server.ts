import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { makeAccount } from "./account.ts";
import { actorOf, begin } from "./platform-connection.ts";

/** An authorization server that we did not write (oidc-provider), with one app registered and one person who approves. */
export type ForeignServer = {
  issuer: string;
  client: { id: string; secret: string };
  /** Events of the server, in order: `grant.success`, `grant.revoked`, `grant.error` … */
  events: string[];
  close: () => void;
};

const CLIENT = { id: "signalbox", secret: "a-secret-that-only-the-tests-know-of" };

/** Its characters come through HTTP Basic only as RFC 6749 section 2.3.1 encodes them. */
const BASIC_CLIENT = { id: "signalbox:basic", secret: "a secret: 100% only + the tests' & yours" };

/** `basic`: the client is taken by HTTP Basic alone, and all paths are the server's own. */
type Kind = "post" | "basic";

/** Starts it on a free port. It demands PKCE, rotates refresh tokens, and takes forms alone. */
export async function startForeignServer(redirectUri: string, scopes: string[], kind: Kind = "post"): Promise<ForeignServer> {
  const events: string[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration(redirectUri, scopes, kind));
  for (const name of ["grant.success", "grant.error", "grant.revoked", "refresh_token.consumed", "authorization.success"])
    provider.on(name, () => void events.push(name));
  const answer = provider.callback();
  handle = (request, response) =>
    request.url?.startsWith("/interaction/") ? approve(provider, request, response) : answer(request, response);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { issuer, client: clientOf(kind), events, close };
}

const clientOf = (kind: Kind) => (kind === "basic" ? BASIC_CLIENT : CLIENT);

function configuration(redirectUri: string, scopes: string[], kind: Kind): Record<string, unknown> {
  const { id, secret } = clientOf(kind);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: id,
        client_secret: secret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: `client_secret_${kind}`,
        scope: scopes.join(" "),
      },
    ],
    scopes,
    ...(kind === "basic"
      ? { clientAuthMethods: ["client_secret_basic"] }
      : { routes: { authorization: "/oauth/authorize", token: "/oauth/token", revocation: "/oauth/revoke" } }),
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: async (_context: unknown, accountId: string) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
    cookies: { keys: ["a-key-of-the-tests"] },
    ttl: { AccessToken: 300, RefreshToken: 86_400, Grant: 86_400, Session: 600, Interaction: 600, IdToken: 300 },
  };
}

/** The person: signs in as Ada and approves whatever is asked. */
async function approve(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") return provider.interactionFinished(request, response, { login: { accountId: "ada" } });
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  grant.addOIDCScope(String(params.scope));
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** A browser with cookies that follows redirects until it is sent to `until`. @returns that address */
export async function browse(start: string, until: string): Promise<URL> {
  const jar = new Map<string, string>();
  let address = new URL(start);
  for (let hop = 0; hop < 20; hop += 1) {
    if (address.href.startsWith(until)) return address;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(address, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";")[0]?.split("=") ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get("location");
    if (!location) throw new Error(`${address.pathname} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    address = new URL(location, address);
  }
  throw new Error("redirected without end");
}

/** A person who connects, through both servers, as a browser would. */
export async function connectElsewhere(redirectUri: string, callback: (request: Request) => Promise<Response>) {
  const account = await makeAccount();
  const actor = await actorOf(account);
  const { connectionId: id, url } = await begin(actor, { name: "Elsewhere" });
  const back = await browse(url.href, redirectUri);
  const answer = await callback(new Request(back, { headers: { cookie: account.cookie } }));
  return { actor, id, url, back, answer, outcome: new URL(answer.headers.get("location") ?? "").searchParams.get("outcome") };
}
