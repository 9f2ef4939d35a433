import { TEST_ENV } from "#tests/support/environment";
import { POST as decision } from "../../../app/sandbox/oauth/authorize/decision/route.ts";
import { GET as authorize } from "../../../app/sandbox/oauth/authorize/route.ts";
import { POST as revoke } from "../../../app/sandbox/oauth/revoke/route.ts";
import { POST as token } from "../../../app/sandbox/oauth/token/route.ts";

/** A person with a browser, and an app, both against the sandbox platform's route handlers. */

export const CALLBACK = `${TEST_ENV.APP_URL}/callback`;
export const APP = { client_id: "signalbox-sandbox", client_secret: "sandbox-client-secret" };
const BASE = `${TEST_ENV.APP_URL}/sandbox/oauth`;

const ASKED = { client_id: APP.client_id, redirect_uri: CALLBACK, response_type: "code", scope: "documents:read tasks:read", state: "st" };

/** Opens the permission dialog. */
export const openDialog = (changes: Record<string, string> = {}, cookie = ""): Promise<Response> =>
  authorize(new Request(`${BASE}/authorize?${new URLSearchParams({ ...ASKED, ...changes })}`, { headers: { cookie } }));

/** The dialog's signed field and the cookie that came with it. */
export async function readDialog(dialog: Response): Promise<{ ticket: string; cookie: string }> {
  const ticket = /name="ticket" value="([^"]+)"/.exec(await dialog.text())?.[1] ?? "";
  return { ticket, cookie: (dialog.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
}

/** Presses a button of the dialog. */
export const press = (fields: Record<string, string>, cookie: string): Promise<Response> =>
  decision(new Request(`${BASE}/authorize/decision`, { method: "POST", body: new URLSearchParams(fields), headers: { cookie } }));

/** Opens the dialog, chooses, and returns the parameters that the callback gets. */
export async function choose(fields: Record<string, string>, changes: Record<string, string> = {}): Promise<URLSearchParams> {
  const { ticket, cookie } = await readDialog(await openDialog(changes));
  const answer = await press({ ticket, decision: "approve", account: "acme", ...fields }, cookie);
  return new URL(answer.headers.get("location") ?? "").searchParams;
}

/** Approves and returns the code. */
export async function approve(changes: Record<string, string> = {}, fields: Record<string, string> = {}): Promise<string> {
  return (await choose(fields, changes)).get("code") ?? "";
}

type Answered = { status: number; headers: Headers; body: Record<string, unknown> };

/** A token request as JSON, as the platform documents it (docs/platform.md, "Token request body fields"). */
export async function askToken(fields: Record<string, unknown>): Promise<Answered> {
  const request = new Request(`${BASE}/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...APP, ...fields }),
  });
  return answered(await token(request));
}

export const exchange = (code: string, changes: Record<string, unknown> = {}): Promise<Answered> =>
  askToken({ grant_type: "authorization_code", code, redirect_uri: CALLBACK, ...changes });

export const refresh = (refresh_token: unknown): Promise<Answered> => askToken({ grant_type: "refresh_token", refresh_token });

/** A token request as a form with Basic credentials, the way of RFC 6749. */
export async function askTokenByForm(fields: Record<string, string>): Promise<Answered> {
  const authorization = `Basic ${Buffer.from(`${APP.client_id}:${APP.client_secret}`).toString("base64")}`;
  return answered(
    await token(new Request(`${BASE}/token`, { method: "POST", headers: { authorization }, body: new URLSearchParams(fields) })),
  );
}

export async function askRevocation(fields: Record<string, string>): Promise<Answered> {
  return answered(await revoke(new Request(`${BASE}/revoke`, { method: "POST", body: new URLSearchParams({ ...APP, ...fields }) })));
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
}
