import { deviceHashOf, knowDevice } from "./device-cookie.ts";
import { ssoRefusal } from "./sso-refusal.ts";

/**
 * One request to next-auth: what its callbacks learn of it on the way, which
 * next-auth itself passes to nobody.
 */
export type SignInTurn = {
  headers: Headers;
  deviceHash: string | null;
  /** How the session that begins in this turn was signed in. */
  method: "password" | "sso";
  /** Who signed in. */
  userId: string | null;
  /** Why next-auth refused the single sign-on provider's answer, in its library's words. */
  fault: string | null;
};

export const newTurn = (headers: Headers): SignInTurn => ({
  headers,
  deviceHash: deviceHashOf(headers),
  method: "password",
  userId: null,
  fault: null,
});

/**
 * Completes next-auth's answer: a browser that signed in is known from now on,
 * and an answer of the provider that was refused says why.
 */
export async function finishTurn(turn: SignInTurn, answer: Response): Promise<Response> {
  if (turn.userId) answer.headers.append("set-cookie", await knowDevice(turn.headers, turn.userId, new Date()));
  const location = answer.headers.get("location");
  // next-auth says `Callback` when the provider itself sent an error, `OAuthCallback` when the answer was not right.
  if (turn.fault && location)
    answer.headers.set("location", location.replace(/error=(OAuth)?Callback\b/, `error=${ssoRefusal(turn.fault)}`));
  return answer;
}
