import { expect, test } from "vitest";
import { finishAuthRequest, newAuthRequest } from "#lib/auth/sign-in/auth-request";

test.each([
  ["http://localhost:3000/sign-in?error=unavailable", "http://localhost:3000/sign-in?error=unavailable"],
  ["http://localhost:3000/events", "http://localhost:3000/settings/account?password=ended"],
])("a sign-in that ended a password and leads to %s leads to %s", async (location, expected) => {
  const turn = { ...newAuthRequest(new Headers(), new Date()), passwordEnded: true };
  const answer = await finishAuthRequest(turn, new Response(null, { status: 302, headers: { location } }));
  expect(answer.headers.get("location")).toBe(expected);
});
