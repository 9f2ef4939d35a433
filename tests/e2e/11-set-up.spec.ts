import { createHmac, randomInt } from "node:crypto";
import { startBeside } from "./support/beside.ts";
import { INSTALLATION } from "./support/installation.ts";
import { postSigned, signBody } from "./support/post-webhook.ts";
import { fillSignIn, firstOf, signIn } from "./support/session.ts";
import { expect, expectAccessible, expectAccessibleOnPhone, test } from "./support/watched-page.ts";

const port = randomInt(31_000, 32_000);

test.describe("with the sandbox off and no platform configured", () => {
  test.use({ baseURL: `http://localhost:${port}` });

  test("Connect is disabled and says which variables are missing and what to register; no address shows JSON", { tag: "@deep" }, async ({
    page,
  }) => {
    const url = `http://localhost:${port}`;
    await startBeside("tests/e2e/support/second-web.ts", { PORT: String(port), APP_URL: url, SANDBOX: "off" });
    // A session of its own: the cookie's name has the port.
    await page.goto(`${url}/connections`);
    await fillSignIn(page, INSTALLATION.ownerEmail, INSTALLATION.ownerPassword);
    const notice = page.getByText("No platform is configured, so no account can be connected").locator("..");
    for (const name of ["PLATFORM_AUTH_URL", "PLATFORM_TOKEN_URL", "PLATFORM_CLIENT_ID", "PLATFORM_CLIENT_SECRET"])
      await expect(notice).toContainText(name);
    await expect(notice).toContainText(`${url}/callback`);
    await expect(page.getByRole("button", { name: "Connect an account" })).toBeDisabled();
    await expectAccessibleOnPhone(page);
    // An address that an old tab, a bookmark or the platform leads to.
    for (const path of ["/sandbox/oauth/authorize?client_id=signalbox-sandbox", "/callback?state=old&code=c"]) {
      await page.goto(`${url}${path}`);
      await expect(page).toHaveURL(new RegExp(`^${url}/connections`));
      await expect(page.getByRole("heading", { name: "Connections" })).toBeVisible();
    }
  });
});

test.describe("the signature playground", () => {
  const secret = "the secret of the playground's test";
  const body = '{"id":"evt_playground","type":"document.processed","created":1760000000,"data":{"documentId":"doc_1"}}';
  const digest = (key: string) => createHmac("sha256", key).update(body).digest("hex");

  test("opens from the sources and the palette, says what is wrong, and then that it is right", { tag: "@deep" }, async ({ page }) => {
    await signIn(page);
    await page.goto("/settings/sources");
    await page.getByRole("link", { name: "Signature playground" }).click();
    await expect(page.getByRole("heading", { name: "Signature playground" })).toBeVisible();
    const result = page.getByRole("region", { name: "Result" });
    const check = async (header: string) => {
      await page.getByLabel("Body").fill(body);
      await page.getByLabel("x-webhook-signature").fill(header);
      await page.getByLabel("Secret").fill(secret);
      await page.getByRole("button", { name: "Check signature" }).click();
    };
    await check(digest("another secret"));
    await expect(result).toContainText("Its signature does not match the body.");
    await expect(result).toContainText("401: quarantined, not verified");
    await expect(result.locator("mark")).toHaveCount(2);
    await expectAccessible(page);
    await check(`sha256=${digest(secret)}`);
    await expect(result).toContainText("Its signature has a prefix: sha256=");
    await check(digest(secret));
    await expect(result).toContainText("The signature is valid.");
    await expect(result).toContainText("200: stored as an event");
    await expect(result.locator("mark")).toHaveCount(0);
    await expectAccessibleOnPhone(page);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.goto("/");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("signature playground");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/settings\/sources\/signature$/);
    await expect(page.getByLabel("Secret")).toHaveValue("");
  });

  test("opens with the bytes of a quarantined request, and the secret decides", { tag: "@deep" }, async ({ page }) => {
    const sent = `${body.replace("evt_playground", "evt_playground_kept")}\r\n`;
    const signature = signBody(sent, secret);
    expect(await postSigned(sent, { signature })).toBe(401);
    const { id } = await firstOf("/api/v1/quarantine?reason=signature_mismatch");
    await signIn(page);
    await page.goto(`/quarantine/${id}`);
    await page.getByRole("link", { name: "Check with a secret" }).click();
    await expect(page.getByLabel("x-webhook-signature")).toHaveValue(signature);
    await page.getByLabel("Secret").fill(secret);
    await page.getByRole("button", { name: "Check signature" }).click();
    // The line break at the end is Windows': a text field alone would have changed it.
    await expect(page.getByRole("region", { name: "Result" })).toContainText("The signature is valid.");
  });
});
