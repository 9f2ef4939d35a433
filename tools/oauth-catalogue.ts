import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { EnvError, resetEnv } from "#lib/config/env";
import { findPlatformServer } from "#lib/platform/authorization-server";
import { authorizationUrl } from "#lib/platform/oauth";

// `node tools/oauth-catalogue.ts providers.yaml`: counts the OAuth 2 providers of NangoHQ/nango's catalogue (packages/providers) that the
// PLATFORM_… settings express, and says why others can't be. The catalogue's licence (Elastic 2.0) keeps it out of this repository.

type Params = Record<string, string | number | boolean>;

/** The fields of an entry that say how its OAuth works. */
export type Provider = {
  alias?: string;
  auth_mode?: string;
  authorization_url?: string;
  authorization_params?: Params;
  authorization_url_fragment?: string;
  authorization_url_replacements?: Record<string, string>;
  authorization_code_param_in_callback?: string;
  authorization_code_param_in_webhook?: string;
  authorization_method?: string;
  alternate_access_token_response_path?: string;
  token_url?: string | Record<string, string>;
  token_params?: Params;
  token_request_auth_method?: string;
  refresh_url?: string;
  refresh_params?: Params;
  scope_separator?: string;
  body_format?: string;
  disable_pkce?: boolean;
  default_scopes?: string[];
};

export type Expressed = { settings: Record<string, string> } | { why: string };

/** What nango does in code of its own (packages/shared/lib/clients/provider.client.ts), which the catalogue's fields don't tell. */
const OWN_PROTOCOL: Record<string, string> = {
  agiloft: "a refresh sends an MD5 of the secret",
  braintree: "tokens come through the provider's own library",
  "braintree-sandbox": "tokens come through the provider's own library",
  "meta-marketing-api": "renewed by exchanging the access token (fb_exchange_token)",
  facebook: "renewed by exchanging the access token (fb_exchange_token)",
  followupboss: "response_type is auth_code, and the exchange repeats the state",
  instagram: "renewed by exchanging the access token, by GET",
  threads: "renewed by exchanging the access token, by GET",
  "microsoft-admin": "an administrator's consent and client credentials: there is no code",
  "tiktok-ads": "client and code have other names in the token request",
  "tiktok-accounts": "client and code have other names in the token request",
  "tiktok-personal": "client and code have other names in the token request",
  "stripe-app": "the secret key is the user name of HTTP Basic",
  "stripe-app-sandbox": "the secret key is the user name of HTTP Basic",
  heygen: "a client without a secret",
  mercury: "a client without a secret",
  "posthog-oauth": "a client without a secret",
  "attio-mcp": "a client without a secret",
  clover: "a refresh has no grant_type and no secret",
  "absorb-lms": "token requests need a header with an API key",
  "revolut-business": "the client signs a JWT instead of sending a secret",
  "shopline-oauth": "token requests are signed with HMAC headers",
  walmart: "the seller's ID is a header of the token request",
  bullhorn: "the user's password goes into the authorization request",
  slack: "token_type is bot or user, and a user's token is inside authed_user",
};

/** Without them the provider issues tokens that live longer, which is no less connected. */
const MAY_BE_LEFT_OUT = ["expires_in", "expiring"];

/** Returns settings that connect the provider, with an example for what each tenant has of its own, or why none do. */
export function expressProvider(name: string, provider: Provider): Expressed {
  const why = OWN_PROTOCOL[name] ?? faultOf(provider);
  if (why) return { why };
  const { authorization_params = {}, scope_separator, default_scopes = [], refresh_url, body_format } = provider;
  const { response_type: _code, scope: ownScope, ...extra } = authorization_params;
  const scopes = ownScope === undefined ? default_scopes : [String(ownScope)];
  const basic = provider.token_request_auth_method === "basic" || provider.authorization_method === "header";
  const token = example(String(provider.token_url));
  const params = new URLSearchParams(Object.entries(extra).map(([key, value]) => [key, example(String(value))])).toString();
  const settings = {
    PLATFORM_AUTHORIZE_URL: example(provider.authorization_url ?? ""),
    PLATFORM_TOKEN_ENDPOINT: token,
    PLATFORM_REFRESH_URL: refresh_url && example(refresh_url) !== token ? example(refresh_url) : "",
    PLATFORM_CLIENT_ID: "the-client",
    PLATFORM_CLIENT_SECRET: "the-secret",
    PLATFORM_SCOPES: scopes.join(" "),
    PLATFORM_SCOPE_SEPARATOR: scope_separator === "," ? "comma" : "space",
    PLATFORM_AUTHORIZE_PARAMS: params,
    PLATFORM_TOKEN_AUTH: basic ? "basic" : "body",
    PLATFORM_TOKEN_BODY: body_format === "json" ? "json" : "form",
    PLATFORM_PKCE: provider.disable_pkce ? "off" : "S256",
  };
  return { settings };
}

