import { deviceHashOf, knowDevice } from "#lib/auth/credentials";
import { env } from "#lib/config/env";
import { isAppError } from "#lib/contracts/api/app-error";
import { isDatabaseUnavailable } from "#lib/db/unavailable";
import { problemResponse } from "#lib/http/problem";
import { logger } from "#lib/observability/logger";

/** Collects what next-auth's callbacks learn of a request: next-auth itself passes it to nobody. */
export type AuthRequest = {
  headers: Headers;
  receivedAt: Date;
  deviceHash: string | null;
  method: "password" | "sso";
  userId: string | null;
  waits: boolean;
  /** Single sign-on ended the account's password in this request. */
  passwordEnded: boolean;
  /** next-auth's message on why it rejected the provider's answer. */
  fault: string | null;
  /** Why the request can't be decided now (no database, too many): next-auth would turn it into a rejection or an ended session. */
  outage: unknown;
};

export const newAuthRequest = (headers: Headers, receivedAt: Date): AuthRequest => ({
  headers,
  receivedAt,
  deviceHash: deviceHashOf(headers),
  method: "password",
  userId: null,
  waits: false,
  passwordEnded: false,
  fault: null,
  outage: null,
});

const isTooMany = (error: unknown) => isAppError(error) && error.code === "too_many_requests";

/** What our own code throws for next-auth: it puts an error's message into the address bar. */
const CODE = /^[a-z_]+$/;

/** Notes an unavailable database before next-auth swallows the error, and logs what nobody expected, of which the browser gets a code. */
export const notingOutage =
  <Values extends unknown[], Result>(turn: AuthRequest, work: (...values: Values) => Promise<Result>) =>
  async (...values: Values): Promise<Result> => {
    try {
      return await work(...values);
    } catch (error) {
      if (error instanceof Error && CODE.test(error.message)) throw error;
      // Not logged here: anyone can cause too many requests, as often as they like.
      if (isDatabaseUnavailable(error) || isTooMany(error)) turn.outage = error;
      else logger().error({ err: error }, "sign-in failed with an internal error");
      throw new Error(turn.outage ? "unavailable" : "internal");
    }
  };

/** Completes next-auth's answer: marks the browser as known, names the provider's fault; in an outage a 503 that changes no cookie. */
export async function finishAuthRequest(turn: AuthRequest, answer: Response): Promise<Response> {
  if (turn.outage) return unavailable(turn.outage);
  // A password alone makes no browser known: its tries at the second factor would count apart.
  if (turn.userId && !turn.waits) answer.headers.append("set-cookie", await knowDevice(turn.headers, turn.userId, turn.receivedAt));
  const location = answer.headers.get("location");
  if (turn.passwordEnded && location && !/[?&]error=/.test(location))
    answer.headers.set("location", `${env().APP_URL}/settings/account?password=ended`);
  // next-auth says `Callback` for an error of the provider, `OAuthCallback` for a wrong answer.
  if (turn.fault && location)
    answer.headers.set("location", location.replace(/error=(OAuth)?Callback\b/, `error=${ssoErrorCode(turn.fault)}`));
  return answer;
}

/** Adds `url` to the problem: next-auth's client reads the error's code there. */
async function unavailable(outage: unknown): Promise<Response> {
  const problem = problemResponse(outage);
  const body = { ...(await problem.json()), url: `${env().APP_URL}/sign-in?error=unavailable` };
  return new Response(JSON.stringify(body), { status: problem.status, headers: problem.headers });
}

/** Codes that lib/client/queries/sign-in.ts has messages for. */
type SsoErrorCode = "SsoNotBegun" | "SsoAlgorithm" | "SsoForged" | "SsoExpired" | "SsoDenied" | "OAuthCallback";

/** Messages of openid-client, jose and next-auth, by the cause that a person can fix. */
const CAUSES: [RegExp, SsoErrorCode][] = [
  // No cookie: the answer was used before, or the sign-in is older than 15 minutes or began in another browser.
  [/cookie was missing/i, "SsoNotBegun"],
  [/"exp" claim|id_token expired|JWT expired|invalid_grant|JWT not active/i, "SsoExpired"],
  [/unexpected JWT alg/i, "SsoAlgorithm"],
  [/access_denied|consent_required|login_required|interaction_required/i, "SsoDenied"],
  [
    /mismatch|missing from the response|signature|unexpected iss|unexpected JWT|decryption|could not be parsed|aud |azp |at_hash/i,
    "SsoForged",
  ],
];

export const ssoErrorCode = (fault: string): SsoErrorCode => CAUSES.find(([words]) => words.test(fault))?.[1] ?? "OAuthCallback";
