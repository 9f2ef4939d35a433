import { ssoErrorCode } from "#lib/auth/sso/sso-error-code";
import { env } from "#lib/config/env";
import { isAppError } from "#lib/contracts/api/app-error";
import { isDatabaseUnavailable } from "#lib/db/unavailable";
import { problemResponse } from "#lib/http/problem";
import { deviceHashOf, knowDevice } from "./device-cookie.ts";

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

/** Notes an unavailable database before next-auth swallows the error. */
export const notingOutage =
  <Values extends unknown[], Result>(turn: AuthRequest, work: (...values: Values) => Promise<Result>) =>
  async (...values: Values): Promise<Result> => {
    try {
      return await work(...values);
    } catch (error) {
      if (isDatabaseUnavailable(error) || isTooMany(error)) turn.outage = error;
      throw error;
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
