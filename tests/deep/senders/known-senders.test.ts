import { afterAll, describe, expect, it } from "vitest";
import { pool } from "#lib/db/pool";
import { learnScheme } from "#lib/flows/sources/learn-scheme";
import { listTemplates } from "#lib/flows/sources/manage-sources";
import { schemeOf, TEMPLATES } from "#lib/platform/schemes/templates";
import { useDatabase } from "#tests/support/database";
import { KNOWN_NAMES, type KnownName, knownSender } from "#tests/support/known-senders/known-senders";
import type { KnownSender, Made } from "#tests/support/known-senders/made-requests";
import { useNodeReceiver } from "#tests/support/receivers";
import { FIRST_REQUESTS, QUESTIONS } from "#tests/support/sender-questions";
import { useSenders } from "#tests/support/sender-source";
import { tampered } from "#tests/support/tampered";

useDatabase();
const receiver = useNodeReceiver();
const { makeSender } = useSenders(receiver);

/** How it was received on 28 November, before there were templates of these senders. */
const BEFORE: Partial<Record<KnownName, string>> = {
  docusign: "in part: our key must be the first",
  pandadoc: "network only",
  "dropbox-sign": "not at all",
  "acrobat-sign": "can't be switched on",
  box: "not at all",
  signwell: "network only",
  boldsign: "events by settings; can't be verified",
  jotform: "not at all",
  nanonets: "network only",
  "paperless-ngx": "JSON by settings; no file",
  "google-drive": "not at all",
  notion: "can't be switched on",
  xero: "can't be switched on",
  quickbooks: "one of two events",
  hubspot: "not at all",
  "hubspot-v1": "not at all",
  zendesk: "not at all",
  rootly: "not at all",
  trello: "not at all",
  asana: "can't be switched on",
  okta: "can't be switched on",
  "event-grid": "can't be switched on",
  monday: "not at all",
  cloudevents: "events by settings; OPTIONS unanswered",
  workos: "not at all",
  "zoho-payments": "not at all",
  paddle: "not at all",
  opsgenie: "quarantined",
  mailgun: "network only",
  sendgrid: "not at all",
  discord: "not at all",
  plaid: "not at all",
  kinde: "not at all",
  salesforce: "not at all",
};

type Row = { name: KnownName; title: string; before: string; works: boolean; trust: string; proof: string };
const rows: Row[] = [];

/** A network that holds the machine of the tests, in place of the sender's. */
const settingsOf = ({ settings }: KnownSender) =>
  settings && "network" in settings ? { network: { networks: ["127.0.0.0/8", "::1"] } } : settings;

const ALTERED = 25;

/** A source that waits for its secret answers the sender's first request. */
async function firstRequest(name: KnownName): Promise<void> {
  const first = FIRST_REQUESTS[name];
  if (first === undefined) return;
  const { name: source } = await makeSender(name);
  const answer = await receiver.send(source, { body: first.body, headers: first.headers ?? {} });
  expect(answer.status).toBe(200);
  if (first.echoed) expect(answer.headers.get(first.echoed)).toBe(first.brings);
}

