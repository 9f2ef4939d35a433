import { createHmac } from "node:crypto";
import type { Api } from "./api.ts";
import { Complaints, until } from "./complaints.ts";
import type { Target } from "./target.ts";

// Senders that sign in a header with a secret's name. Earlier releases kept such a header as `[masked]` alone: its request
// can't be verified again, and must say so; what came since is kept sealed.

const HEADERS = ["authorization", "x-api-key", "x-acme-token"] as const;
const MODES = ["pass_through", "re_sign"] as const;
type Mode = (typeof MODES)[number];

type Signer = {
  header: string;
  name: string;
  id: string;
  /** Secrets of the destinations; none where the sender's own signature is passed through. */
  secrets: Record<Mode, string | null>;
};
type Item = { id: string; verified: boolean; verdict: string };
type Detail = { verdict: string; headers: Record<string, string>; diagnosis: { code: string; verifiesNow: boolean } | null };

const SECRET = "the-secret-that-is-valid-from-the-start";
/** Secrets of requests that don't verify when they come; they are set afterwards. */
const [LATER, LAST] = ["the-secret-that-is-set-after-the-upgrade", "the-secret-that-is-set-at-the-end"];

const bodyOf = (signer: Signer, what: string) => JSON.stringify({ id: eventOf(signer, what), type: "order.paid", order: what });
const eventOf = ({ header }: Signer, what: string) => `evt_${what}_${header}`;
const proofOf = (body: string, secret: string) => `Acme ${createHmac("sha256", secret).update(body).digest("hex")}`;
const pathOf = ({ header }: Signer, mode: Mode) => `/${mode}/${header}`;

const sendSigned = async (api: Api, signer: Signer, what: string, secret: string): Promise<number> => {
  const body = bodyOf(signer, what);
  return (await api.send(signer.name, body, { [signer.header]: proofOf(body, secret) })).status;
};

/** Has an earlier release keep an event, a request that does not verify and one of a paused source of each sender. */
export async function leaveMaskedHeaders(api: Api, target: Target): Promise<Signer[]> {
  const signers: Signer[] = [];
  for (const header of HEADERS) {
    const signer = await addSigner(api, target, header);
    const sent = [await sendSigned(api, signer, "stored", SECRET), await sendSigned(api, signer, "unverified", LATER)];
    await api.call("PATCH", `/sources/${signer.id}`, { paused: true });
    // Processes know a source for a moment.
    const held = await until(
      () => sendSigned(api, signer, "held", SECRET),
      (status) => status === 202,
    );
    if ([...sent, held].join() !== "200,401,202") throw new Error(`what ${header} signs was answered ${[...sent, held].join()}`);
    signers.push(signer);
    // What its worker found out is stored with the requests.
    await until(
      () => groupsOf(api, signer),
      (groups) => groups.length > 0 && groups.every(({ code }) => code !== null),
    );
  }
  return signers;
}

type Group = { code: string | null; verdict: string; releasable: number };

const groupsOf = async (api: Api, { name }: Signer): Promise<Group[]> =>
  (await api.call<{ data: Group[] }>("GET", `/quarantine/diagnoses?source=${name}`)).data;

async function addSigner(api: Api, target: Target, header: string): Promise<Signer> {
  const name = `chaos-signs-in-${header}`;
  const { id } = await api.call<{ id: string }>("POST", "/sources", {
    name,
    template: "hmac",
    secret: SECRET,
    scheme: { hmac: { header, prefix: "Acme " } },
    reading: { id: ["id"], type: ["type"] },
  });
  const signer: Signer = { header, name, id, secrets: { pass_through: null, re_sign: null } };
  for (const mode of MODES) {
    const settings = { name: `${mode} ${header}`, url: target.url(pathOf(signer, mode)), mode, sources: [name] };
    signer.secrets[mode] = (await api.call<{ secret: string | null }>("POST", "/destinations", settings)).secret;
  }
  return signer;
}

/** Examines them after the upgrade, and new ones beside them. */
export async function examineMaskedHeaders(api: Api, target: Target, signers: Signer[]): Promise<Complaints> {
  const complaints = new Complaints();
  for (const signer of signers) {
    await examineStored(api, target, signer, complaints);
    await examineQuarantined(api, signer, complaints);
    await examineNew(api, target, signer, complaints);
  }
  return complaints;
}

async function examineStored(api: Api, target: Target, signer: Signer, complaints: Complaints): Promise<void> {
  const { header, name } = signer;
  const id = eventOf(signer, "stored");
  const { status, body } = await api.ask<{ headers: Record<string, string>; raw: string }>("GET", `/events/${id}`);
  complaints.that(`${id} is shown with ${header} masked`, status === 200 && body.headers[header] === "[masked]", body);
  complaints.that(`${id} is shown as it came`, body.raw === bodyOf(signer, "stored"), body);
  const page = await api.page(`/events/${id}`);
  complaints.that(`${id} has a page`, page.status === 200 && page.body.includes(id), page.status);
  await examineForwarded(api, target, signer, { what: "stored", isKept: false }, complaints);
  const exported = await api.exported(name);
  complaints.that(`${name} is exported without what is sealed`, exported.includes(id) && !exported.includes(":sealed"), exported);
}

