import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT } from "jose";
import Provider from "oidc-provider";

/** Person who signs in at the provider, as the provider knows this person: what its userinfo URL says. */
export type SsoPerson = { sub: string; email?: string; email_verified?: boolean; name?: unknown; roles?: unknown };

/** Fault of the ID token. */
export type TokenFault =
  | "signed by another key"
  | "another nonce"
  | "another issuer"
  | "another audience"
  | "expired"
  | "signed with HS256";

/** A provider that we did not write (oidc-provider): it demands PKCE; its people approve without a word. */
export type SsoProvider = {
  /** Person who signs in next. */
  person: SsoPerson;
  /** What the ID token says of the person besides. */
  inIdToken: Omit<SsoPerson, "sub">;
  userinfoFails: boolean;
  /** Fault of the next ID token; null for none. */
  fault: TokenFault | null;
  /** Time until it answers the token request, in milliseconds. */
  delayMs: number;
  /** The last authorization request's parameters. */
  asked: URLSearchParams;
  issuer: string;
  close: () => void;
};

const newKey = () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

/** An application that it knows: with which credentials, and where it is. */
type SsoClient = { id: string; secret: string; appUrl: string };

/** Starts it for one application. @param port 0 for a free one */
export async function startSsoProvider(client: SsoClient, port = 0): Promise<SsoProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = newKey();
  const people = new Map<string, SsoPerson>();
  const state: SsoProvider = {
    person: { sub: "nobody", email: "nobody@example.com", email_verified: true, name: "Nobody" },
    inIdToken: {},
    userinfoFails: false,
    fault: null,
    delayMs: 0,
    asked: new URLSearchParams(),
    issuer,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const provider = new Provider(issuer, configuration(client, key, people, state));
  const answer = provider.callback();
  server.on("request", (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/auth") state.asked = url.searchParams;
    if (url.pathname.startsWith("/interaction/")) return void approve(provider, state, people, request, response);
    if (url.pathname === "/me" && state.userinfoFails) return void response.writeHead(503).end();
    if (url.pathname === "/token" && state.fault) return void answerWrongly(state, state.fault, client.id, key, response);
    if (url.pathname === "/token") return void setTimeout(() => void answer(request, response), state.delayMs);
    return void answer(request, response);
  });
  return state;
}

const configuration = (client: SsoClient, key: KeyObject, people: Map<string, SsoPerson>, state: SsoProvider): Record<string, unknown> => ({
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: [`${client.appUrl}/api/auth/callback/oidc`],
      response_types: ["code"],
      grant_types: ["authorization_code"],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "roles"] },
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  findAccount: async (_context: unknown, accountId: string) => ({
    accountId,
    claims: async (use: string) =>
      use === "id_token" ? { ...state.inIdToken, sub: accountId } : (people.get(accountId) ?? { sub: accountId }),
  }),
  jwks: { keys: [{ ...key.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "k1" }] },
  cookies: { keys: ["a-key-of-the-tests"] },
  ttl: { AccessToken: 300, Grant: 600, Session: 600, Interaction: 600, IdToken: 300, AuthorizationCode: 60 },
});

async function approve(
  provider: Provider,
  { person }: SsoProvider,
  people: Map<string, SsoPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  people.set(person.sub, person);
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") return provider.interactionFinished(request, response, { login: { accountId: person.sub } });
  const grant = new provider.Grant({ accountId: session?.accountId, clientId: params.client_id });
  grant.addOIDCScope(String(params.scope));
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

/** The token endpoint of an attacker, or of a provider whose clock is wrong. */
async function answerWrongly(
  { person, asked, issuer }: SsoProvider,
  fault: TokenFault,
  clientId: string,
  key: KeyObject,
  response: ServerResponse,
) {
  const now = Math.floor(Date.now() / 1000);
  const claims = { ...person, nonce: fault === "another nonce" ? "somebody-else's" : asked.get("nonce") };
  const idToken = await new SignJWT(claims)
    .setProtectedHeader(fault === "signed with HS256" ? { alg: "HS256" } : { alg: "RS256", kid: "k1" })
    .setIssuer(fault === "another issuer" ? "http://127.0.0.1:1" : issuer)
    .setAudience(fault === "another audience" ? "another-app" : clientId)
    .setIssuedAt(fault === "expired" ? now - 7200 : now)
    .setExpirationTime(fault === "expired" ? now - 3600 : now + 300)
    .sign(fault === "signed with HS256" ? new Uint8Array(32) : fault === "signed by another key" ? newKey() : key);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ access_token: "a", token_type: "Bearer", expires_in: 300, id_token: idToken }));
}
