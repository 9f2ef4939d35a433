import { readFileSync } from "node:fs";
import { hash } from "@node-rs/argon2";
import { chromium } from "@playwright/test";
import { describe, expect, it, onTestFinished } from "vitest";
import { insertAudit, listAudit } from "#lib/auth/audit/audit-store";
import { insertFirstOwner } from "#lib/auth/members/user-store";
import { hashPassword, passwordProblem, verifyPassword } from "#lib/auth/sign-in/password";
import { signIn } from "#lib/auth/sign-in/sign-in";
import { isVisible } from "#lib/contracts/api/parameters";
import { workspaceBody } from "#lib/contracts/auth/account";
import { setupBody } from "#lib/contracts/auth/setup";
import { createDestinationBody } from "#lib/contracts/forwarding/destinations";
import { readQuarantine } from "#lib/flows/quarantine/quarantine";
import { listViewPage, searchViews } from "#lib/flows/views/read-views";
import { useDatabase } from "#tests/support/database";
import { append, drainInbox } from "#tests/support/log-writer";
import { useNodeReceiver } from "#tests/support/receivers";
import { makeWorkspace, signed } from "#tests/support/webhooks";
import { provideChromium } from "../../tools/chromium.ts";

// The same text in other characters, and text that nobody sees.

useDatabase();
const receiver = useNodeReceiver();

/** An accent composed with its letter, as most keyboards write it, and apart, as macOS names files. */
const COMPOSED = "M\u00fcller";
const APART = "Mu\u0308ller";

// mattermost/mattermost#36877, matrix-org/synapse#3306
describe("a password with an accent", () => {
  const [composed, apart] = [`${COMPOSED}-tram-violet-7`, `${APART}-tram-violet-7`];

  it("that was set with the accent apart opens the account however it is typed", async () => {
    const email = "ada@example.com";
    await insertFirstOwner({ email, name: "Ada", passwordHash: await hashPassword(apart), workspaceName: "Acme" });
    for (const password of [composed, apart]) expect(await signIn({ email, password }, new Date())).toMatchObject({ outcome: "signed_in" });
    expect(await signIn({ email, password: "Muller-tram-violet-7" }, new Date())).toMatchObject({ outcome: "rejected" });
  });

  it.each([composed, apart])("whose hash an earlier version made of %j goes on", async (set) => {
    const earlier = await hash(set);
    for (const typed of [composed, apart]) expect(await verifyPassword(earlier, typed)).toBe(true);
    expect(await verifyPassword(null, composed)).toBe(false);
  });

  it("has as many characters as a person counts", () => {
    expect(passwordProblem("e\u0301".repeat(6), "ada@example.com")).toMatch(/12 characters/);
  });
});

// paulgessinger/swift-paperless#372
describe("a name that was written with accents apart", () => {
  async function told() {
    const { workspaceId, sourceId } = await makeWorkspace();
    const document = (documentId: string, fileName: string) => ({
      eventId: `evt_${documentId}_${workspaceId}`,
      type: "document.uploaded",
      created: 1000,
      data: { documentId, fileName },
    });
    const documents = [document("doc_mac", `${APART}.pdf`), document("doc_other", `${COMPOSED}.pdf`), document("doc_u", "Muller.pdf")];
    await append(workspaceId, sourceId, documents);
    await drainInbox();
    return workspaceId;
  }

  it.each([COMPOSED, APART, APART.toUpperCase()])("is found in the records' list and from everywhere by %j", async (q) => {
    const workspaceId = await told();
    const { data } = await listViewPage(workspaceId, "document", { limit: 10, q });
    expect(data.map(({ id }) => id).sort()).toEqual(["doc_mac", "doc_other"]);
    const found = await searchViews(workspaceId, q);
    expect(found.data.map(({ id }) => id).sort()).toEqual(["doc_mac", "doc_other"]);
    const slipped = await searchViews(workspaceId, q.replace("ll", "l"));
    expect(slipped.data.map(({ id }) => id)).toContain("doc_mac");
  });

  it.each([COMPOSED, APART])("is found in quarantine and in the audit log by %j", async (q) => {
    const { workspaceId, source } = await makeWorkspace();
    await receiver.send(source, signed(`{"name":"${APART}"}`));
    await receiver.send(source, signed(`{"name":"${COMPOSED}"}`));
    expect((await readQuarantine(workspaceId, { q }, { limit: 10 }, new Date())).data).toHaveLength(2);
    const who = { kind: "person", id: "usr_ada", name: `Ada ${APART}`, credential: null } as const;
    await insertAudit(workspaceId, { who, action: "member.invited", target: { kind: "invitation", id: "inv_1", name: "Acme" } });
    expect((await listAudit(workspaceId, { q }, { limit: 10 })).data).toHaveLength(1);
  });
});

// mastodon/mastodon#1095
it("what follows a name that turns the direction of text stays where it was", { tags: ["deep"] }, async () => {
  const browser = await chromium.launch({ executablePath: (await provideChromium(() => undefined)).path, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const line = "<p><span>eve\u202eman</span> <span id=after>accepted it</span> <em id=last>today</em></p>";
  await page.setContent(`<style>${readFileSync("app/globals.css", "utf8")}</style>${line}`);
  const left = (id: string) => page.locator(`#${id}`).evaluate((element) => element.getBoundingClientRect().x);
  expect(await left("last")).toBeGreaterThan(await left("after"));
});

describe("a name of nothing that can be seen", () => {
  it.each(["\u200b", "\u200b \u2060\ufeff", "\u3164", "\u2800", "\u202e", "\u00ad"])("%j is refused", (name) => {
    expect(workspaceBody.safeParse({ name }).error?.issues[0]?.message).toBe("Enter a name.");
    expect(setupBody.safeParse({ token: "t", email: "ada@example.com", password: "p", name }).success).toBe(false);
    expect(createDestinationBody.safeParse({ name, url: "https://example.com" }).success).toBe(false);
  });

  it.each(["Ада", "👩‍👩‍👧", "علی\u200cرضا", "a"])("%s is none", (name) => {
    expect(isVisible(name)).toBe(true);
    expect(workspaceBody.parse({ name: ` ${name} ` })).toEqual({ name });
  });

  it("is stored composed", () => {
    expect(workspaceBody.parse({ name: APART })).toEqual({ name: COMPOSED });
  });
});
