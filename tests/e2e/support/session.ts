import { type Cookie, expect, type Page } from "@playwright/test";
import { untilTaken } from "#tests/support/impatient-sender";
import { baseUrl, INSTALLATION } from "./installation.ts";

/** Option of Playwright's own requests: again on a new connection. The server closes one that was idle for 5 s, also just as it is used again. */
export const AGAIN_IF_RESET = { maxRetries: 3 };

/** Cookies of the owner's last sign-in in this worker, and when that was. */
let ownerCookies: Cookie[] = [];
let signedInAt = 0;
/** A sign-in counts for 15 minutes as the proof that secrets, keys and members ask for. */
const FRESH_MS = 10 * 60_000;

/**
 * Signs the owner in as the form does (10-main-job and 92-sign-in fill it in), and opens no page yet. A worker's tests share
 * one session until one of them ends it, or it grows old: each sign-in computes a password hash.
 */
export async function signIn(page: Page): Promise<void> {
  await page.context().addCookies(ownerCookies);
  if (Date.now() - signedInAt < FRESH_MS && (await page.request.get(`${baseUrl()}/api/v1/session`, AGAIN_IF_RESET)).ok()) return;
  const { csrfToken } = await (await page.request.get(`${baseUrl()}/api/auth/csrf`, AGAIN_IF_RESET)).json();
  const form = { email: INSTALLATION.ownerEmail, password: INSTALLATION.ownerPassword, csrfToken, json: "true", callbackUrl: baseUrl() };
  const answer = await page.request.post(`${baseUrl()}/api/auth/callback/credentials`, { form, ...AGAIN_IF_RESET });
  expect(new URL((await answer.json()).url).href).toBe(`${baseUrl()}/`);
  ownerCookies = await page.context().cookies();
  signedInAt = Date.now();
}

/** Fills in the form of the sign-in page that is open, and sends it. */
export async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Signs out through the menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Account menu for/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
}

/** Asks the sandbox platform, or the API, as a script would: again where a read has no answer, or a busy machine says 503. */
export async function callApi<T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST"): Promise<T> {
  // A connection of its own, which nobody has closed meanwhile.
  const headers = { authorization: `Bearer ${INSTALLATION.apiKey}`, "content-type": "application/json", connection: "close" };
  const ask = () => fetch(`${baseUrl()}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  const answer = method === "GET" ? await untilTaken(ask) : await ask();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Presses Re-deliver on an event's page; where there is a destination it asks, and is answered. Returns once the server has taken it. */
export async function redeliver(page: Page, { toDestinations = false } = {}): Promise<void> {
  const { destinations } = await callApi<{ destinations: number }>("/api/v1/overview/counts");
  const taken = page.waitForResponse((response) => response.request().method() === "POST" && response.url().endsWith("/redeliver"));
  await page.getByRole("button", { name: "Re-deliver" }).first().click();
  if (destinations > 0) {
    const dialog = page.getByRole("dialog", { name: "Re-deliver this event" });
    if (toDestinations) await dialog.getByLabel("Also send to destinations").check();
    await dialog.getByRole("button", { name: "Re-deliver", exact: true }).click();
  }
  expect((await taken).ok()).toBe(true);
}

/** The URL of a list up to this moment: what arrives later moves none of its rows. */
export const untilNow = (list: string): string => `${list}?to=${new Date().toISOString()}`;

/** Presses keys one after the other. A mouse that is moved or pressed proves nothing of the keyboard. */
export const press = (page: Page, ...keys: string[]): Promise<void> =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

type List = { data: { id: string; type: string; state: string; event: { id: string } }[] };

/** The first entry of a list of the API, once there is one. */
export async function firstOf(path: string): Promise<List["data"][number]> {
  const read = async () => (await callApi<List>(path)).data[0];
  await expect.poll(read, { message: `${path} stays empty`, timeout: 60_000 }).toBeDefined();
  return (await read()) as List["data"][number];
}

/** Returns the ID of an event type of the platform once it was learnt: what was seen is written every 10 seconds. */
export async function learntType(type: string): Promise<string> {
  const read = async () =>
    (await callApi<{ data: { id: string | null }[] }>(`/api/v1/event-types?source=platform&type=${type}`)).data.find(({ id }) => id)?.id;
  await expect.poll(read, { message: `${type} is not learnt`, timeout: 60_000 }).toBeTruthy();
  return (await read()) ?? "";
}

/** Sends an event through the sandbox. @returns its ID */
export async function sendEvent(event: { type: string; data?: Record<string, unknown>; fault?: string }): Promise<string> {
  const { eventIds } = await callApi<{ eventIds: [string] }>("/sandbox/api/events", event);
  return eventIds[0];
}

/** Waits until an event, which may not be stored yet, has a state. @param limit of the wait, in milliseconds where it is not the usual one */
export const untilState = (eventId: string, state: "processed" | "failed", limit: { timeout?: number } = {}): Promise<void> =>
  expect.poll(async () => (await callApi<{ state: string }>(`/api/v1/events/${eventId}`).catch(() => null))?.state, limit).toBe(state);

/** Lets the sandbox tell a scenario at once, and waits until all of its events are processed: no row of them moves another later. */
export async function tellScenario(scenario: string): Promise<void> {
  const { eventIds } = await callApi<{ eventIds: string[] }>("/sandbox/api/scenarios", { scenario, pace: 0 });
  for (const id of eventIds) await untilState(id, "processed", { timeout: 60_000 });
}

/** Waits until this very event has failed: an issue may be there already, of another file's events. */
export const untilFailed = (eventId: string): Promise<void> => untilState(eventId, "failed", { timeout: 60_000 });

/** Begins a connection of that name, as somebody who is signed in, and stops at the platform's permission dialog. */
export async function openDialog(page: Page, name: string): Promise<void> {
  await page.goto("/connections");
  await page.getByRole("button", { name: "Connect an account" }).first().click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Continue to the platform" }).click();
  await expect(page).toHaveURL(/\/sandbox\/oauth\/authorize/);
}

/** Approves, with the platform going wrong in that way. */
export async function approve(page: Page, misbehaving?: string): Promise<void> {
  if (misbehaving) {
    await page.getByText("Simulate faults").click();
    await page.getByText(misbehaving, { exact: true }).click();
  }
  await page.getByRole("button", { name: "Approve" }).click();
}
