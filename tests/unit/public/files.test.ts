import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import tailwindConfig from "../../../tailwind.config.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(path.join(ROOT, file));

/** Width and height of a PNG (PNG specification, section 11.2.2). */
const pngSize = (file: string) => {
  const bytes = read(file);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
};

test("each icon of the web manifest exists and has the size that it states", () => {
  const { icons } = JSON.parse(read("public/site.webmanifest").toString()) as { icons: { src: string; sizes: string; type: string }[] };
  expect(icons.length).toBeGreaterThan(2);
  for (const { src, sizes, type } of icons) {
    if (type === "image/png") expect(pngSize(`public${src}`), src).toBe(sizes);
    else expect(read(`public${src}`).toString()).toContain("<svg");
  }
});

test("robots are asked to stay out", () => {
  expect(read("public/robots.txt").toString()).toBe("User-agent: *\nDisallow: /\n");
});

test("each colour token is a role that both themes define", () => {
  const css = read("app/globals.css").toString();
  const [light = "", dark = ""] = [/:root \{([^}]*)\}/, /\[data-theme="dark"\] \{([^}]*)\}/].map((theme) => theme.exec(css)?.[1]);
  const roles = [...JSON.stringify(tailwindConfig.theme.colors).matchAll(/var\((--[a-z-]+)\)/g)].map(([, name]) => name);
  expect(roles.length).toBeGreaterThan(30);
  for (const name of roles) {
    expect(light, `light: ${name}`).toContain(`${name}:`);
    expect(dark, `dark: ${name}`).toContain(`${name}:`);
  }
});
