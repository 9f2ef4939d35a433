import { createHash, createHmac } from "node:crypto";
import type { Answer, Api } from "./api.ts";
import { Complaints, until } from "./complaints.ts";

// Senders whose IDs are numbers beyond 2^53. Earlier releases filed such an event under the SHA-256 of its request: it is
// found by that as long as it is kept, and a repeat is filed under its digits.

const SECRET = "the-secret-of-the-sender-of-long-numbers";
const EVENTS = 10;
/** Neighbours, of which a double can hold every second. */
const FIRST = 2n ** 60n + 1n;
/** Numbers that a double would write otherwise: an entry of a list is kept as it came. */
const AMOUNTS = '"amounts":[1.10,1.0,-0,1e3,1E400,0.1e-7]';

type Source = "chaos-digits" | "chaos-digit-lists";
/** A request and the IDs that the earlier release filed its events under. */
export type Sent = { source: Source; body: string; ids: string[] };
type Said = { id: string; duplicate: boolean; conflict?: boolean };

const digitsOf = (n: number) => String(FIRST + BigInt(n));
const eventOf = (id: string, n: number) => `{"id":${id},"type":"order.paid","order":{"id":${digitsOf(n)}7,${AMOUNTS}}}`;

/** Its last entry has an ID that always was one: repeated, it is a duplicate to the letter. */
const listOf = (n: number) => `{"events":[${eventOf(digitsOf(n), n)},${eventOf(digitsOf(n + 1), n + 1)},${eventOf(`"text-${n}"`, n)}]}`;

async function send(api: Api, { source, body }: Pick<Sent, "source" | "body">): Promise<Answer<Said[]>> {
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  const answer = await api.send<Said & { events?: Said[] }>(source, body, { "x-acme-signature": signature });
  return { status: answer.status, body: answer.body.events ?? [answer.body] };
}

/** Has an earlier release keep events of both sources. */
export async function leaveDigestIds(api: Api): Promise<Sent[]> {
  const shared = { template: "hmac", secret: SECRET, scheme: { hmac: { header: "x-acme-signature" } } };
  const reading = { id: ["id"], type: ["type"] };
  const order = { records: "generic", record: { kind: "order", id: "order.id" } };
  await api.call("POST", "/sources", { ...shared, ...order, name: "chaos-digits", reading });
  await api.call("POST", "/sources", { ...shared, name: "chaos-digit-lists", reading: { ...reading, items: "events" } });
  const requests: Pick<Sent, "source" | "body">[] = [
    ...Array.from({ length: EVENTS }, (_, n) => ({ source: "chaos-digits" as const, body: eventOf(digitsOf(n), n) })),
    ...[EVENTS, EVENTS + 2].map((n) => ({ source: "chaos-digit-lists" as const, body: listOf(n) })),
  ];
  const sent: Sent[] = [];
  for (const request of requests) {
    const { status, body } = await send(api, request);
    if (status !== 200) throw new Error(`${request.body} was answered ${status}`);
    sent.push({ ...request, ids: body.map(({ id }) => id) });
  }
  return sent;
}

/** Number of IDs that are the hash of the request, as they should be. */
export const countDigests = (sent: Sent[]): number =>
  sent.reduce((sum, { body, ids }) => sum + ids.filter((id) => id.startsWith(`sha256:${digestOf(body)}`)).length, 0);

const digestOf = (body: string) => createHash("sha256").update(body).digest("hex");

/** Examines them after the upgrade, and what becomes of their repeats. */
export async function examineDigestIds(api: Api, sent: Sent[]): Promise<Complaints> {
  const complaints = new Complaints();
  await examineRecords(api, complaints);
  for (const request of sent) {
    for (const id of request.ids) await examineFound(api, request, id, complaints);
    await examineRepeated(api, request, complaints);
  }
  for (const { ids } of sent) for (const id of ids) await examineShown(api, id, complaints);
  return complaints;
}

async function examineFound(api: Api, { source, body }: Sent, id: string, complaints: Complaints): Promise<void> {
  const raw = await examineShown(api, id, complaints);
  complaints.that(`${id} is the text that came`, source === "chaos-digits" ? raw === body : body.includes(raw ?? "none"), raw);
  const page = await api.page(`/events/${encodeURIComponent(id)}`);
  complaints.that(`${id} has a page`, page.status === 200 && page.body.includes(id), page.status);
  for (const search of [`q=${encodeURIComponent(id)}`, `q=${encodeURIComponent(`"${id}"`)}`, `source=${source}&limit=100`]) {
    const found = await api.call<{ data: { id: string }[] }>("GET", `/events?${search}`);
    complaints.that(
      `${id} is found by ${search}`,
      found.data.some((one) => one.id === id),
      found.data.map((one) => one.id),
    );
  }
  const again = await api.ask("POST", `/events/${encodeURIComponent(id)}/redeliver`, {});
  complaints.that(`${id} can be delivered again`, again.status === 202, again);
}

async function examineShown(api: Api, id: string, complaints: Complaints): Promise<string | undefined> {
  const shown = await api.ask<{ id: string; raw: string; state: string }>("GET", `/events/${encodeURIComponent(id)}`);
  complaints.that(`${id} is shown`, shown.status === 200 && shown.body.id === id, shown);
  return shown.body.raw;
}

/** A repeat is a new event under its digits, and the next one a duplicate. */
async function examineRepeated(api: Api, request: Sent, complaints: Complaints): Promise<void> {
  const wanted = request.ids.map((filed, index) => idWithin(request.body, index) ?? filed);
  const repeated = await send(api, request);
  const isNew = repeated.body.every(({ duplicate }, index) => duplicate === (wanted[index] === request.ids[index]));
  complaints.that(`a repeat of ${request.ids[0]} is filed under ${wanted.join()}`, isNew && idsOf(repeated) === wanted.join(), repeated);
  const third = await send(api, request);
  complaints.that(
    `the next repeat is a duplicate`,
    third.body.every(({ duplicate }) => duplicate) && idsOf(third) === wanted.join(),
    third,
  );
  const conflicts = [...repeated.body, ...third.body].filter(({ conflict }) => conflict);
  complaints.that(`no repeat of ${request.ids[0]} is a conflict`, conflicts.length === 0, conflicts);
  for (const id of wanted) {
    const search = () => api.call<{ data: { id: string }[] }>("GET", `/events?q=${encodeURIComponent(id)}`);
    const found = await until(search, ({ data }) => data.some((one) => one.id === id));
    complaints.that(
      `${id} is found by its digits`,
      found.data.some((one) => one.id === id),
      found.data.map((one) => one.id),
    );
  }
}

const idsOf = ({ body }: Answer<Said[]>) => body.map(({ id }) => id).join();

/** The digits of the event at a place of a request; undefined where its ID is text. */
const idWithin = (body: string, place: number): string | undefined =>
  [...body.matchAll(/"id":([^,]+),"type"/g)][place]?.[1]?.match(/^\d+$/)?.[0];

/** The earlier release made no record of an ID beyond 2^53; the update's rebuild does. */
async function examineRecords(api: Api, complaints: Complaints): Promise<void> {
  const wanted = Array.from({ length: EVENTS }, (_, n) => `${digitsOf(n)}7`);
  const list = () => api.call<{ data: { id: string }[] }>("GET", "/records?limit=100");
  const has = (data: { id: string }[]) => wanted.filter((id) => data.some((one) => one.id === id || one.id.endsWith(id)));
  const found = await until(list, ({ data }) => has(data).length === wanted.length);
  complaints.that(
    "each order has its record",
    has(found.data).length === wanted.length,
    found.data.map(({ id }) => id),
  );
}