function faultOf(provider: Provider): string | null {
  const { authorization_params = {}, authorization_url: url = "" } = provider;
  const type = authorization_params.response_type ?? "code";
  if (!/^https?:/.test(url)) return "there is no authorization URL";
  if (typeof provider.token_url !== "string") return "there is no one token URL";
  if (type !== "code") return `response_type is ${JSON.stringify(type)}`;
  if (provider.authorization_url_replacements) return "parameters of the authorization request have other names";
  if (provider.authorization_url_fragment) return "the authorization URL's path is behind a #";
  if (provider.authorization_code_param_in_callback) return `the code comes back as ${provider.authorization_code_param_in_callback}`;
  if (provider.authorization_code_param_in_webhook) return "the code comes in a webhook";
  if (provider.alternate_access_token_response_path) return "the token is inside another field of the answer";
  if (!["", " ", "+", ","].includes(provider.scope_separator ?? " "))
    return `scopes are joined by ${JSON.stringify(provider.scope_separator)}`;
  if (Object.values(authorization_params).some((value) => /\$\{random\}/.test(String(value))))
    return "each request needs a random parameter";
  if ("launch" in authorization_params) return "each request needs the parameter launch of its own";
  return (
    faultOfTokenRequest("exchange", "authorization_code", provider.token_params) ??
    faultOfTokenRequest("refresh", "refresh_token", provider.refresh_params)
  );
}

function faultOfTokenRequest(what: string, grant: string, { grant_type = grant, ...more }: Params = {}): string | null {
  if (grant_type !== grant) return `the ${what}'s grant_type is ${grant_type}`;
  const names = Object.keys(more).filter((name) => !MAY_BE_LEFT_OUT.includes(name));
  return names.length === 0 ? null : `the ${what} has further fields: ${names.join(", ")}`;
}

/** An installation has one tenant, so what differs from tenant to tenant is written into the setting. Of alternatives, the last. */
function example(template: string): string {
  const last = template.split("||").at(-1)?.trim() ?? "";
  return last.replace(/^\$\{[^}]+\}/, "https://tenant.example").replaceAll(/\$\{[^}]+\}/g, "tenant");
}

/** Sets the settings and compares what Signalbox would ask with what the catalogue wants. @returns what differs; null if nothing */
export async function differenceOf(
  settings: Record<string, string>,
  { authorization_url = "", authorization_params = {} }: Provider,
): Promise<string | null> {
  try {
    resetEnv(settings);
  } catch (error) {
    if (error instanceof EnvError) return error.message.replaceAll(/\s+/g, " ");
    throw error;
  }
  const { authorizeUrl } = await findPlatformServer();
  const asked = new URL(
    await authorizationUrl({
      workspaceId: "w",
      authorizeUrl,
      state: "s",
      verifier: null,
      redirectUri: "https://r.example",
      scopes: ["one"],
    }),
  );
  const wanted = new URL(example(authorization_url));
  if (asked.origin + asked.pathname !== wanted.origin + wanted.pathname) return "the authorization URL differs";
  const expected = [...wanted.searchParams, ...Object.entries(authorization_params).filter(([name]) => name !== "scope")];
  const missing = expected.filter(([name, value]) => asked.searchParams.get(name) !== example(String(value)));
  return missing.length === 0 ? null : `the authorization request lacks ${missing.map(([name]) => name).join(", ")}`;
}

/** Reads the catalogue's OAuth 2 providers; an alias has what it does not say itself from the other. */
export function readCatalogue(text: string): [string, Provider][] {
  const all: Record<string, Provider> = parse(text);
  const whole = (entry: Provider | undefined): Provider => (entry?.alias ? { ...whole(all[entry.alias]), ...entry } : { ...entry });
  const providers = Object.entries(all).map(([name, entry]): [string, Provider] => [name, whole(entry)]);
  return providers.filter(([, { auth_mode }]) => auth_mode === "OAUTH2");
}

async function count(file: string): Promise<void> {
  const providers = readCatalogue(readFileSync(file, "utf8"));
  const reasons: string[] = [];
  for (const [name, provider] of providers) {
    const expressed = expressProvider(name, provider);
    const why = "why" in expressed ? expressed.why : await differenceOf(expressed.settings, provider);
    if (why) reasons.push(`${name}: ${why}`);
  }
  process.stdout.write(`${reasons.join("\n")}\n${providers.length - reasons.length} of ${providers.length} can be expressed\n`);
}

if (import.meta.main) {
  const [, , file] = process.argv;
  if (!file) throw new Error("Name the catalogue: packages/providers/providers.yaml of github.com/NangoHQ/nango");
  await count(file);
}
