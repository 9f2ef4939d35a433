import { describe, expect, it } from "vitest";
import { searchDocumentation } from "#lib/client/format/search-documentation";
import { DOCUMENTATION, readDocumentation } from "#lib/flows/installation/served-files";

const PAGE = {
  name: "maintenance",
  title: "Maintenance",
  text: [
    "# Maintenance",
    "Planned work.",
    "## Rotate a secret",
    "Run `npm run vault -- rotate` ([vault](vault.md)), then restart: the secret that retires is accepted for a day more.",
    "```sh",
    "# a secret in a comment",
    "```",
    "## Backups",
    "| `BACKUP_KEY` | seals each backup |",
  ].join("\n"),
};

describe("a search of the documentation", () => {
  it("finds the sections with every word, a heading's first, and leads to the heading", () => {
    const found = searchDocumentation(
      [PAGE, { ...PAGE, name: "runbook", title: "Runbook", text: "# Runbook\nrotate a secret secret secret secret" }],
      "Secret ROTATE",
    );
    expect(found.map(({ href }) => href)).toEqual(["/docs/maintenance#rotate-a-secret", "/docs/runbook#runbook"]);
    expect(found[0]).toMatchObject({
      page: "Maintenance",
      heading: "Rotate a secret",
      before: "Run npm run vault -- rotate (vault), then restart: the ",
      match: "secret",
    });
  });

  it("takes a comment in code for no heading, finds the cells of a table, and nothing without words or for one that is missing", () => {
    expect(searchDocumentation([PAGE], "comment").map(({ heading }) => heading)).toEqual(["Rotate a secret"]);
    expect(searchDocumentation([PAGE], "backup_key seals")[0]).toMatchObject({
      heading: "Backups",
      match: "BACKUP_KEY",
      after: " seals each backup",
    });
    expect(searchDocumentation([PAGE], "  ")).toEqual([]);
    expect(searchDocumentation([PAGE], "backup_key kubernetes")).toEqual([]);
  });

  it("finds a setting on its page", async () => {
    const pages = await Promise.all(DOCUMENTATION.map(async (page) => ({ ...page, text: await readDocumentation(page) })));
    expect(searchDocumentation(pages, "FORWARD_ALLOW").map(({ page }) => page)).toContain("Configuration");
    expect(searchDocumentation(pages, "rotate secret").length).toBeGreaterThan(0);
  });
});
