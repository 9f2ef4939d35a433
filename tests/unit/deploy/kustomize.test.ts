import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readObject, readObjects } from "#tests/support/deploy/read-yaml";
import { kubernetesType, typeErrors } from "#tests/support/deploy/type-errors";
import { ROOT } from "../../../tools/run-command.ts";

const FOLDER = path.join(ROOT, "deploy/kustomize");
const KUBECTL = "/usr/bin/kubectl";
const read = (file: string) => readFileSync(path.join(FOLDER, file), "utf8");

const files = ["base", "example"].flatMap((folder) => readdirSync(path.join(FOLDER, folder)).map((name) => `${folder}/${name}`));
const patches = ["example/backups.yaml"];
const resources = files.filter((file) => !file.endsWith("kustomization.yaml") && !patches.includes(file));

describe("deploy/kustomize", () => {
  it("has objects of Kubernetes's types, and patches of parts of them", async () => {
    const whole = resources.flatMap((file) => readObjects(read(file))).map(kubernetesType);
    const parts = patches.flatMap((file) => readObjects(read(file))).map((value) => ({ ...kubernetesType(value), as: "Patch" as const }));
    expect(await typeErrors([...whole, ...parts])).toBe("");
  });

  it("uses every file", () => {
    const named = ["base", "example"].flatMap((folder) => {
      const { resources: own = [], patches: over = [] } = readObject(read(`${folder}/kustomization.yaml`)) as {
        resources?: string[];
        patches?: { path: string }[];
      };
      return [...own, ...over.map((each) => each.path)].map((name) => path.join(folder, name));
    });
    expect(named.filter((name) => name !== "base").toSorted()).toEqual([...resources, ...patches].toSorted());
  });

  it.skipIf(!existsSync(KUBECTL))("is rendered by kubectl to objects of those types", async () => {
    const rendered = execFileSync(KUBECTL, ["kustomize", path.join(FOLDER, "example")], { encoding: "utf8" });
    expect(await typeErrors(readObjects(rendered).map(kubernetesType))).toBe("");
    expect(rendered).toContain("mountPath: /backups");
  });
});