/** Delivers an event to the destinations again: re-signed it is whole, and a header that is not kept is passed to nobody. */
async function examineForwarded(
  api: Api,
  target: Target,
  signer: Signer,
  { what, isKept }: { what: string; isKept: boolean },
  complaints: Complaints,
): Promise<void> {
  const id = eventOf(signer, what);
  const before = MODES.map((mode) => target.of(pathOf(signer, mode), id).length);
  await api.call("POST", `/events/${id}/redeliver`, { destinations: true });
  for (const [index, mode] of MODES.entries()) {
    const received = await target.next(pathOf(signer, mode), id, before[index] ?? 0);
    const secret = mode === "pass_through" ? SECRET : (signer.secrets[mode] ?? "");
    const wanted = mode === "pass_through" && !isKept ? undefined : proofOf(bodyOf(signer, what), secret);
    const isRight = received?.body === bodyOf(signer, what) && received.headers[signer.header] === wanted;
    complaints.that(`${id} is handed on by ${mode} with ${wanted ? "a valid signature" : "none"}`, isRight, received?.headers);
  }
}

async function examineQuarantined(api: Api, signer: Signer, complaints: Complaints): Promise<void> {
  const { header, name } = signer;
  const listed = await api.call<{ data: Item[] }>("GET", `/quarantine?source=${name}`);
  const unverified = listed.data.find(({ verified }) => !verified)?.id ?? "none";
  complaints.that(`${name} has two quarantined requests`, listed.data.length === 2, listed);
  const says = (verdict = "") => verdict.includes(`its header ${header} is not kept`);
  const groups = await until(
    () => groupsOf(api, signer),
    (found) => found.some(({ verdict }) => says(verdict)),
  );
  complaints.that(
    `the group of what ${header} signed says so`,
    groups.some(({ verdict }) => says(verdict)),
    groups,
  );
  const verdict = listed.data.find(({ verified }) => !verified)?.verdict;
  complaints.that(`the list says so of each`, says(verdict), verdict);
  await api.call("POST", `/sources/${signer.id}/rotate`, { secret: LATER });
  for (const { id } of listed.data) {
    const page = await api.page(`/quarantine/${id}`);
    complaints.that(`${id} of ${name} has a page`, page.status === 200 && page.body.includes(id), page.status);
  }
  const detail = await api.call<Detail>("GET", `/quarantine/${unverified}`);
  const isDiagnosed = says(detail.verdict) && detail.diagnosis?.verifiesNow === false;
  complaints.that(`what ${header} signed is said not to be kept`, isDiagnosed && detail.headers[header] === "[masked]", detail);
  const released = await api.ask<unknown>("POST", `/quarantine/${unverified}/release`);
  const isRejected = released.status === 409 && JSON.stringify(released.body).includes(`its header ${header}`);
  complaints.that(`its release is rejected in words`, isRejected, released);
  const filter = { source: name, reason: "signature_mismatch" };
  const all = await api.call<{ stillQuarantined: number; released: number }>("POST", "/quarantine/releases", { filter });
  complaints.that(`a release of all leaves it`, all.stillQuarantined === 1 && all.released === 0, all);
  await api.call("PATCH", `/sources/${signer.id}`, { paused: false });
  const held = `/events/${eventOf(signer, "held")}`;
  const resumed = await until(
    () => api.ask("GET", held),
    ({ status }) => status === 200,
  );
  complaints.that(`what ${name} had held is released`, resumed.status === 200, resumed);
}

/** Checks that a new request is whole: it is verified again when its secret is set, and handed on with the signature that it came with. */
async function examineNew(api: Api, target: Target, signer: Signer, complaints: Complaints): Promise<void> {
  const { name } = signer;
  // Processes know a source for a moment: as long as it was paused, it was held.
  const stored = await until(
    () => sendSigned(api, signer, "new", SECRET),
    (status) => status === 200,
  );
  complaints.that(`${name} takes a new event`, stored === 200, stored);
  await until(
    () => api.ask("GET", `/events/${eventOf(signer, "new")}`),
    ({ status }) => status === 200,
  );
  await examineForwarded(api, target, signer, { what: "new", isKept: true }, complaints);
  const rejected = await sendSigned(api, signer, "late", LAST);
  const listed = await api.call<{ data: Item[] }>("GET", `/quarantine?source=${name}`);
  await api.call("POST", `/sources/${signer.id}/rotate`, { secret: LAST });
  const newest = listed.data[0]?.id ?? "none";
  const released = await api.ask<{ eventId: string }>("POST", `/quarantine/${newest}/release`);
  const isReleased = rejected === 401 && released.status === 200 && released.body.eventId === eventOf(signer, "late");
  complaints.that(`a new request of ${name} is verified again and released`, isReleased, released);
}