describe.each(KNOWN_NAMES)("%s", (name) => {
  it("is set up by its template: rightly signed is an event, altered none, and a repetition changes nothing", async () => {
    const template = TEMPLATES[name];
    const row: Row = {
      name,
      title: template.title,
      before: BEFORE[name] ?? "by settings",
      works: false,
      trust: "",
      proof: template.proof ?? "",
    };
    rows.push(row);
    const sender = knownSender(name);
    const scheme = settingsOf(sender);
    const made = await makeSender(name, { ...(sender.secret !== "" && { secret: sender.secret }), ...(scheme && { scheme }) });
    row.trust = made.created.trust;
    const at = { url: made.created.url, now: Date.now() };
    const send = ({ body, headers, query }: Made) => made.post(body, headers, query === undefined ? "" : `?${query}`);
    const count = async () => {
      const { rows: found } = await pool().query<{ n: number }>("SELECT count(*)::int AS n FROM events WHERE workspace_id = $1", [
        made.workspaceId,
      ]);
      return found[0]?.n ?? 0;
    };
    const right = sender.make(at);
    // What is altered comes first: nothing of it may stand in the way of the right request.
    if (row.trust === "signed")
      for (let n = 0; n < ALTERED; n += 1) {
        const body = tampered({ body: Buffer.from(right.body), headers: {}, url: "" }, n).body.toString("latin1");
        const answer = await send({ ...right, body });
        expect([401, 429], `altered request ${n}: ${answer.status}`).toContain(answer.status);
      }
    if (schemeOf(name, scheme ?? {}).headers.some((header) => right.headers[header] !== undefined)) {
      const bare = await send({ body: right.body, headers: {} });
      expect([401, 429]).toContain(bare.status);
    }
    expect(await count()).toBe(0);
    const first = await send(right);
    expect(first.status, await first.clone().text()).toBeLessThan(300);
    const events = await count();
    expect(events, "the request is quarantined, not stored").toBeGreaterThan(0);
    const again = await send((sender.again ?? sender.make)({ ...at }));
    expect(again.status).toBeLessThan(300);
    if (!template.reading?.id?.includes("receipt:id")) expect(await count(), "a repetition made another event").toBe(events);
    const stored = await count();
    await QUESTIONS[name]?.({ name: made.name, secret: sender.secret, receiver });
    await firstRequest(name);
    expect(await count(), "a question is no event").toBe(stored);
    row.works = true;
  });
});

afterAll(() => {
  const works = rows.filter((row) => row.works);
  const isRun = ({ proof }: Row) => proof === "bytes" || proof === "verifier";
  const proven = works.filter(isRun);
  const line = (...cells: string[]) => `| ${cells.join(" | ")} |`;
  const table = rows.map((row) =>
    line(row.title, row.before, row.works ? "works" : "DOESN'T WORK", `template ${row.name}`, row.trust, isRun(row) ? "A" : "B"),
  );
  const head = [line("sender", "before", "now", "by", "trust", "proof"), "|---|---|---|---|---|---|"];
  process.stdout.write(
    `\n${[...head, ...table].join("\n")}\n${works.length} of ${rows.length} senders work, ${proven.length} by bytes or a verifier of their own.\n`,
  );
});

/** Senders that sign: a secret sent along is not kept, so it can't be tried. */
const SIGNING = KNOWN_NAMES.filter((name) => {
  const { trust } = schemeOf(name, settingsOf(knownSender(name)) ?? {});
  return trust === "signed" || trust === "partly";
});
const found: string[] = [];

it.each(SIGNING)("%s is found by one request to a source of an unknown sender, and its secret", async (name) => {
  const { workspaceId, name: source, sourceId, created } = await makeSender("unknown");
  const { make, secret } = knownSender(name);
  const { body, headers, query } = make({ url: created.url, now: Date.now() });
  expect((await receiver.send(query === undefined ? source : `${source}?${query}`, { body, headers })).status).toBe(401);
  const { tried, fits, hint } = await learnScheme(workspaceId, sourceId, secret);
  expect(tried).toBe(1);
  const [first] = fits;
  // A JWT with a key of one's own is described, not known.
  if (name === "kinde") return expect([first, hint?.verdict.length]).toEqual([undefined, expect.any(Number)]);
  expect([first?.template, hint]).toEqual([name, null]);
  found.push(name);
});

afterAll(
  () => void process.stdout.write(`${found.length} of ${SIGNING.length} signing senders are found by one request and their secret.\n`),
);

it("are all in the list of templates, with where their facts are from", () => {
  const listed = new Map(listTemplates().map((template) => [template.name as string, template]));
  for (const name of KNOWN_NAMES) {
    const template = listed.get(name);
    expect(template?.facts, name).not.toEqual([]);
    expect(template?.proof, name).not.toBeNull();
    expect(template?.reading, name).not.toBeNull();
  }
});
