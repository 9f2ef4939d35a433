import { ssoErrorCode } from "#lib/auth/sso/sso-error-code";
import { env } from "#lib/config/env";
import { isAppError } from "#lib/contracts/api/app-error";
import { isDatabaseUnavailable } from "#lib/db/unavailable";
import { problemResponse } from "#lib/http/problem";
import { deviceHashOf, knowDevice } from "./device-cookie.ts";

/**
 * One request to next-auth: what its callbacks learn of it on the way, which
 * next-auth itself passes to nobody.
 */
export type AuthRequest = {
  headers: Headers;
  receivedAt: Date;
  deviceHash: string | null;
  /** Sign-in method of the session that begins in this request. */
  method: "password" | "sso";
  /** The user who signed in. */
  userId: string | null;
  /** The session that begins waits for a second factor. */
  waits: boolean;
  /** Single sign-on has ended the account's password in this turn. */
  passwordEnded: boolean;
  /** Why next-auth rejected the single sign-on provider's answer: its library's message. */
  fault: string | null;
  /** Why this request can't be decided now (no database, too many at once): next-auth would turn it into a rejected sign-in, or an ended session. */
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

/** Runs what next-auth calls us for. An unavailable database is noted in the turn before next-auth sees the error. */
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

/**
 * Completes next-auth's answer: a browser that signed in is known from now on,
 * and a rejected answer of the provider says why. While the database
 * is unavailable it is a 503 instead, which changes no cookie.
 */
export async function finishAuthRequest(turn: AuthRequest, answer: Response): Promise<Response> {
  if (turn.outage) return unavailable(turn.outage);
  // A user with the password alone makes no browser a known one: its tries at the second factor would count apart.
  if (turn.userId && !turn.waits) answer.headers.append("set-cookie", await knowDevice(turn.headers, turn.userId, turn.receivedAt));
  const location = answer.headers.get("location");
  // The account's page says what has ended, and why.
  if (turn.passwordEnded && location && !/[?&]error=/.test(location))
    answer.headers.set("location", `${env().APP_URL}/settings/account?password=ended`);
  // next-auth says `Callback` when the provider itself sent an error, `OAuthCallback` when the answer was not right.
  if (turn.fault && location)
    answer.headers.set("location", location.replace(/error=(OAuth)?Callback\b/, `error=${ssoErrorCode(turn.fault)}`));
  return answer;
}

/** A problem with `url` beside it: that is where next-auth's client looks for an error's code. */
async function unavailable(outage: unknown): Promise<Response> {
  const problem = problemResponse(outage);
  const body = { ...(await problem.json()), url: `${env().APP_URL}/sign-in?error=unavailable` };
  return new Response(JSON.stringify(body), { status: problem.status, headers: problem.headers });
}
